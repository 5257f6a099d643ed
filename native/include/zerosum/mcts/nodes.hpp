// What a search tree is made of: nodes, and the moves of each, side by side. Moves that were tried come
// first; the likeliest of the others comes after those, so that nobody has to look at the rest.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "zerosum/games/gomoku/board.hpp"

namespace zerosum::mcts {

constexpr std::int8_t kUnknown = 2;  // where a certain value would be −1, 0 or 1

// Below the root so many certain losses of a node are tried, once each. A mean over visits is too kind to
// every move by what the other side tries in vain; a threat that leaves one reply would be the only move that
// gets nothing of it, and look worse than it is. More than a few would be a waste on a large board.
constexpr int kLossesTried = 16;

struct Node {
  std::int32_t first = 0, edges = -1;  // −1: not asked about, or certain without asking
  std::int32_t above = -1, by = -1;    // the node it was reached from, and by which of its moves
  std::int32_t visits = 0, flying = 0;
  float value = 0, sum = 0;  // what the network said; what came back from below
  std::int8_t proven = kUnknown;
  bool waiting = false, ordered = false;
  bool tries_losses = false;  // whether a certain loss may come next
  std::int32_t tried = 0;     // moves that were, the first ones

  std::int32_t last() const { return first + std::max(edges, 0); }
  // Over all visits, the network's answer among them.
  float mean() const { return (value + sum) / static_cast<float>(visits + 1); }
};

// What came of a move that was tried.
struct Tried {
  float total;
  std::int32_t visits, flying, child;
};
constexpr Tried kNotYet{0, 0, 0, -1};

// A vector that leaves what it grows by unwritten.
template <typename T>
struct Unwritten : std::allocator<T> {
  template <typename U>
  struct rebind {
    using other = Unwritten<U>;
  };
  template <typename U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Given>
  void construct(U* at, Given&&... given) {
    ::new (static_cast<void*>(at)) U(std::forward<Given>(given)...);
  }
};
template <typename T>
using Room = std::vector<T, Unwritten<T>>;

struct Nodes {
  std::vector<Node> nodes;
  // of every move of every node; `tries` only of those that were tried and of the root's
  Room<float> prior;
  Room<std::int16_t> move;
  Room<std::int8_t> solved;
  Room<Tried> tries;
  std::size_t most_nodes = 0, most_moves = 0;  // that there is room for; 0: as many as it takes

  void clear() { nodes.clear(), prior.clear(), move.clear(), solved.clear(), tries.clear(); }

  // Room for so many bytes, taken at once: what grows step by step is in two places while it moves.
  void reserve(std::size_t bytes, int cells) {
    constexpr std::size_t kMove = sizeof(float) + sizeof(std::int16_t) + sizeof(std::int8_t) + sizeof(Tried);
    constexpr std::size_t kNodes = 4;  // for as many moves as there are cells: enough late in a game, too
    constexpr std::size_t kNumbers = 0x7fffffff;  // 32 bits count moves and nodes
    const std::size_t boards = std::min(bytes / (cells * kMove + kNodes * sizeof(Node)),
                                        kNumbers / std::max<std::size_t>(cells, kNodes));
    most_nodes = kNodes * boards, most_moves = cells * boards;
    nodes.reserve(most_nodes);
    prior.reserve(most_moves), move.reserve(most_moves), solved.reserve(most_moves),
        tries.reserve(most_moves);
  }

  // Whether so many more leaves fit into the room there is.
  bool has_room(std::size_t leaves, int cells) const {
    return move.size() + leaves * cells <= most_moves && nodes.size() + leaves <= most_nodes;
  }

