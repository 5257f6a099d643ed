// Plain Monte Carlo tree search (Kocsis & Szepesvári 2006, UCT): no network, random games to the end.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zerosum/games/gomoku/lines.hpp"
#include "zerosum/stop_flag.hpp"

namespace zerosum::gomoku {

class Rollouts {
 public:
  // The most visited move after so many simulations, or fewer if time is up or the tree takes so many bytes
  // (`seconds` ≤ 0, `most_bytes` = 0: no limit).
  int find(const Position& from, int simulations, double seconds, std::size_t most_bytes, CounterRng luck,
           const StopFlag& stop) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t cells = from.rules().cells();
    const std::size_t most = most_bytes > 0 ? std::min(most_bytes / sizeof(Node), kMostNodes) : kMostNodes;
    nodes_.clear();
    if (most_bytes > 0)  // taken at once: what grows step by step is in two places while it moves
      nodes_.reserve(std::min(most, (std::size_t(simulations) + 1) * cells + 1));
    nodes_.emplace_back();
    open(0, from);
    for (int i = 0; i < simulations && nodes_.size() + cells <= most; ++i) {
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      if (i % 16 == 15 && (stop.is_raised() || (seconds > 0 && taken.count() >= seconds))) break;
      simulate(from, luck);
    }
    int best = nodes_[0].first;
    for (int child = nodes_[0].first; child < nodes_[0].last; ++child)
      if (nodes_[child].visits > nodes_[best].visits) best = child;
    return nodes_[best].cell;
  }

 private:
  struct Node {
    int first = 0, last = 0;  // children
    int cell = -1, visits = 0;
    float points = 0;  // of the one who moved here
  };
  static constexpr float kExplore = 0.7f;
  static constexpr std::size_t kMostNodes = 0x7fffffff;  // an int counts them

  void open(int node, const Position& at) {
    nodes_[node].first = static_cast<int>(nodes_.size());
    for (int cell = 0; cell < at.rules().cells(); ++cell)
      if (at.is_empty(cell)) {
        nodes_.emplace_back();
        nodes_.back().cell = cell;
      }
    nodes_[node].last = static_cast<int>(nodes_.size());
  }

  void simulate(const Position& from, CounterRng& luck) {
    Position at = from;
    path_.assign(1, 0);
    int node = 0;
    while (nodes_[node].last > nodes_[node].first && !at.is_over()) {
      node = best_child(node, luck);
      at.play(nodes_[node].cell);
      path_.push_back(node);
    }
    if (nodes_[node].visits > 0 && nodes_[node].last == 0 && !at.is_over()) open(node, at);
    const int winner = played_out(at, luck);
    int mover = 1 - from.to_move();  // who moved to the root
    for (int step : path_) {
      ++nodes_[step].visits;
      nodes_[step].points += winner < 0 ? 0.5f : winner == mover ? 1.0f : 0.0f;
      mover = 1 - mover;
    }
  }

  int best_child(int node, CounterRng& luck) const {
    const Node& at = nodes_[node];
    const float log_visits = std::log(static_cast<float>(std::max(at.visits, 1)));
    const int count = at.last - at.first, shift = static_cast<int>(luck.bits() % count);
    int best = -1;
    float highest = -1;
    for (int i = 0; i < count; ++i) {
      const int child = at.first + (i + shift) % count;
      if (nodes_[child].visits == 0) return child;
      const auto n = static_cast<float>(nodes_[child].visits);
      const float score = nodes_[child].points / n + kExplore * std::sqrt(log_visits / n);
      if (score > highest) highest = score, best = child;
    }
    return best;
  }

  // Random moves to the end; who wins, or −1.
  int played_out(Position& at, CounterRng& luck) {
    empty_.clear();
    for (int cell = 0; cell < at.rules().cells(); ++cell)
      if (at.is_empty(cell)) empty_.push_back(cell);
    while (!at.is_over()) {
      const std::size_t i = luck.bits() % empty_.size();
      at.play(empty_[i]);
      empty_[i] = empty_.back();
      empty_.pop_back();
    }
    return at.board().winner;
  }

  std::vector<Node> nodes_;
  std::vector<int> path_, empty_;
};

}  // namespace zerosum::gomoku
