// What a search tree is made of: nodes, and the moves of each, side by side. Moves that were tried come
// first; the likeliest of the others comes after those, so that nobody has to look at the rest.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "zerosum/games/gomoku/board.hpp"

namespace zerosum::mcts {

constexpr std::int8_t kUnknown = 2;  // where a certain value would be −1, 0 or 1

struct Node {
  std::int32_t first = 0, edges = -1;  // −1: not asked about, or certain without asking
  std::int32_t visits = 0, flying = 0;
  float value = 0, sum = 0;  // what the network said; what came back from below
  std::int8_t proven = kUnknown;
  bool waiting = false, ordered = false;
  std::int32_t tried = 0;  // moves that were, the first ones

  std::int32_t last() const { return first + std::max(edges, 0); }
  // Over all visits, the network's answer among them.
  float mean() const { return (value + sum) / static_cast<float>(visits + 1); }
};

struct Nodes {
  std::vector<Node> nodes;
  // of every move of every node
  std::vector<float> prior, total;
  std::vector<std::int32_t> visits, flying, child;
  std::vector<std::int16_t> move;
  std::vector<std::int8_t> solved;

  void clear() {
    nodes.clear(), prior.clear(), total.clear(), visits.clear();
    flying.clear(), child.clear(), move.clear(), solved.clear();
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
    total.resize(end, 0);
    visits.resize(end, 0);
    flying.resize(end, 0);
    child.resize(end, -1);
    solved.resize(end, kUnknown);
    for (int i = 0; only >= 0 && i < count; ++i)
      if (to[i] != only) solved[begin + i] = -1;
  }

  // Brings the likeliest move that was not tried behind those that were; certain losses stay behind.
  void order(std::int32_t node) {
    Node& at = nodes[node];
    std::int32_t to = at.first + at.tried, best = to;
    float highest = -2;
    for (std::int32_t edge = to; edge < at.first + at.edges; ++edge) {
      float likely = solved[edge] == -1 ? -1.0f : prior[edge];
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
    ++at.tried;
    at.ordered = false;
    return next;
  }

  // Becomes the part of another tree below a node, which is the root here.
  void take(const Nodes& old, std::int32_t root) {
    clear();
    std::vector<std::int32_t> from{root};
    for (std::size_t next = 0; next < from.size(); ++next) {
      Node node = old.nodes[from[next]];
      std::int32_t begin = node.first, end = node.last();
      node.first = static_cast<std::int32_t>(move.size());
      auto copy = [&](auto& to, const auto& of) {
        to.insert(to.end(), of.begin() + begin, of.begin() + end);
      };
      copy(prior, old.prior), copy(total, old.total), copy(visits, old.visits);
      copy(move, old.move), copy(solved, old.solved), copy(child, old.child);
      flying.resize(move.size(), 0);
      node.flying = 0;
      node.waiting = false;  // who was asked about it is not waited for any more
      for (std::int32_t edge = node.first; edge < node.first + node.tried; ++edge) {
        std::int32_t below = child[edge];
        if (below < 0) continue;
        child[edge] = static_cast<std::int32_t>(from.size());
        from.push_back(below);
      }
      nodes.push_back(node);
    }
  }

 private:
  void swap_untried(std::int32_t a, std::int32_t b) {
    std::swap(move[a], move[b]);
    std::swap(prior[a], prior[b]);
    std::swap(solved[a], solved[b]);
  }
};

}  // namespace zerosum::mcts
