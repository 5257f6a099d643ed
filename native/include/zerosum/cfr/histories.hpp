// Counterfactual regrets history by history, in the order of a plain recursion over the game (Zinkevich et
// al. 2007, as most programs write it). Where the dynamics amplify the last digit of a sum, only the same
// additions in the same order give the same answer as such a program; the sequence form is faster and sums
// otherwise.
#pragma once

#include <cstdint>
#include <vector>

#include "zerosum/cfr/tree.hpp"

namespace zerosum::cfr {

class Histories {
 public:
  explicit Histories(const Tree& tree)
      : chance_(tree.nodes.size()), others_(tree.nodes.size(), 1.0), value_(tree.nodes.size()) {
    decisions_.resize(tree.players);
    for_each_node(tree, [&](int id, const std::int32_t*, double reach) {
      chance_[id] = reach;
      if (tree.nodes[id].actor >= 0) decisions_[tree.nodes[id].actor].push_back(id);
    });
  }

  // Adds the regrets of `player` under `strategy` [sequences] to `regret` [sequences].
  void add_regrets(const Tree& tree, int player, const double* strategy, double* regret) {
    reaches(tree, player, strategy);
    values(tree, player, strategy);
    for (const int id : decisions_[player]) {
      const Node& node = tree.nodes[id];
      const double reach = others_[id] * chance_[id];
      double* at = regret + tree.first[node.index];
      for (int a = 0; a < node.children; ++a) at[a] += reach * (value_[node.first_child + a] - value_[id]);
    }
  }

 private:
  // How likely the players other than `player` are to go to each node.
  void reaches(const Tree& tree, int player, const double* strategy) {
    for (int id = 0; id < static_cast<int>(tree.nodes.size()); ++id) {
      const Node& node = tree.nodes[id];
      double* below = others_.data() + node.first_child;
      const bool other = node.actor >= 0 && node.actor != player;
      const double* chosen = other ? strategy + tree.first[node.index] : nullptr;
      for (int a = 0; a < node.children; ++a) below[a] = other ? others_[id] * chosen[a] : others_[id];
    }
  }

  // What each node is worth to `player`.
  void values(const Tree& tree, int player, const double* strategy) {
    for (int id = static_cast<int>(tree.nodes.size()) - 1; id >= 0; --id) {
      const Node& node = tree.nodes[id];
      if (node.actor == kTerminal) {
        value_[id] = tree.returns[std::size_t(node.index) * tree.players + player];
        continue;
      }
      const double* likely = node.actor == kChance ? tree.probability.data() + node.first_child
                                                   : strategy + tree.first[node.index];
      double sum = 0.0;
      for (int a = 0; a < node.children; ++a) sum += likely[a] * value_[node.first_child + a];
      value_[id] = sum;
    }
  }

  std::vector<double> chance_, others_, value_;  // [nodes]
  std::vector<std::vector<std::int32_t>>
      decisions_;  // [players] nodes where the player acts, as a recursion meets them
};

}  // namespace zerosum::cfr
