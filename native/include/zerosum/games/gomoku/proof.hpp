// Proof-number search, depth first (df-pn, Nagai 2002), for (m,n,k) games on boards of at most 64 cells: who
// wins.
//
// Asked is always the same question: does the attacker win? A win for the other side and a draw are both
// "no", so two questions tell the value. What cuts the tree without changing any answer: a win in one is
// taken; the other side's win in one must be stopped, and two of them cannot be; without a line left to fill
// the attacker does not win, nor against a pairing of cells (Hales and Jewett 1963); cells in no line that
// anyone can still fill are all one move; positions that a symmetry turns into each other are one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "zerosum/games/gomoku/lines.hpp"
#include "zerosum/random.hpp"

namespace zerosum::gomoku {

struct SmallPosition {
  std::uint64_t mover = 0, other = 0;  // stones of the side to move, and of the one who moved last
};

// A position with its checksum under each symmetry, kept from move to move.
struct Keyed {
  SmallPosition at;
  std::array<std::uint64_t, 8> keys{};
  bool second = false;  // whose move it is
};

class ProofSearch {
 public:
  ProofSearch(const Rules& rules, int table_bits)
      : rules_(rules), table_(std::size_t(1) << table_bits), mask_((std::uint64_t(1) << table_bits) - 1) {
    const Lines all(rules);
    for (int line = 0; line < all.count(); ++line) {
      Line masks;
      for (int k = 0; k < rules.line; ++k) masks.cells |= bit(all.cells[line][k]);
      for (int cell : all.beyond[line]) masks.beyond |= rules.exact ? bit(cell) : 0;
      lines_.push_back(masks);
    }
    symmetries_ = all.symmetries;
    CounterRng rng(0, 0, 0);
    for (auto& side : zobrist_)
      for (auto& word : side) word = rng.bits();
  }

  static constexpr int kMostStones = 64;  // no limit: no board is larger

  enum class Answer { yes, no, unknown };

  // Whether the side to move, or the other side, wins, with no more than `last` stones on the board. Stops
  // after `most` nodes; asked again, it goes on from there.
  Answer wins(const SmallPosition& at, bool mover_attacks, std::uint64_t most, int last = kMostStones) {
    stop_at_ = nodes_ + most;
    last_ = last;
    Numbers found = search(keyed(at), mover_attacks, kInfinite - 1, kInfinite - 1);
    if (found.proof == 0) return Answer::yes;
    if (found.disproof == 0) return Answer::no;
    return Answer::unknown;
  }

  // After a yes for the side to move: a move that wins, or −1 where what was proved is not remembered.
  int winning_move(const SmallPosition& at) const {
    const Keyed from = keyed(at);
    for (std::uint64_t left = look(at, true).moves; left; left &= left - 1)
      if (known(key(after(from, left & (~left + 1)), false), {}).proof == 0) return __builtin_ctzll(left);
    return -1;
  }

  // Forgets everything, at no cost. What it finds after that depends on nothing it was asked before.
  void forget() { own_ += std::uint64_t(1) << 40; }

  std::uint64_t nodes() const { return nodes_; }

 private:
  static constexpr std::uint32_t kInfinite = 100'000'000;

  std::uint64_t full() const {
    int cells = rules_.cells();
    return cells == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << cells) - 1;
  }

  struct Line {
    std::uint64_t cells = 0, beyond = 0;  // beyond: the cells at its ends that an exact line must not have
  };
  struct Numbers {
    std::uint32_t proof = 1, disproof = 1;
  };
  struct Entry {
    std::uint64_t key = 0;
    Numbers numbers;
  };

  static std::uint64_t bit(int cell) { return cell < 0 ? 0 : std::uint64_t(1) << cell; }