  // Gives a node its moves, with probabilities that add up to one over the legal ones. `only`, if there is
  // such a move, is the one that does not lose at once.
  void expand(std::int32_t node, int cells, const std::array<gomoku::Stones, 2>& stones, int only,
              const float* given) {
    Node& at = nodes[node];
    at.waiting = at.ordered = false;
    at.tried = 0;
    const std::size_t begin = move.size();
    at.first = static_cast<std::int32_t>(begin);
    move.resize(begin + cells);
    prior.resize(begin + cells);
    std::int16_t* to = &move[begin];
    float *share = &prior[begin], sum = 0;
    int count = 0;
    for (int cell = 0; cell < cells; ++cell) {
      to[count] = static_cast<std::int16_t>(cell);
      share[count] = given[cell] > 0 ? given[cell] : 0.0f;  // neither negative nor not a number
      bool empty = !stones[0].has(cell) && !stones[1].has(cell);
      sum += empty ? share[count] : 0.0f;
      count += empty;
    }
    at.edges = count;
    const bool even = !(sum > 0) || !std::isfinite(sum);
    const float scale = 1 / sum;
    for (int i = 0; i < count; ++i) share[i] = even ? 1.0f / static_cast<float>(count) : share[i] * scale;
    const std::size_t end = begin + count;
    move.resize(end);
    prior.resize(end);
    solved.resize(end, kUnknown);
    tries.resize(end);
    if (node == 0) std::fill(tries.begin() + at.first, tries.end(), kNotYet);
    for (int i = 0; only >= 0 && i < count; ++i)
      if (to[i] != only) solved[begin + i] = -1;
  }

  // Brings the likeliest move that was not tried behind those that were; certain losses that nobody is to try
  // stay behind.
  void order(std::int32_t node) {
    Node& at = nodes[node];
    std::int32_t to = at.first + at.tried, best = to;
    at.tries_losses = node != 0 && losses_tried(at) < kLossesTried;
    float highest = -2;
    for (std::int32_t edge = to; edge < at.first + at.edges; ++edge) {
      float likely = solved[edge] == -1 && !at.tries_losses ? -1.0f : prior[edge];
      if (likely > highest || (likely == highest && move[edge] < move[best])) highest = likely, best = edge;
    }
    if (at.tried < at.edges) swap_untried(best, to);
    at.ordered = true;
  }

  // A move is about to be tried, perhaps for the first time; where it is from now on.
  std::int32_t touch(std::int32_t node, std::int32_t edge) {
    Node& at = nodes[node];
    std::int32_t next = at.first + at.tried;
    if (edge < next) return edge;
    swap_untried(edge, next);
    tries[next] = kNotYet;
    ++at.tried;
    at.ordered = false;
    return next;
  }

  // Becomes the part of another tree below a node, which is the root here.
  void take(const Nodes& old, std::int32_t root) {
    clear();
    std::vector<std::int32_t> from{root};
    nodes.emplace_back();
    for (std::size_t next = 0; next < from.size(); ++next) {
      Node node = old.nodes[from[next]];
      const std::int32_t begin = node.first, end = node.last(), tried_end = begin + node.tried;
      node.above = nodes[next].above, node.by = nodes[next].by;
      node.first = static_cast<std::int32_t>(move.size());
      node.flying = 0;
      node.waiting = false;  // who was asked about it is not waited for any more
      prior.insert(prior.end(), old.prior.begin() + begin, old.prior.begin() + end);
      move.insert(move.end(), old.move.begin() + begin, old.move.begin() + end);
      solved.insert(solved.end(), old.solved.begin() + begin, old.solved.begin() + end);
      tries.insert(tries.end(), old.tries.begin() + begin, old.tries.begin() + tried_end);
      tries.resize(move.size());
      for (std::int32_t edge = node.first; edge < node.first + node.tried; ++edge) {
        Tried& tried = tries[edge];
        tried.flying = 0;
        if (tried.child < 0) continue;
        from.push_back(tried.child);
        tried.child = static_cast<std::int32_t>(nodes.size());
        nodes.emplace_back();
        nodes.back().above = static_cast<std::int32_t>(next), nodes.back().by = edge;
      }
      nodes[next] = node;
    }
    std::fill(tries.begin() + nodes[0].first + nodes[0].tried, tries.begin() + nodes[0].last(), kNotYet);
    nodes[0].ordered = false;
  }

 private:
  int losses_tried(const Node& at) const {
    const auto begin = solved.begin() + at.first;
    return static_cast<int>(std::count(begin, begin + at.tried, std::int8_t(-1)));
  }

  void swap_untried(std::int32_t a, std::int32_t b) {
    std::swap(move[a], move[b]);
    std::swap(prior[a], prior[b]);
    std::swap(solved[a], solved[b]);
  }
};

}  // namespace zerosum::mcts
