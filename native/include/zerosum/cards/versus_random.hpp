// One hand against a random one, exactly, in well under a millisecond on the flop. Boards with the same
// ranks, and the same ranks in the suit that can make a flush if there is one, are alike: each kind is
// counted once.
#pragma once

#include <array>
#include <cstdint>

#include "zerosum/cards/board.hpp"
#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"

namespace zerosum::cards {

// Opponents' hands, summed over boards: beaten, equal, all.
struct Versus {
  std::uint64_t wins = 0, ties = 0, total = 0;

  void add(const Versus& other) {
    wins += other.wins;
    ties += other.ties;
    total += other.total;
  }
};

class VersusRandom {
 public:
  // `hero` is a set of two cards, `board` one of three to five.
  VersusRandom(std::uint64_t hero, std::uint64_t board, int dealt)
      : hero_(hero), board_(board), dealt_(dealt) {}

  Versus run() const { return run_cloned(*this); }

 private:
  ZEROSUM_CLONES static Versus run_cloned(const VersusRandom& self) { return self.run_body(); }

  ZEROSUM_INLINE Versus run_body() const {
    Versus sum;
    if (dealt_ == 5) {
      sum.add(on_board(board_, RankValues(board_)));
      return sum;
    }
    for (int high = 0; high < kRanks; ++high) {
      for (int low = dealt_ == 4 ? high : 0; low <= high; ++low) add_ranks(low, high, sum);
    }
    return sum;
  }

  struct RankValues {
    alignas(32) std::array<std::uint16_t, 96> value;
    ZEROSUM_INLINE explicit RankValues(std::uint64_t board) { rank_pair_values(board, value.data()); }
  };

  ZEROSUM_INLINE bool free(int card) const { return ((hero_ + board_) & card_set(card) & kRankBits) == 0; }

  // Every turn and river of these two ranks (on the turn: every river of rank `high`).
  ZEROSUM_INLINE void add_ranks(int low, int high, Versus& sum) const {
    std::array<std::uint64_t, 16> boards;
    int count = 0;
    for (int a = high * 4; a < high * 4 + 4; ++a) {
      if (!free(a)) continue;
      if (dealt_ == 4) boards[count++] = board_ + card_set(a);
      if (dealt_ == 4) continue;
      for (int b = low * 4; b < (low == high ? a : low * 4 + 4); ++b) {
        if (free(b)) boards[count++] = board_ + card_set(a) + card_set(b);
      }
    }
    if (count == 0) return;
    const RankValues shared(boards[0]);
    std::array<std::uint32_t, 16> kinds;
    std::array<Versus, 16> found;
    int known = 0;
    for (int k = 0; k < count; ++k) {
      const int suit = flush_suit(boards[k]);
      const std::uint32_t kind = suit < 0 ? 0 : (1u + suit) << 13 | ranks_in(boards[k], suit);
      int same = 0;
      while (same < known && kinds[same] != kind) ++same;
      if (same == known) {
        kinds[known] = kind;
        found[known++] = on_board(boards[k], shared);
      }
      sum.add(found[same]);
    }
  }

  // All opponents on one river board: by pairs of ranks first, then those with a flush are put right.
  ZEROSUM_INLINE Versus on_board(std::uint64_t board, const RankValues& by_ranks) const {
    const std::uint16_t mine = evaluate<7>(hero_ + board);
    std::array<std::uint32_t, kRanks> left;
    for (int rank = 0; rank < kRanks; ++rank) {
      left[rank] = 0;
      for (int suit = 0; suit < 4; ++suit) left[rank] += ((hero_ + board) >> (16 * suit + rank) & 1) == 0;
    }
    Versus found;
    for (int high = 0, pair = 0; high < kRanks; ++high) {
      for (int low = 0; low <= high; ++low, ++pair) {
        const std::uint32_t ways = low == high ? left[low] * (left[low] - 1) / 2 : left[low] * left[high];
        found.wins += by_ranks.value[pair] < mine ? ways : 0;
        found.ties += by_ranks.value[pair] == mine ? ways : 0;
      }
    }
    found.total = 990;
    if (const int suit = flush_suit(board); suit >= 0) {
      for_each_flush(board, suit, [&](int combo, std::uint16_t value) {
        const std::uint64_t cards = card_set(kCombo[combo].low) | card_set(kCombo[combo].high);
        if (hero_ & cards & kRankBits) return;
        const std::uint16_t before = by_ranks.value[detail::kRankPairOf[combo]];
        found.wins += static_cast<std::uint64_t>(value < mine) - static_cast<std::uint64_t>(before < mine);
        found.ties += static_cast<std::uint64_t>(value == mine) - static_cast<std::uint64_t>(before == mine);
      });
    }
    return found;
  }

  std::uint64_t hero_, board_;
  int dealt_;
};

}  // namespace zerosum::cards
