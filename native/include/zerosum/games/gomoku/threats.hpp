// A win by threats: each move of the attacker makes a four, or threatens a win by continuous fours if it is
// not answered (Allis, van den Herik and Huntjens 1996, "Go-Moku solved by new search techniques", search
// both).
//
// What it finds is a win against every defence: a reply is left out only where the fours that were threatened
// are played through with it on the board, and still win. What it does not find may still be there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/games/gomoku/forced.hpp"
#include "zerosum/games/gomoku/lines.hpp"
#include "zerosum/games/gomoku/seen_keys.hpp"

namespace zerosum::gomoku {

class ThreatWin {
 public:
  // The first move of such a win for the side to move, or −1: there is none, or none within so many nodes.
  int find(Position& at, int most_nodes) {
    left_ = most_nodes;
    failed_.clear();
    const int move = attack(at, kDepth);
    searched_ += most_nodes - left_;
    return move;
  }

  std::uint64_t nodes() const { return searched_ + fours_.nodes(); }

 private:
  static constexpr int kDepth = 4;         // threats that are not fours, one after another
  static constexpr int kFours = 60;        // nodes of each search for continuous fours
  static constexpr std::size_t kTry = 12;  // moves that are tried

  int attack(Position& at, int depth) {
    const int attacker = at.to_move(), defender = 1 - attacker;
    int cells[2];
    if (at.winning_cells(attacker, cells, 1) > 0) return cells[0];
    const int threats = at.winning_cells(defender, cells, 2);
    if (threats > 1 || left_ <= 0) return -1;
    --left_;
    const int must = threats == 1 ? cells[0] : -1;
    const int fours = fours_.find(at, kFours);
    if (fours >= 0 || depth == 0) return fours;
    const std::uint64_t key = at.key() ^ static_cast<std::uint64_t>(depth) * 0x9fb21c651e98df25ULL;
    if (failed_.has(key)) return -1;
    for (int move : must < 0 ? promising(at, attacker) : std::vector<int>{must}) {
      at.play(move);
      const bool wins = !at.is_over() && forces(at, attacker, depth);
      at.undo(move);
      if (wins) return move;
    }
    failed_.add(key);
    return -1;
  }

  // The attacker has just moved: whether the defender is lost, whatever the reply.
  bool forces(Position& at, int attacker, int depth) {
    int cells[2], theirs[1];
    if (at.winning_cells(1 - attacker, theirs, 1) > 0) return false;
    const int own = at.winning_cells(attacker, cells, 2);
    if (own > 1) return true;
    if (own == 1) return loses_by(at, cells[0], depth);
    at.pass();
    const bool threat = fours_.find(at, kFours) >= 0;
    at.take_pass_back();
    if (!threat) return false;
    const std::vector<int> line = fours_.line();
    for (int cell : line)
      if (!loses_by(at, cell, depth - 1)) return false;
    for (int cell : interfering(at, line, attacker)) {
      at.play(cell);
      const bool still = !at.is_over() && still_wins(at, attacker, line, static_cast<int>(line.size()) - 1);
      at.undo(cell);
      if (!still && !loses_by(at, cell, depth - 1)) return false;
    }
    return true;
  }

  // Whether this reply loses.
  bool loses_by(Position& at, int reply, int depth) {
    at.play(reply);
    const bool loses = !at.is_over() && attack(at, depth) >= 0;
    at.undo(reply);
    return loses;
  }

  // Cells beside those of the line where a stone of the defender's, together with forced ones, could come to
  // a four.
  static std::vector<int> interfering(const Position& at, const std::vector<int>& line, int attacker) {
    const Lines& lines = at.lines();
    const int long_enough = at.rules().line - 2;
    std::array<std::uint8_t, kMostLines> forced{};  // of each line: cells that a forced stone may come to
    for (int cell : line)
      for (int through : lines.through[cell]) ++forced[through];
    Stones seen;
    for (int cell : line) seen.add(cell);
    std::vector<int> found;
    for (int k = 0; k < lines.count(); ++k) {
      if (at.stones_in(k, attacker) > 0 || at.stones_in(k, 1 - attacker) + forced[k] < long_enough) continue;
      for (int i = 0; i < at.rules().line; ++i) {
        const int cell = lines.cells[k][i];
        if (seen.has(cell) || !at.is_empty(cell)) continue;
        seen.add(cell);
        found.push_back(cell);
      }
    }
    return found;
  }

  // Plays the attacker's fours on, from line[i] down.
  static bool still_wins(Position& at, int attacker, const std::vector<int>& line, int i) {
    if (i < 0 || !at.is_empty(line[i])) return false;
    int cells[2];
    const int threats = at.winning_cells(1 - attacker, cells, 2), stop = cells[0];
    at.play(line[i]);
    bool wins = at.board().winner == attacker;
    if (!wins && !at.is_over() && (threats == 0 || (threats == 1 && stop == line[i]))) {
      const int own = at.winning_cells(1 - attacker, cells, 1) > 0 ? 0 : at.winning_cells(attacker, cells, 2);
      const int reply = cells[0];
      wins = own > 1;
      if (own == 1) {
        at.play(reply);
        wins = !at.is_over() && still_wins(at, attacker, line, i - 2);
        at.undo(reply);
      }
    }
    at.undo(line[i]);
    return wins;
  }

  // Cells that would make a four or three stones of an open line, those of most lines first.
  static std::vector<int> promising(const Position& at, int attacker) {
    std::array<std::int16_t, kMostCells> weight{};
    const auto add = [&](int stones, int much) {
      at.for_each_line(attacker, stones, [&](int line) {
        for (int i = 0; i < at.rules().line; ++i) weight[at.lines().cells[line][i]] += much;
        return true;
      });
    };
    add(at.rules().line - 3, 1);
    add(at.rules().line - 2, 3);
    std::vector<int> found;
    for (int cell = 0; cell < at.rules().cells(); ++cell)
      if (weight[cell] > 0 && at.is_empty(cell)) found.push_back(cell);
    std::stable_sort(found.begin(), found.end(), [&](int a, int b) { return weight[a] > weight[b]; });
    if (found.size() > kTry) found.resize(kTry);
    return found;
  }

  int left_ = 0;
  std::uint64_t searched_ = 0;
  ForcedWin fours_;
  SeenKeys failed_;  // positions that were tried already, at some depth
};

}  // namespace zerosum::gomoku
