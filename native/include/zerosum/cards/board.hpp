// Everyone's hand on one river board. Without a flush only the ranks of the two hole cards matter, so 91
// pairs of ranks are evaluated, sixteen at a time, for all 1,081 hands; hands that make a flush are looked up
// on top.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"

namespace zerosum::cards {

inline constexpr int kRankPairs = 91;

// Pairs of ranks, equal ones included, numbered by the higher: (a <= b) is b * (b + 1) / 2 + a.
constexpr int rank_pair_index(int a, int b) { return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b; }

namespace detail {

struct RankPairBits {
  alignas(32) std::uint16_t low[96], high[96];
};

inline constexpr RankPairBits kRankPairBits = [] {
  RankPairBits bits{};
  int k = 0;
  for (int b = 0; b < kRanks; ++b) {
    for (int a = 0; a <= b; ++a, ++k) {
      bits.low[k] = static_cast<std::uint16_t>(1 << a);
      bits.high[k] = static_cast<std::uint16_t>(1 << b);
    }
  }
  for (; k < 96; ++k) bits.low[k] = bits.high[k] = 1;
  return bits;
}();

inline constexpr std::array<std::uint8_t, kCombos> kRankPairOf = [] {
  std::array<std::uint8_t, kCombos> pairs{};
  for (int c = 0; c < kCombos; ++c) {
    pairs[c] = static_cast<std::uint8_t>(rank_pair_index(rank_of(kCombo[c].low), rank_of(kCombo[c].high)));
  }
  return pairs;
}();

struct RankPairCombos {
  std::array<std::int16_t, kCombos> combo;        // rank pair by rank pair
  std::array<std::int16_t, kRankPairs + 1> from;  // where each begins
};

inline constexpr RankPairCombos kRankPairCombos = [] {
  RankPairCombos lists{};
  int k = 0;
  for (int pair = 0; pair < kRankPairs; ++pair) {
    lists.from[pair] = static_cast<std::int16_t>(k);
    for (int c = 0; c < kCombos; ++c) {
      if (kRankPairOf[c] == pair) lists.combo[k++] = static_cast<std::int16_t>(c);
    }
  }
  lists.from[kRankPairs] = static_cast<std::int16_t>(k);
  return lists;
}();

}  // namespace detail

// [96] the values of all pairs of ranks on a board of five cards, flushes left out; the last five are
// padding.
ZEROSUM_INLINE void rank_pair_values(std::uint64_t board, std::uint16_t* values) {
  const auto one = Planes<std::uint32_t>::of(ranks_in(board, 0), ranks_in(board, 1), ranks_in(board, 2),
                                             ranks_in(board, 3));
  const Lanes zero{};
  const Planes<Lanes> shared{zero + static_cast<std::uint16_t>(one.ones),
                             zero + static_cast<std::uint16_t>(one.twos),
                             zero + static_cast<std::uint16_t>(one.fours)};
  for (int k = 0; k < 96; k += kLanes) {
    Lanes low, high;
    __builtin_memcpy(&low, detail::kRankPairBits.low + k, sizeof low);
    __builtin_memcpy(&high, detail::kRankPairBits.high + k, sizeof high);
    const Lanes found = number_lanes(rank_planes<7>(shared.plus(low).plus(high)));
    __builtin_memcpy(values + k, &found, sizeof found);
  }
}

// The suit in which a flush is possible on this board (three or more of it), or -1.
inline int flush_suit(std::uint64_t board) {
  for (int suit = 0; suit < 4; ++suit) {
    if (((board >> (16 * suit + 13)) & 7) >= 3) return suit;
  }
  return -1;
}

// Calls visit(combo, value) for every pair of hole cards that makes a flush with the board.
template <typename Visit>
ZEROSUM_INLINE void for_each_flush(std::uint64_t board, int suit, Visit visit) {
  const std::uint32_t ranks = ranks_in(board, suit);
  const int held = static_cast<int>((board >> (16 * suit + 13)) & 7);
  std::array<int, kCards> suited, others;
  int suited_count = 0, others_count = 0;
  for (int card = 0; card < kCards; ++card) {
    if (board & card_set(card) & kRankBits) continue;
    (suit_of(card) == suit ? suited[suited_count++] : others[others_count++]) = card;
  }
  for (int a = 0; a < suited_count; ++a) {
    const std::uint32_t with_one = ranks | (1u << rank_of(suited[a]));
    for (int b = 0; b < a; ++b) {
      visit(combo_index(suited[a], suited[b]), detail::kFlushes[with_one | (1u << rank_of(suited[b]))]);
    }
    for (int b = 0; held >= 4 && b < others_count; ++b) {
      visit(combo_index(suited[a], others[b]), detail::kFlushes[with_one]);
    }
  }
  for (int a = 0; held == 5 && a < others_count; ++a) {
    for (int b = 0; b < a; ++b) visit(combo_index(others[a], others[b]), detail::kFlushes[ranks]);
  }
}

// [1326] the value of every pair of hole cards on a river board; 0 for pairs that hold a card of the board.
// `by_ranks` gets the [96] values without flushes.
ZEROSUM_INLINE void board_values_body(std::uint64_t board, std::uint16_t* values, std::uint16_t* by_ranks) {
  rank_pair_values(board, by_ranks);
  for (int c = 0; c < kCombos; ++c) values[c] = by_ranks[detail::kRankPairOf[c]];
  if (const int suit = flush_suit(board); suit >= 0) {
    for_each_flush(board, suit, [&](int combo, std::uint16_t value) { values[combo] = value; });
  }
  for (int card = 0; card < kCards; ++card) {
    if ((board & card_set(card) & kRankBits) == 0) continue;
    for (int other = 0; other < kCards; ++other) {
      if (other != card) values[combo_index(card, other)] = 0;
    }
  }
}

ZEROSUM_CLONES inline void board_values(std::uint64_t board, std::uint16_t* values) {
  alignas(32) std::uint16_t by_ranks[96];
  board_values_body(board, values, by_ranks);
}

// The hands of one board in ascending order of value, and where each run of equals ends. What is sorted is
// the 91 pairs of ranks and the hands with a flush, by counting; a bit for each value that occurs says which
// counts to visit.
struct Ranking {
  int count = 0;
  std::array<std::int16_t, kCombos + 16> combo;  // [count], and room to write one too far
  int runs = 0;
  std::array<std::int16_t, kCombos> end;  // [runs]