  Keyed keyed(const SmallPosition& at) const {
    Keyed found{at, {}, __builtin_popcountll(at.mover) != __builtin_popcountll(at.other)};
    for (std::size_t k = 0; k < symmetries_.size(); ++k) {
      for (std::uint64_t left = at.mover; left; left &= left - 1)
        found.keys[k] ^= zobrist_[found.second][symmetries_[k][__builtin_ctzll(left)]];
      for (std::uint64_t left = at.other; left; left &= left - 1)
        found.keys[k] ^= zobrist_[!found.second][symmetries_[k][__builtin_ctzll(left)]];
    }
    return found;
  }

  Keyed after(const Keyed& from, std::uint64_t move) const {
    Keyed next{{from.at.other, from.at.mover | move}, from.keys, !from.second};
    int cell = __builtin_ctzll(move);
    for (std::size_t k = 0; k < symmetries_.size(); ++k)
      next.keys[k] ^= zobrist_[from.second][symmetries_[k][cell]];
    return next;
  }

  // The same for all positions that a symmetry turns into each other.
  std::uint64_t key(const Keyed& of, bool attacking) const {
    std::uint64_t best = of.keys[0];
    for (std::size_t k = 1; k < symmetries_.size(); ++k) best = std::min(best, of.keys[k]);
    std::uint64_t limit = last_ == kMostStones ? 0 : mix64(static_cast<std::uint64_t>(last_));
    return best ^ limit ^ own_ ^ (attacking ? 0x5555555555555555ULL : 0);
  }

  struct Look {
    bool decided = false, attacker_wins = false;
    std::uint64_t moves = 0;
  };

  // What can be told without searching, and the moves that are left to try.
  Look look(const SmallPosition& at, bool attacking) const {
    std::uint64_t empty = full() & ~(at.mover | at.other), now = 0, theirs = 0, useful = 0;
    int fewest = kMostStones;  // stones that the attacker lacks in a line
    const std::uint64_t attacker = attacking ? at.mover : at.other,
                        defender = attacking ? at.other : at.mover;
    for (const Line& line : lines_) {
      if (!(line.cells & at.other) && !(line.beyond & at.mover)) {
        std::uint64_t missing = line.cells & empty;
        useful |= missing | (line.beyond & empty);  // a stone beyond an exact line spoils it
        if ((missing & (missing - 1)) == 0) now |= missing;
      }
      if (!(line.cells & at.mover) && !(line.beyond & at.other)) {
        std::uint64_t missing = line.cells & empty;
        useful |= missing | (line.beyond & empty);
        if ((missing & (missing - 1)) == 0) theirs |= missing;
      }
      if (!(line.cells & defender) && !(line.beyond & attacker))
        fewest = std::min(fewest, __builtin_popcountll(line.cells & empty));
    }
    if (now && !attacking) return {true, false, 0};
    const int stones = __builtin_popcountll(at.mover | at.other);
    if (!empty || stones + 2 * fewest - attacking > last_) return {true, false, 0};
    if (now) return {true, true, 0};
    if (theirs & (theirs - 1)) return {true, !attacking, 0};
    if (theirs) return {false, false, theirs};
    if (has_pairing(attacker, defender, empty)) return {true, false, 0};
    std::uint64_t idle = empty & ~useful;
    return {false, false, (empty & useful) | (idle & (~idle + 1))};
  }

  // Whether the defender has a pairing: two empty cells for each line that the attacker could still fill, no
  // cell for two lines. Whenever the attacker takes one of a pair the defender takes the other, so no line is
  // ever filled.
  bool has_pairing(std::uint64_t attacker, std::uint64_t defender, std::uint64_t empty) const {
    std::array<std::uint64_t, 64> wants;
    int count = 0, room = __builtin_popcountll(empty) / 2;
    for (const Line& line : lines_)
      if (!(line.cells & defender) && !(line.beyond & attacker)) {
        if (count == room || count == 32) return false;
        wants[count++] = line.cells & empty;
      }
    std::array<std::int8_t, 64> owner;
    owner.fill(-1);
    for (int line = 0; line < 2 * count; ++line) {
      std::uint64_t tried = 0;
      if (!pair_up(line, wants, owner, tried)) return false;
    }
    return true;
  }

