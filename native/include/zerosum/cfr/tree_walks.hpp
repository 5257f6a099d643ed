// External-sampling walks of a compiled game, with its strategies in a table or asked for level by level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "zerosum/cfr/deals.hpp"
#include "zerosum/cfr/futures.hpp"
#include "zerosum/cfr/traversals.hpp"
#include "zerosum/cfr/tree.hpp"
#include "zerosum/random.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cfr {

// A compiled game as walks see it. Baselines are [futures], what player 0 gets from each on, as two players
// need; with more players [players, futures].
struct TreeGame {
  using State = std::int32_t;
  static constexpr int kChance = cfr::kChance;
  static constexpr int kTerminal = cfr::kTerminal;

  const Tree& tree;
  int actions;
  const double* table;                      // baselines, or none
  const std::vector<std::int32_t>& future;  // [nodes] each one's number
  std::size_t futures;
  std::uint64_t deals;  // how many there are, where walks share them out; else 0
  int players = tree.players;

  State root(std::uint64_t) const { return 0; }
  int actor(State s) const { return tree.nodes[s].actor; }
  int children(State s) const { return tree.nodes[s].children; }
  State child(State s, int k) const { return tree.nodes[s].first_child + k; }
  int column(State s, int k) const { return tree.action[tree.nodes[s].first_child + k]; }
  double chance(State s, int k) const { return tree.probability[tree.nodes[s].first_child + k]; }
  double payoff(State s, int player) const {
    return tree.returns[std::size_t(tree.nodes[s].index) * tree.players + player];
  }
  bool has_baseline() const { return table != nullptr; }
  double baseline(State s, int k, int player) const {
    const double value = table[slot(child(s, k), player)];
    return players == 2 && player == 1 ? -value : value;
  }
  std::size_t slot(State s, int player) const {
    return players == 2 ? std::size_t(future[s]) : player * futures + future[s];
  }
  int sample(State s, double u, std::uint64_t& deal) const {
    const Node& node = tree.nodes[s];
    if (deals > 0) {
      const auto count = static_cast<std::uint64_t>(node.children);
      const auto k = static_cast<int>(deal % count);
      deal /= count;
      return k;
    }
    if (node.index == 1) return static_cast<int>(u * node.children);
    double sum = 0.0;
    int likely = 0;
    for (int k = 0; k < node.children; ++k) {
      const double p = tree.probability[node.first_child + k];
      if (p > 0.0) likely = k;
      sum += p;
      if (u < sum) return k;
    }
    return likely;
  }
};

// Which walks: numbers first .. first + count - 1 of an iteration's, `ordinal` the number of `first` among
// all.
struct WalkRange {
  std::uint64_t seed, iteration, first, count, ordinal;
  int traverser;
};

// Begins the k-th walk of a range; `deals` is how many there are, where walks share them out, else 0.
template <typename Game>
void begin_walk(Traversals<Game>& walks, const WalkRange& range, std::uint64_t k, std::uint64_t deals) {
  CounterRng rng(range.seed, range.iteration, static_cast<std::uint64_t>(range.traverser), range.first + k);
  walks.begin(rng.bits(), deals ? deal_of(range.ordinal + k, deals, range.seed, range.traverser) : 0);
}

// Walks that read their strategies from a table [sequences].
inline Found<std::int32_t> walk_on_table(const TreeGame& game, const double* strategy, const WalkRange& range,
                                         int threads) {
  std::vector<Found<std::int32_t>> found(static_cast<std::size_t>(threads));
  on_threads(threads, [&](int thread) {
    Traversals<TreeGame> walks(game, range.traverser);
    const auto from = range.count * thread / threads, to = range.count * (thread + 1) / threads;
    for (std::uint64_t k = from; k < to; ++k) {
      begin_walk(walks, range, k, game.deals);
      for (const auto* asked = &walks.advance(); !asked->empty(); asked = &walks.advance()) {
        for (const std::int32_t id : *asked) {
          walks.answer(id, strategy + game.tree.first[game.tree.nodes[walks.state(id)].index], nullptr);
        }
      }
      walks.finish(game.table != nullptr, found[thread]);
    }
  });
  return joined(std::move(found));
}

// What all walks of a compiled game need to know, worked out once. `situation` [infosets] tells which
// information sets are one to their owner.
struct TreeWalks {
  std::shared_ptr<const Tree> tree;
  int actions;
  std::uint64_t deals;               // how many there are, or 0 where they cannot be numbered
  std::vector<std::int32_t> future;  // [nodes]
  std::size_t futures = 0;

  TreeWalks(std::shared_ptr<const Tree> compiled, int actions, const std::int32_t* situation)
      : tree(std::move(compiled)), actions(actions) {
    for (const Node& node : tree->nodes) {
      for (int k = 0; node.actor >= 0 && k < node.children; ++k) {
        if (tree->action[node.first_child + k] < 0 || tree->action[node.first_child + k] >= actions)
          throw std::invalid_argument("walks: an action has a larger number");
      }
    }
    deals = count_deals(*tree);
    future = number_futures(*tree, situation);
    for (const std::int32_t number : future) futures = std::max(futures, std::size_t(number) + 1);
  }

  // How many numbers a baseline has.
  std::size_t slots() const { return futures * (tree->players == 2 ? 1 : tree->players); }

  // `baseline` is [slots] or null, and must last as long as the game; so must these.
  TreeGame game(const double* baseline, bool stratified) const {
    if (stratified && deals == 0) throw std::invalid_argument("the deals of this game cannot be numbered");
    return {*tree, actions, baseline, future, futures, stratified ? deals : 0};
  }

  WalkRange range(std::uint64_t seed, std::uint64_t iteration, int traverser, std::uint64_t first,
                  std::uint64_t count, std::uint64_t ordinal) const {
    if (traverser < 0 || traverser >= tree->players) throw std::invalid_argument("traverser: no such player");
    return {seed, iteration, first, count, ordinal, traverser};
  }
};

}  // namespace zerosum::cfr
