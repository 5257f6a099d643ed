// Gomoku for searches: every line that could win, how many stones of each side stand in it, and moves that
// can be taken back. What wins at once, and what must be stopped, is read off without looking at the board.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "zerosum/games/gomoku/board.hpp"
#include "zerosum/random.hpp"

namespace zerosum::gomoku {

constexpr int kMostLines = 4 * kMostCells;
constexpr int kMostThrough = 4 * 6;

// The lines that a cell is in.
struct Through {
  std::array<std::int16_t, kMostThrough> line;
  int count = 0;

  const std::int16_t* begin() const { return line.data(); }
  const std::int16_t* end() const { return line.data() + count; }
};

// Three numbers in one word, so that one addition changes them all.
constexpr int kCountBits = 21;
constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;

// What a board's size and rules determine.
struct Lines {
  explicit Lines(const Rules& given) : rules(given) {
    list_lines();
    list_symmetries();
    for (int held = 0; held < 256; ++held) {
      const int first = held & 15, second = held >> 4, four = rules.line - 1;
      const bool dead = first != 0 && second != 0;
      counts[held] = (held == four ? 1 : 0) | std::uint64_t{held == four << 4} << kCountBits |
                     std::uint64_t{dead} << 2 * kCountBits;
    }
    CounterRng rng(0, 0, 1);
    for (auto& side : zobrist)
      for (int cell = 0; cell < rules.cells(); ++cell) side.push_back(rng.bits());
  }

  int count() const { return static_cast<int>(cells.size()); }

  Rules rules;
  std::vector<std::array<std::int16_t, 6>> cells;     // of each line
  std::vector<std::array<std::int16_t, 2>> beyond;    // of each line: the cells at its ends, or −1
  std::vector<Through> through;                       // of each cell
  std::vector<std::vector<std::int16_t>> symmetries;  // where each cell goes; the first changes nothing
  std::array<std::vector<std::uint64_t>, 2> zobrist;
  // What a line that holds so many stones adds to three counts: the first player's fours, the second's, and
  // lines that nobody can fill any more.
  std::array<std::uint64_t, 256> counts;

 private:
  void list_lines() {
    constexpr int kSteps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    auto at = [&](int r, int c) {
      bool inside = r >= 0 && r < rules.height && c >= 0 && c < rules.width;
      return static_cast<std::int16_t>(inside ? r * rules.width + c : -1);
    };
    through.resize(rules.cells());
    for (const auto& step : kSteps)
      for (int cell = 0; cell < rules.cells(); ++cell) {
        int r = cell / rules.width, c = cell % rules.width, last = rules.line - 1;
        if (at(r + last * step[0], c + last * step[1]) < 0) continue;
        std::array<std::int16_t, 6> line{};
        for (int i = 0; i < rules.line; ++i) {
          line[i] = at(r + i * step[0], c + i * step[1]);
          Through& its = through[line[i]];
          its.line[its.count++] = static_cast<std::int16_t>(cells.size());
        }
        cells.push_back(line);
        beyond.push_back(
            {at(r - step[0], c - step[1]), at(r + rules.line * step[0], c + rules.line * step[1])});
      }
  }

  void list_symmetries() {
    for (int flips = 0; flips < (rules.width == rules.height ? 8 : 4); ++flips) {
      std::vector<std::int16_t> to(rules.cells());
      for (int cell = 0; cell < rules.cells(); ++cell) {
        int r = cell / rules.width, c = cell % rules.width;
        if (flips & 1) r = rules.height - 1 - r;
        if (flips & 2) c = rules.width - 1 - c;
        if (flips & 4) std::swap(r, c);
        to[cell] = static_cast<std::int16_t>(r * rules.width + c);
      }
      symmetries.push_back(std::move(to));
    }
  }
};

// A board that moves are made on and taken back from.
class Position {
 public:
  explicit Position(const Lines& lines) : lines_(&lines), held_(lines.cells.size(), 0) {}

  const Lines& lines() const { return *lines_; }
  const Rules& rules() const { return lines_->rules; }
  const Board& board() const { return board_; }
  int to_move() const { return board_.to_move(); }
  bool is_over() const { return board_.is_over(rules()); }
  bool is_empty(int cell) const { return board_.is_empty(cell); }
  // Whether neither side can fill a line any more.
  bool is_dead() const { return counted_ >> 2 * kCountBits == static_cast<std::uint64_t>(lines_->count()); }
  // Of the stones; whose move it is follows from their number.
  std::uint64_t key() const { return key_; }

  void play(int cell) {
    int mover = to_move();
    int one = mover == 0 ? 1 : 16, whole = rules().line * one;
    board_.stones[mover].add(cell);
    ++board_.count;
    key_ ^= lines_->zobrist[mover][cell];
    for (int line : lines_->through[cell]) {
      int before = held_[line], after = before + one;
      held_[line] = static_cast<std::uint8_t>(after);
      counted_ += lines_->counts[after] - lines_->counts[before];
      if (after == whole && may_fill(line, mover)) board_.winner = mover;
    }
  }

  void undo(int cell) {
    --board_.count;
    int mover = to_move(), one = mover == 0 ? 1 : 16;
    board_.stones[mover].remove(cell);
    board_.winner = -1;
    key_ ^= lines_->zobrist[mover][cell];
    for (int line : lines_->through[cell]) {
      int before = held_[line], after = before - one;
      held_[line] = static_cast<std::uint8_t>(after);
      counted_ += lines_->counts[after] - lines_->counts[before];
    }
  }

  // The side to move gives its turn away, for a search that asks what would happen then; and has it again.
  void pass() { ++board_.count, key_ = ~key_; }
  void take_pass_back() { --board_.count, key_ = ~key_; }

  // The cells, at most `most` of them, where a player would win at once.
  int winning_cells(int player, int* found, int most) const {
    if ((counted_ >> player * kCountBits & kCountMask) == 0) return 0;
    int number = 0;
    for_each_line(player, rules().line - 1, [&](int line) {
      int cell = empty_of(line);
      if (!may_fill(line, player)) return true;
      if (std::find(found, found + number, cell) == found + number) found[number++] = cell;
      return number < most;
    });
    return number;
  }

  // Calls use(line) for each line with so many stones of one player and none of the other's, until it says
  // no.
  template <typename Use>
  void for_each_line(int player, int stones, Use use) const {
    int wanted = player == 0 ? stones : stones << 4;
    const std::uint8_t *start = held_.data(), *end = start + held_.size(), *at = start;
    while ((at = static_cast<const std::uint8_t*>(std::memchr(at, wanted, end - at))) != nullptr) {
      if (!use(static_cast<int>(at - start))) return;
      if (++at == end) return;
    }
  }

  // How many stones of a player's a line has.
  int stones_in(int line, int player) const { return player == 0 ? held_[line] & 15 : held_[line] >> 4; }

  // Whether a line that a player fills wins: where only just so many do, not beside another stone of its own.
  bool may_fill(int line, int player) const {
    if (!rules().exact) return true;
    for (int cell : lines_->beyond[line])
      if (cell >= 0 && board_.stones[player].has(cell)) return false;
    return true;
  }

  // The first empty cell of a line.
  int empty_of(int line) const {
    const auto& cells = lines_->cells[line];
    int i = 0;
    while (!is_empty(cells[i])) ++i;
    return cells[i];
  }

 private:
  const Lines* lines_;
  Board board_;
  std::uint64_t key_ = 0;
  std::vector<std::uint8_t> held_;  // of each line: the first player's stones + 16 × the second's
  std::uint64_t counted_ = 0;       // as in Lines::counts, over all lines
};

}  // namespace zerosum::gomoku
