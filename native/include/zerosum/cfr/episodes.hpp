// Whole games of a compiled tree, played from tables, as fictitious self-play needs them (Heinrich & Silver
// 2016): before each game every player decides whether to play its best response or its average strategy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "zerosum/cfr/tree_walks.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cfr {

struct Episodes {
  // One entry a decision, in the order of play.
  std::vector<std::int32_t> game, infoset, column;
  std::vector<std::uint8_t> is_best;
  std::vector<double> returns;  // [games, players]
  std::int64_t nodes = 0;
};

inline Episodes play_episodes(const TreeGame& game, const double* best, const double* average,
                              double anticipation, std::uint64_t seed, std::uint64_t iteration, int games) {
  Episodes played;
  std::vector<bool> is_best(static_cast<std::size_t>(game.players));
  for (int g = 0; g < games; ++g) {
    CounterRng rng(seed, iteration, 0, static_cast<std::uint64_t>(g));
    for (int p = 0; p < game.players; ++p) is_best[p] = rng.uniform() < anticipation;
    std::uint64_t no_deal = 0;
    std::int32_t state = game.root(0);
    for (++played.nodes; game.actor(state) != TreeGame::kTerminal; ++played.nodes) {
      const int actor = game.actor(state);
      int k;
      if (actor == TreeGame::kChance) {
        k = game.sample(state, rng.uniform(), no_deal);
      } else {
        const int infoset = game.tree.nodes[state].index;
        const double* strategy = (is_best[actor] ? best : average) + game.tree.first[infoset];
        k = Traversals<TreeGame>::pick(strategy, game.children(state), rng.uniform());
        played.game.push_back(g);
        played.infoset.push_back(infoset);
        played.column.push_back(game.column(state, k));
        played.is_best.push_back(is_best[actor] ? 1 : 0);
      }
      state = game.child(state, k);
    }
    for (int p = 0; p < game.players; ++p) played.returns.push_back(game.payoff(state, p));
  }
  return played;
}

}  // namespace zerosum::cfr
