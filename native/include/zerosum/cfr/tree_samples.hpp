// What walks of a compiled game found, as it is learnt from: by information sets and slots, not by nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/cfr/tree_walks.hpp"

namespace zerosum::cfr {

struct TreeSamples {
  std::vector<std::int32_t> infoset;  // the traverser's decisions
  std::vector<double> regret;         // [infoset, actions]
  std::vector<std::int32_t> others;   // the other players' decisions
  std::vector<double> strategy;       // [others, actions]
  std::vector<double> weight;         // [others]
  std::vector<std::int64_t> slot;     // of a baseline, that were sampled
  std::vector<double> value;          // [slot] to player 0; to the traverser with three players and more
  std::int64_t nodes;
};

inline TreeSamples samples_of(const TreeGame& game, int traverser, Found<std::int32_t> found) {
  for (std::int32_t& node : found.at) node = game.tree.nodes[node].index;
  for (std::int32_t& node : found.others_at) node = game.tree.nodes[node].index;
  std::vector<std::int64_t> slot(found.sampled_at.size());
  const bool flip = game.players == 2 && traverser == 1;
  for (std::size_t k = 0; k < slot.size(); ++k) {
    const std::int32_t child = game.child(found.sampled_at[k], found.sampled[k]);
    slot[k] = static_cast<std::int64_t>(game.slot(child, traverser));
    if (flip) found.value[k] = -found.value[k];
  }
  return {
      std::move(found.at),     std::move(found.regret), std::move(found.others_at), std::move(found.strategy),
      std::move(found.weight), std::move(slot),         std::move(found.value),     found.nodes};
}

}  // namespace zerosum::cfr
