// What a move looks like without thinking ahead: the lines through a cell that one side can still fill, each
// worth more the more stones it has.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/games/gomoku/lines.hpp"

namespace zerosum::gomoku {

// A line with so many stones of one side and none of the other's.
constexpr std::array<int, 7> kWorth{0, 1, 8, 50, 300, 1800, 10000};
constexpr int kBlockShare = 3;  // stopping a line is worth three quarters of adding to one ...
constexpr int kBlockWhole = 4;
constexpr int kWins = 1'000'000,
              kStops = 100'000;  // ... but a win, and then the stop of one, goes before all else

// How good a cell looks to the side to move.
inline int pattern_score(const Position& at, int cell) {
  const int mover = at.to_move(), last = at.rules().line - 1;
  int score = 0;
  for (int line : at.lines().through[cell]) {
    const int own = at.stones_in(line, mover), other = at.stones_in(line, 1 - mover);
    if (other == 0 && at.may_fill(line, mover)) score += own == last ? kWins : kWorth[own + 1] - kWorth[own];
    if (own == 0 && at.may_fill(line, 1 - mover))
      score += other == last ? kStops : (kWorth[other + 1] - kWorth[other]) * kBlockShare / kBlockWhole;
  }
  return score;
}

// How the whole board looks to the side to move.
inline int pattern_value(const Position& at) {
  const int mover = at.to_move();
  int value = 0;
  for (int line = 0; line < at.lines().count(); ++line) {
    const int own = at.stones_in(line, mover), other = at.stones_in(line, 1 - mover);
    if (other == 0 && at.may_fill(line, mover)) value += kWorth[own];
    if (own == 0 && at.may_fill(line, 1 - mover)) value -= kWorth[other];
  }
  return value;
}

struct Looks {
  int score, cell;
};

// All empty cells with their scores; of equal ones chance decides which comes first.
inline std::vector<Looks> by_pattern(const Position& at, CounterRng& luck) {
  std::vector<Looks> found;
  for (int cell = 0; cell < at.rules().cells(); ++cell)
    if (at.is_empty(cell)) found.push_back({pattern_score(at, cell), cell});
  for (std::size_t i = found.size(); i > 1; --i) std::swap(found[i - 1], found[luck.bits() % i]);
  std::stable_sort(found.begin(), found.end(), [](Looks a, Looks b) { return a.score > b.score; });
  return found;
}

}  // namespace zerosum::gomoku
