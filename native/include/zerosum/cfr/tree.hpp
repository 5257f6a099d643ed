// A game tree as flat arrays, and the checks that make it fit for regret minimisation: chance adds up to one,
// payoffs add up to zero, and every player remembers what it saw and did (perfect recall).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace zerosum::cfr {

inline constexpr int kChance = -1;
inline constexpr int kTerminal = -2;
inline constexpr int kDeepest = 10'000;  // moves in a game: walks are recursive

// Children of a node are contiguous and come after it. `index` is the information set of a decision node, the
// row of `returns` of a terminal one, and at a chance node 1 where all outcomes are equally likely, else 0.
struct Node {
  std::int32_t actor;
  std::int32_t index;
  std::int32_t first_child;
  std::int32_t children;
};

// Information sets are numbered player by player, parents before children. A sequence is one action of one
// information set: information set I owns the sequences first[I] .. first[I+1] - 1. Player p's empty sequence
// is number sequences() + p, so that one array of reaches holds everything.
struct Tree {
  int players = 0;
  std::vector<Node> nodes;
  std::vector<std::int32_t> action;      // [nodes] the label of the edge that leads to the node
  std::vector<double> probability;       // [nodes] of the edge into a chance node's child, else 1
  std::vector<double> returns;           // [terminals, players]
  std::vector<std::int32_t> owner;       // [infosets]
  std::vector<std::int32_t> first;       // [infosets + 1]
  std::vector<std::int32_t> parent;      // [infosets] the owner's last sequence before it
  std::vector<std::int32_t> owned_from;  // [players + 1] the range of information sets of each player

  // A player's information sets in an order for passes from the root down: no parent after its child, and
  // runs with the same number of actions, so that the inner loops have a fixed length.
  struct Run {
    int actions;
    int from, to;  // in `order`
  };
  std::vector<std::int32_t> order;     // [infosets] player by player
  std::vector<std::vector<Run>> runs;  // [players]

  int infosets() const { return static_cast<int>(owner.size()); }
  int sequences() const { return first.back(); }
  int reaches() const { return sequences() + players; }
  int empty_sequence(int player) const { return sequences() + player; }
  int actions(int infoset) const { return first[infoset + 1] - first[infoset]; }
};

// What is wrong with a tree: a kind, and the node where it was noticed.
struct Fault {
  enum class Kind { kNone, kChance, kSum, kRecall, kDepth } kind = Kind::kNone;
  int node = 0;
  double got = 0.0;
};

// Calls visit(node, last, reach) for each node, parents first; last[p] is player p's last sequence, reach the
// product of chance probabilities.
template <typename Visit>
void for_each_node(const Tree& tree, Visit visit) {
  struct Frame {
    int node;
    double reach;
  };
  const int players = tree.players;
  std::vector<Frame> stack{{0, 1.0}};
  std::vector<std::int32_t> lasts;  // players entries a frame, parallel to the stack
  for (int p = 0; p < players; ++p) lasts.push_back(tree.empty_sequence(p));
  std::vector<std::int32_t> last(players);
  while (!stack.empty()) {
    const Frame frame = stack.back();
    stack.pop_back();
    last.assign(lasts.end() - players, lasts.end());
    lasts.resize(lasts.size() - players);
    const Node& node = tree.nodes[frame.node];
    visit(frame.node, last.data(), frame.reach);
    for (int k = node.children - 1; k >= 0; --k) {
      const int child = node.first_child + k;
      stack.push_back({child, frame.reach * tree.probability[child]});
      lasts.insert(lasts.end(), last.begin(), last.end());
      if (node.actor >= 0) *(lasts.end() - players + node.actor) = tree.first[node.index] + k;
    }
  }
}