  ZEROSUM_INLINE void rank(std::uint64_t board) {
    alignas(32) std::uint16_t by_ranks[96];
    std::array<std::uint16_t, kCombos> values;
    board_values_body(board, values.data(), by_ranks);
    std::array<std::uint16_t, kRankPairs + kCombos> item_value;  // pairs of ranks, then single hands
    std::array<std::int16_t, kRankPairs + kCombos> sorted, single;
    int items = kRankPairs;
    std::copy(by_ranks, by_ranks + kRankPairs, item_value.begin());
    if (const int suit = flush_suit(board); suit >= 0) {
      for_each_flush(board, suit, [&](int hand, std::uint16_t value) {
        single[items] = static_cast<std::int16_t>(hand);
        item_value[items++] = value;
      });
    }
    sort_items(item_value.data(), items, sorted.data());
    count = runs = 0;
    for (int k = 0; k < items; ++k) {
      const int item = sorted[k], before = count;
      const std::uint16_t value = item_value[item];
      if (item < kRankPairs) {
        const auto& lists = detail::kRankPairCombos;
        for (int p = lists.from[item]; p < lists.from[item + 1]; ++p) {
          combo[count] = lists.combo[p];
          count += values[lists.combo[p]] == value;  // neither on the board nor a flush
        }
      } else {
        combo[count++] = single[item];
      }
      if (count == before) continue;
      const bool is_new = runs == 0 || values[combo[before - (before > 0)]] != value;
      runs += is_new;
      end[runs - 1] = static_cast<std::int16_t>(count);
    }
  }

 private:
  ZEROSUM_INLINE static void sort_items(const std::uint16_t* value, int items, std::int16_t* sorted) {
    static thread_local std::array<std::int16_t, kBase[9]> place{};
    std::array<std::uint64_t, kBase[9] / 64 + 1> occurs{};
    for (int k = 0; k < items; ++k) {
      ++place[value[k]];
      occurs[value[k] / 64] |= std::uint64_t{1} << (value[k] % 64);
    }
    const auto for_each_value = [&](auto visit) {
      for (std::size_t word = 0; word < occurs.size(); ++word) {
        for (std::uint64_t bits = occurs[word]; bits != 0; bits &= bits - 1) {
          visit(place[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))]);
        }
      }
    };
    std::int16_t next = 0;
    for_each_value([&](std::int16_t& here) {
      const std::int16_t size = here;
      here = next;
      next = static_cast<std::int16_t>(next + size);
    });
    for (int k = 0; k < items; ++k) sorted[place[value[k]]++] = static_cast<std::int16_t>(k);
    for_each_value([](std::int16_t& here) { here = 0; });
  }
};

// Weights of hands, and for each card the weight of the hands that hold it: what a hand cannot meet is
// subtracted.
struct Holding {
  std::uint32_t total = 0;  // 24 * 10,000 for each of 1,326 hands at the most
  std::array<std::uint32_t, kCards> card{};

  ZEROSUM_INLINE void add(int combo, std::uint32_t weight) {
    total += weight;
    card[kCombo[combo].low] += weight;
    card[kCombo[combo].high] += weight;
  }
  // The weight of the hands that share no card with this one; `itself` is what this very hand weighs in here.
  ZEROSUM_INLINE std::uint32_t apart_from(int combo, std::uint32_t itself) const {
    return total + itself - card[kCombo[combo].low] - card[kCombo[combo].high];
  }
};

// For every hand of the ranking: visit(combo, weight of theirs it beats, weight it ties with), hands that
// share a card left out. `theirs` is [1326] weights.
template <typename Visit>
ZEROSUM_INLINE void against_range(const Ranking& ranking, const std::uint32_t* theirs, Visit visit) {
  Holding below;
  int from = 0;
  for (int run = 0; run < ranking.runs; ++run) {
    const int to = ranking.end[run];
    Holding equal;
    for (int k = from; k < to; ++k) equal.add(ranking.combo[k], theirs[ranking.combo[k]]);
    for (int k = from; k < to; ++k) {
      const int c = ranking.combo[k];
      visit(c, below.apart_from(c, 0), equal.apart_from(c, theirs[c]));
    }
    below.total += equal.total;
    for (int card = 0; card < kCards; ++card) below.card[card] += equal.card[card];
    from = to;
  }
}

}  // namespace zerosum::cards
