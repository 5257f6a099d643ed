// A win by continuous fours: each move of the attacker threatens to win at once, so each reply is forced.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "zerosum/games/gomoku/lines.hpp"
#include "zerosum/games/gomoku/seen_keys.hpp"

namespace zerosum::gomoku {

class ForcedWin {
 public:
  // The first move of such a win for the side to move, or −1: there is none, or none within so many nodes.
  int find(Position& at, int most_nodes) {
    left_ = most_nodes;
    failed_.clear();
    int move = attack(at);
    searched_ += most_nodes - left_;
    return move;
  }

  // Of the last win that was found, from its end: the cells of the last threats, and before them the
  // defender's and the attacker's moves in turn.
  const std::vector<int>& line() const { return line_; }

  std::uint64_t nodes() const { return searched_; }

 private:
  static constexpr int kMostMoves = 64;  // that are tried in one position

  int attack(Position& at) {
    int attacker = at.to_move(), defender = 1 - attacker, cells[2];
    if (at.winning_cells(attacker, cells, 1) > 0) {
      line_ = {cells[0]};
      return cells[0];
    }
    int threats = at.winning_cells(defender, cells, 2);
    if (threats > 1 || left_ <= 0) return -1;
    --left_;
    int must = threats == 1 ? cells[0] : -1;
    if (failed_.has(at.key())) return -1;
    std::array<std::int16_t, kMostMoves> moves;
    int count = 0;
    at.for_each_line(attacker, at.rules().line - 2, [&](int line) {
      for (int i = 0; i < at.rules().line && count < kMostMoves; ++i) {
        const std::int16_t cell = at.lines().cells[line][i];
        const bool wanted = must < 0 || cell == must;
        if (wanted && at.is_empty(cell) && std::find(&moves[0], &moves[count], cell) == &moves[count])
          moves[count++] = cell;
      }
      return count < kMostMoves;
    });
    for (int k = 0; k < count; ++k) {
      const int move = moves[k];
      at.play(move);
      bool wins = forces(at, attacker);
      at.undo(move);
      if (wins) {
        line_.push_back(move);
        return move;
      }
    }
    failed_.add(at.key());
    return -1;
  }

  // The attacker has just moved: whether the defender, who has to answer, is lost.
  bool forces(Position& at, int attacker) {
    int cells[2], own = at.winning_cells(attacker, cells, 2);
    int reply = cells[0], theirs[1];
    if (own == 0 || at.is_over() || at.winning_cells(1 - attacker, theirs, 1) > 0) return false;
    if (own > 1) {
      line_ = {cells[0], cells[1]};
      return true;
    }
    at.play(reply);
    bool wins = !at.is_over() && attack(at) >= 0;
    at.undo(reply);
    if (wins) line_.push_back(reply);
    return wins;
  }

  int left_ = 0;
  std::uint64_t searched_ = 0;
  std::vector<int> line_;
  SeenKeys failed_;  // positions that were tried already
};

}  // namespace zerosum::gomoku
