// A classical player: alpha-beta over the moves that look best, deeper and deeper until depth or time is up.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "zerosum/games/gomoku/patterns.hpp"
#include "zerosum/stop_flag.hpp"

namespace zerosum::gomoku {

class AlphaBeta {
 public:
  // The move for the side to move; `seconds` ≤ 0: no limit of time. A depth that was not finished is not
  // heeded, but for the first.
  int find(Position& at, int depth, double seconds, CounterRng luck, const StopFlag& stop) {
    using Clock = std::chrono::steady_clock;
    const auto end =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    late_ = [this, seconds, end, &stop] {
      return (nodes_ & 255) == 0 && (stop.is_raised() || (seconds > 0 && Clock::now() >= end));
    };
    luck_ = luck;
    stopped_ = false;
    std::vector<Looks> moves = by_pattern(at, luck_);
    moves.resize(std::min<std::size_t>(moves.size(), kRootWidth));
    int best = moves.front().cell;
    for (int deep = 1; deep <= depth && !stopped_ && moves.front().score < kStops; ++deep) {
      int alpha = -kEnd, found = best;
      for (Looks& move : moves) {
        at.play(move.cell);
        const int value = -search(at, deep - 1, -kEnd, -alpha, 1);
        at.undo(move.cell);
        if (stopped_ && deep > 1) break;
        move.score = value;
        if (value > alpha) alpha = value, found = move.cell;
      }
      if (!stopped_ || deep == 1) best = found;
      std::stable_sort(moves.begin(), moves.end(), [](Looks a, Looks b) { return a.score > b.score; });
      if (alpha >= kEnd - 400) break;  // won
      for (Looks& move : moves) move.score = std::min(move.score, kStops - 1);
    }
    return best;
  }

  std::uint64_t nodes() const { return nodes_; }

 private:
  static constexpr int kRootWidth = 24, kWidth = 12;
  static constexpr int kEnd = 100'000'000;

  int search(Position& at, int depth, int alpha, int beta, int ply) {
    ++nodes_;
    if (stopped_ || late_()) {
      stopped_ = true;
      return 0;
    }
    if (at.is_over()) return at.board().winner >= 0 ? -(kEnd - ply) : 0;
    int cells[2];
    if (at.winning_cells(at.to_move(), cells, 1) > 0) return kEnd - ply - 1;
    const int threats = at.winning_cells(1 - at.to_move(), cells, 2);
    if (threats > 1) return -(kEnd - ply - 2);
    if (threats == 1) {
      at.play(cells[0]);
      const int value = -search(at, std::max(depth - 1, 0), -beta, -alpha, ply + 1);
      at.undo(cells[0]);
      return value;
    }
    if (depth <= 0) return pattern_value(at);
    std::vector<Looks> moves = by_pattern(at, luck_);
    moves.resize(std::min<std::size_t>(moves.size(), kWidth));
    for (const Looks& move : moves) {
      at.play(move.cell);
      alpha = std::max(alpha, -search(at, depth - 1, -beta, -alpha, ply + 1));
      at.undo(move.cell);
      if (alpha >= beta || stopped_) break;
    }
    return alpha;
  }

  std::uint64_t nodes_ = 0;
  bool stopped_ = false;
  CounterRng luck_{0, 0, 0};
  std::function<bool()> late_;
};

}  // namespace zerosum::gomoku