  // An augmenting path: a cell for this line, others giving up theirs for another.
  static bool pair_up(int line, const std::array<std::uint64_t, 64>& wants,
                      std::array<std::int8_t, 64>& owner, std::uint64_t& tried) {
    for (std::uint64_t left = wants[line / 2] & ~tried; left; left &= left - 1) {
      int cell = __builtin_ctzll(left);
      if (owner[cell] >= 0) continue;
      owner[cell] = static_cast<std::int8_t>(line);
      return true;
    }
    for (std::uint64_t left = wants[line / 2] & ~tried; left; left = wants[line / 2] & ~tried) {
      int cell = __builtin_ctzll(left);
      tried |= std::uint64_t(1) << cell;
      if (pair_up(owner[cell], wants, owner, tried)) {
        owner[cell] = static_cast<std::int8_t>(line);
        return true;
      }
    }
    return false;
  }

  void keep(std::uint64_t key, Numbers numbers) { table_[key & mask_] = {key, numbers}; }

  // Searches until one of the numbers passes its limit. Seen from the side to move: `proof` of the attacker's
  // win.
  Numbers search(const Keyed& from, bool attacking, std::uint32_t most_proof, std::uint32_t most_disproof) {
    ++nodes_;
    Look seen = look(from.at, attacking);
    std::uint64_t own_key = key(from, attacking);
    if (seen.decided) {
      Numbers told = seen.attacker_wins ? Numbers{0, kInfinite} : Numbers{kInfinite, 0};
      keep(own_key, told);
      return told;
    }
    struct Child {
      Keyed at;
      std::uint64_t key;
      Numbers last;  // what it came to when it was last searched, or looks like before that
    };
    std::array<Child, 64> children;
    std::size_t count = 0;
    const Outlook outlook = outlook_of(from.at, attacking);
    const int moves = __builtin_popcountll(seen.moves), room = (empty_count(from.at) - 1) / 2;
    const bool symmetric =
        std::count(from.keys.begin() + 1, from.keys.begin() + symmetries_.size(), from.keys[0]);
    for (std::uint64_t left = seen.moves; left; left &= left - 1) {
      const int cell = __builtin_ctzll(left);
      Child& child = children[count];
      child.at = after(from, bit(cell));
      child.key = key(child.at, !attacking);
      bool twice = false;  // of two moves that a symmetry turns into each other one is enough
      for (std::size_t k = 0; symmetric && k < count; ++k) twice |= children[k].key == child.key;
      // With more lines than that there is no pairing, and most of what can be told is known already.
      const bool busy = outlook.open - outlook.closes[cell] > room;
      child.last =
          busy ? first_look(outlook.threats[cell], moves, !attacking) : first_look(child.at.at, !attacking);
      count += !twice;
    }
    while (true) {
      // An attacker needs one good child, a defender must answer all. What is left to do for all is taken as
      // the most for one of them and one for each other (weak proof numbers, Ueda et al. 2008): their sum
      // would count positions again and again that are reached in many ways.
      std::uint32_t best = kInfinite, second = kInfinite, most = 0, waiting = 0;
      std::size_t chosen = 0;
      for (std::size_t k = 0; k < count; ++k) {
        Numbers child = known(children[k].key, children[k].last);
        std::uint32_t mine = attacking ? child.proof : child.disproof;
        std::uint32_t rest = attacking ? child.disproof : child.proof;
        most = std::max(most, rest);
        waiting += rest > 0;
        if (mine < best) {
          second = best;
          best = mine;
          chosen = k;
        } else if (mine < second) {
          second = mine;
        }
      }
      std::uint32_t total = waiting == 0 ? 0 : std::min(most + waiting - 1, kInfinite);
      if (best == 0) total = kInfinite;
      if (total == 0) best = kInfinite;
      Numbers numbers = attacking ? Numbers{best, total} : Numbers{total, best};
      std::uint32_t limit_mine = attacking ? most_proof : most_disproof;
      std::uint32_t limit_rest = attacking ? most_disproof : most_proof;
      if (best >= limit_mine || total >= limit_rest || best == 0 || total == 0 || nodes_ >= stop_at_) {
        keep(own_key, numbers);
        return numbers;
      }
      std::uint32_t next_mine = std::min<std::uint64_t>(limit_mine, std::uint64_t(second) + 1 + second / 4);
      std::uint32_t next_rest = limit_rest - (waiting - 1);
      // Kept here too: another child may take its place in the table.
      children[chosen].last = attacking ? search(children[chosen].at, false, next_mine, next_rest)
                                        : search(children[chosen].at, true, next_rest, next_mine);
    }
  }