// Fills in `order` and `runs`: by the number of the player's own moves before, then by the number of actions.
inline void arrange(Tree& tree) {
  std::vector<std::int32_t> set_of(tree.reaches(), -1), depth(tree.infosets(), 0);
  for (int i = 0; i < tree.infosets(); ++i) {
    for (int s = tree.first[i]; s < tree.first[i + 1]; ++s) set_of[s] = i;
    if (set_of[tree.parent[i]] >= 0) depth[i] = depth[set_of[tree.parent[i]]] + 1;
  }
  tree.order.resize(tree.infosets());
  std::iota(tree.order.begin(), tree.order.end(), 0);
  tree.runs.assign(tree.players, {});
  for (int p = 0; p < tree.players; ++p) {
    const auto rank = [&](int i) { return std::make_pair(depth[i], tree.actions(i)); };
    std::stable_sort(tree.order.begin() + tree.owned_from[p], tree.order.begin() + tree.owned_from[p + 1],
                     [&](int a, int b) { return rank(a) < rank(b); });
    for (int k = tree.owned_from[p]; k < tree.owned_from[p + 1]; ++k) {
      const bool is_new = k == tree.owned_from[p] || rank(tree.order[k]) != rank(tree.order[k - 1]);
      if (is_new) tree.runs[p].push_back({tree.actions(tree.order[k]), k, k});
      tree.runs[p].back().to = k + 1;
    }
  }
}

// Calls body(size) with `size` as a compile-time constant where it is small, so that loops over it unroll.
template <typename Body>
inline void with_fixed(int size, Body body) {
  switch (size) {
    case 1:
      return body(std::integral_constant<int, 1>{});
    case 2:
      return body(std::integral_constant<int, 2>{});
    case 3:
      return body(std::integral_constant<int, 3>{});
    case 4:
      return body(std::integral_constant<int, 4>{});
    case 5:
      return body(std::integral_constant<int, 5>{});
    case 6:
      return body(std::integral_constant<int, 6>{});
    case 7:
      return body(std::integral_constant<int, 7>{});
    case 8:
      return body(std::integral_constant<int, 8>{});
    default:
      return body(size);
  }
}

// Fills in `parent` and reports the first fault found.
inline Fault check(Tree& tree) {
  Fault fault;
  tree.parent.assign(tree.infosets(), -1);
  std::vector<std::int32_t> depth(tree.nodes.size(), 0);
  for (int n = 0; n < static_cast<int>(tree.nodes.size()); ++n) {
    if (depth[n] > kDeepest) return {Fault::Kind::kDepth, n, static_cast<double>(depth[n])};
    for (int k = 0; k < tree.nodes[n].children; ++k) depth[tree.nodes[n].first_child + k] = depth[n] + 1;
  }
  for_each_node(tree, [&](int id, const std::int32_t* last, double) {
    if (fault.kind != Fault::Kind::kNone) return;
    const Node& node = tree.nodes[id];
    if (node.actor == kTerminal) {
      double sum = 0.0, size = 0.0;
      for (int p = 0; p < tree.players; ++p) {
        const double payoff = tree.returns[std::size_t(node.index) * tree.players + p];
        sum += payoff;
        size += std::abs(payoff);
      }
      if (!std::isfinite(size) || std::abs(sum) > 1e-9 * size) fault = {Fault::Kind::kSum, id, sum};
    } else if (node.actor == kChance) {
      double sum = 0.0;
      bool negative = false, uniform = true;
      const double* probability = tree.probability.data() + node.first_child;
      for (int k = 0; k < node.children; ++k) {
        sum += probability[k];
        negative |= !(probability[k] >= 0.0);
        uniform &= probability[k] == probability[0];
      }
      tree.nodes[id].index = uniform ? 1 : 0;
      if (negative || !(std::abs(sum - 1.0) <= 1e-9)) fault = {Fault::Kind::kChance, id, sum};
    } else if (tree.parent[node.index] < 0) {
      tree.parent[node.index] = last[node.actor];
    } else if (tree.parent[node.index] != last[node.actor]) {
      fault = {Fault::Kind::kRecall, id, 0.0};
    }
  });
  return fault;
}

// Fills in what follows from the nodes and the owners of information sets, unless the tree has a fault.
inline Fault complete(Tree& tree) {
  tree.owned_from.assign(tree.players + 1, 0);
  for (std::int32_t p : tree.owner) ++tree.owned_from[p + 1];
  for (int p = 0; p < tree.players; ++p) tree.owned_from[p + 1] += tree.owned_from[p];
  const Fault fault = check(tree);
  if (fault.kind == Fault::Kind::kNone) arrange(tree);
  return fault;
}

}  // namespace zerosum::cfr
