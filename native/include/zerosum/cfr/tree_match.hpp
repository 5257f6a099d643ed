// Hands of a compiled game between known policies. Every deal is played once for each way the players can
// sit, with the same luck. Beside what was won stands AIVAT's estimate (Burch et al. 2018): at every chance
// event and every decision on the way it takes out what the luck of that event was worth by a value function
// that was fixed before, which changes no expectation and most of the spread.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/cfr/tree.hpp"
#include "zerosum/random.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cfr {

// [nodes, players] what each seat gets from a node on when everyone follows the profile.
inline std::vector<double> node_values(const Tree& tree, const double* profile) {
  const auto players = static_cast<std::size_t>(tree.players);
  std::vector<double> values(tree.nodes.size() * players, 0.0);
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const Node& node = tree.nodes[n];
    for (std::size_t p = 0; p < players; ++p) {
      if (node.actor == kTerminal)
        values[n * players + p] = tree.returns[static_cast<std::size_t>(node.index) * players + p];
    }
    for (int k = 0; k < node.children; ++k) {
      const auto child = static_cast<std::size_t>(node.first_child + k);
      const double share =
          node.actor == kChance ? tree.probability[child] : profile[tree.first[node.index] + k];
      for (std::size_t p = 0; p < players; ++p)
        values[n * players + p] += share * values[child * players + p];
    }
  }
  return values;
}

struct TreeMatch {
  std::vector<double> won, chance, aivat;  // [hands, players]: plain; without luck of chance; without any
  std::vector<std::int64_t> actions;       // [players, actions] how often each label was chosen
};

// `profiles` [players] are the players' policies in every seat; `values` come from node_values. Deals first
// .. first + deals - 1; player p sits in seat (p + rotation) % players.
inline TreeMatch play(const Tree& tree, const std::vector<const double*>& profiles,
                      const std::vector<double>& values, int labels, std::uint64_t seed, std::uint64_t first,
                      std::size_t deals, std::size_t rotations, int threads) {
  const auto players = static_cast<std::size_t>(tree.players);
  TreeMatch match;
  for (auto* column : {&match.won, &match.chance, &match.aivat}) column->resize(deals * rotations * players);
  std::vector<std::vector<std::int64_t>> counts(
      static_cast<std::size_t>(threads),
      std::vector<std::int64_t>(players * static_cast<std::size_t>(labels)));
  on_threads(threads, [&](int thread) {
    const auto k = static_cast<std::size_t>(thread), all = static_cast<std::size_t>(threads);
    std::vector<double> by_chance(players), by_action(players), mean(players);
    for (std::size_t h = deals * rotations * k / all; h < deals * rotations * (k + 1) / all; ++h) {
      const std::size_t rotation = h % rotations;
      const CounterRng cards(seed, first + h / rotations, 0),
          choices(seed, first + h / rotations, 1 + rotation);
      by_chance.assign(players, 0.0);
      by_action.assign(players, 0.0);
      std::size_t n = 0;
      for (std::uint64_t depth = 0; tree.nodes[n].actor != kTerminal; ++depth) {
        const Node& node = tree.nodes[n];
        const bool is_chance = node.actor == kChance;
        const std::size_t player =
            is_chance ? 0 : (static_cast<std::size_t>(node.actor) + players - rotation) % players;
        const double* shares =
            is_chance ? &tree.probability[node.first_child] : profiles[player] + tree.first[node.index];
        double left = static_cast<double>((is_chance ? cards : choices).at(depth) >> 11) * 0x1.0p-53;
        int chosen = -1, last = 0;
        mean.assign(players, 0.0);
        for (int c = 0; c < node.children; ++c) {
          const double* value = &values[static_cast<std::size_t>(node.first_child + c) * players];
          for (std::size_t p = 0; p < players; ++p) mean[p] += shares[c] * value[p];
          if (shares[c] > 0.0) last = c;
          left -= shares[c];
          if (left < 0.0 && chosen < 0) chosen = c;
        }
        if (chosen < 0) chosen = last;  // rounding
        const auto next = static_cast<std::size_t>(node.first_child + chosen);
        for (std::size_t p = 0; p < players; ++p)
          (is_chance ? by_chance : by_action)[p] += mean[p] - values[next * players + p];
        if (!is_chance)
          ++counts[k]
                  [player * static_cast<std::size_t>(labels) + static_cast<std::size_t>(tree.action[next])];
        n = next;
      }
      for (std::size_t p = 0; p < players; ++p) {
        const std::size_t seat = (p + rotation) % players;
        const double got = tree.returns[static_cast<std::size_t>(tree.nodes[n].index) * players + seat];
        match.won[h * players + p] = got;
        match.chance[h * players + p] = got + by_chance[seat];
        match.aivat[h * players + p] = got + by_chance[seat] + by_action[seat];
      }
    }
  });
  match.actions.assign(players * static_cast<std::size_t>(labels), 0);
  for (const auto& part : counts) {
    for (std::size_t a = 0; a < part.size(); ++a) match.actions[a] += part[a];
  }
  return match;
}

}  // namespace zerosum::cfr