  Numbers known(std::uint64_t word, Numbers otherwise) const {
    const Entry& entry = table_[word & mask_];
    return entry.key == word ? entry.numbers : otherwise;
  }

  int empty_count(const SmallPosition& at) const {
    return __builtin_popcountll(full() & ~(at.mover | at.other));
  }

  // What a move would change, for all of them at once: the cells at which the side to move would threaten to
  // win, and how many of the attacker's lines it would close.
  struct Outlook {
    std::array<std::uint64_t, 64> threats{};
    std::array<std::int8_t, 64> closes{};
    int open = 0;  // the attacker's lines that can still be filled
  };

  Outlook outlook_of(const SmallPosition& at, bool attacking) const {
    Outlook found;
    for (const Line& line : lines_) {
      const std::uint64_t missing = line.cells & ~(at.mover | at.other), rest = missing & (missing - 1);
      const bool mine = !(line.cells & at.other) && !(line.beyond & at.mover);
      const bool theirs = !(line.cells & at.mover) && !(line.beyond & at.other);
      found.open += attacking ? mine : theirs;
      if (mine && rest && !(rest & (rest - 1))) {
        found.threats[__builtin_ctzll(missing)] |= rest;
        found.threats[__builtin_ctzll(rest)] |= missing & ~rest;
      }
      for (std::uint64_t left = theirs && !attacking ? missing : 0; left; left &= left - 1)
        ++found.closes[__builtin_ctzll(left)];
    }
    return found;
  }

  // More answers, more to do for the side that must meet them all.
  Numbers first_look(const SmallPosition& at, bool attacking) const {
    Look seen = look(at, attacking);
    if (seen.decided) return seen.attacker_wins ? Numbers{0, kInfinite} : Numbers{kInfinite, 0};
    const auto moves = static_cast<std::uint32_t>(__builtin_popcountll(seen.moves));
    return attacking ? Numbers{1, moves} : Numbers{moves, 1};
  }

  // The same of a position after a move that makes these threats, where so many moves were left before it:
  // two threats cannot be met, one has one answer.
  static Numbers first_look(std::uint64_t threats, int moves, bool attacking) {
    if (threats & (threats - 1)) return attacking ? Numbers{kInfinite, 0} : Numbers{0, kInfinite};
    const auto answers = static_cast<std::uint32_t>(threats ? 1 : std::max(moves - 1, 1));
    return attacking ? Numbers{1, answers} : Numbers{answers, 1};
  }

  Rules rules_;
  std::vector<Entry> table_;
  std::uint64_t mask_;
  std::vector<Line> lines_;
  std::vector<std::vector<std::int16_t>> symmetries_;
  std::uint64_t zobrist_[2][64];
  std::uint64_t nodes_ = 0, stop_at_ = 0;
  // In every key, but not in the bits that say where it is kept: what is older than the last `forget` is as
  // good as not there.
  std::uint64_t own_ = 0;
  int last_ = kMostStones;  // stones at which the attacker must have won
};

}  // namespace zerosum::gomoku
