// Gomoku and every (m,n,k) game: stones on a board of up to 20 × 20 cells, so many in a row win.
//
// A board is a small value: two sets of bits and who won. Freestyle: a longer row wins as well; exact: only a
// row of just that length does.
#pragma once

#include <array>
#include <cstdint>

namespace zerosum::gomoku {

constexpr int kMostCells = 400;
constexpr int kWords = (kMostCells + 63) / 64;

struct Rules {
  int width = 15, height = 15, line = 5;
  bool exact = false;

  int cells() const { return width * height; }
};

class Stones {
 public:
  bool has(int cell) const { return words_[cell >> 6] >> (cell & 63) & 1; }
  void add(int cell) { words_[cell >> 6] |= std::uint64_t(1) << (cell & 63); }
  void remove(int cell) { words_[cell >> 6] &= ~(std::uint64_t(1) << (cell & 63)); }
  template <typename Use>
  void for_each(Use use) const {
    for (int word = 0; word < kWords; ++word)
      for (std::uint64_t left = words_[word]; left; left &= left - 1) use(64 * word + __builtin_ctzll(left));
  }
  bool operator==(const Stones& other) const { return words_ == other.words_; }
  std::uint64_t first_word() const { return words_[0]; }

 private:
  std::array<std::uint64_t, kWords> words_{};
};

struct Board {
  std::array<Stones, 2> stones;  // of the first player and of the second
  int count = 0;                 // of all stones
  int winner = -1;               // a player, or −1: nobody yet, or a draw

  int to_move() const { return count & 1; }
  bool is_empty(int cell) const { return !stones[0].has(cell) && !stones[1].has(cell); }
  bool is_over(const Rules& rules) const { return winner >= 0 || count == rules.cells(); }
};

// How many stones of one player stand in a row through a cell, in one direction and its opposite.
inline int row_through(const Rules& rules, const Stones& own, int cell, int down, int right) {
  int found = 1;
  for (int sign : {1, -1}) {
    int r = cell / rules.width + sign * down, c = cell % rules.width + sign * right;
    while (r >= 0 && r < rules.height && c >= 0 && c < rules.width && own.has(r * rules.width + c)) {
      ++found;
      r += sign * down;
      c += sign * right;
    }
  }
  return found;
}

inline bool wins_at(const Rules& rules, const Stones& own, int cell) {
  constexpr int kSteps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
  for (const auto& step : kSteps) {
    int length = row_through(rules, own, cell, step[0], step[1]);
    if (rules.exact ? length == rules.line : length >= rules.line) return true;
  }
  return false;
}

// The side to move puts a stone on an empty cell.
inline void play(const Rules& rules, Board& board, int cell) {
  int mover = board.to_move();
  board.stones[mover].add(cell);
  ++board.count;
  if (wins_at(rules, board.stones[mover], cell)) board.winner = mover;
}

// Games of just so many moves: sequences, none of which goes on after its end.
template <typename IsStopped>
std::uint64_t perft(const Rules& rules, const Board& board, int depth, IsStopped& is_stopped) {
  if (depth == 0) return 1;
  if (board.is_over(rules) || is_stopped()) return 0;
  std::uint64_t found = 0;
  for (int cell = 0; cell < rules.cells(); ++cell) {
    if (!board.is_empty(cell)) continue;
    Board next = board;
    play(rules, next, cell);
    found += perft(rules, next, depth - 1, is_stopped);
  }
  return found;
}

}  // namespace zerosum::gomoku
