// All 133,784,560 seven-card hands, counted by value. For five cards in ascending order, the two above them
// matter only by their ranks unless a suit can make a flush: then the hands that do are moved to where they
// belong.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "zerosum/cards/board.hpp"
#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cards {

using ValueCounts = std::array<std::uint64_t, kBase[9]>;

namespace detail {

// The hands of `five` and two cards above `top`, its highest one.
ZEROSUM_INLINE void count_above(std::uint64_t five, int top, ValueCounts& counts) {
  alignas(32) std::uint16_t values[96];
  const int lowest = rank_of(top), own_left = 3 - suit_of(top);
  const auto one =
      Planes<std::uint32_t>::of(ranks_in(five, 0), ranks_in(five, 1), ranks_in(five, 2), ranks_in(five, 3));
  const Lanes zero{};
  const Planes<Lanes> shared{zero + static_cast<std::uint16_t>(one.ones),
                             zero + static_cast<std::uint16_t>(one.twos),
                             zero + static_cast<std::uint16_t>(one.fours)};
  // Only pairs of ranks from `lowest` up: packed densely, so that few vectors are needed.
  alignas(32) std::uint16_t low[96], high[96];
  std::uint32_t ways[96];
  std::uint8_t place[kRanks][kRanks];
  int pairs = 0;
  for (int b = lowest; b < kRanks; ++b) {
    const std::uint32_t left_b = b == lowest ? own_left : 4;
    for (int a = lowest; a <= b; ++a) {
      const std::uint32_t left_a = a == lowest ? own_left : 4;
      const std::uint32_t count = a == b ? left_a * (left_a - (left_a > 0)) / 2 : left_a * left_b;
      if (count == 0) continue;
      place[a][b] = static_cast<std::uint8_t>(pairs);
      low[pairs] = static_cast<std::uint16_t>(1 << a);
      high[pairs] = static_cast<std::uint16_t>(1 << b);
      ways[pairs++] = count;
    }
  }
  for (int k = pairs; k % kLanes != 0; ++k) low[k] = high[k] = 1;
  for (int k = 0; k < pairs; k += kLanes) {
    Lanes bits_low, bits_high;
    __builtin_memcpy(&bits_low, low + k, sizeof bits_low);
    __builtin_memcpy(&bits_high, high + k, sizeof bits_high);
    const Lanes found = number_lanes(rank_planes<7>(shared.plus(bits_low).plus(bits_high)));
    __builtin_memcpy(values + k, &found, sizeof found);
  }
  for (int k = 0; k < pairs; ++k) counts[values[k]] += ways[k];
  const int suit = flush_suit(five);
  if (suit < 0) return;
  const int held = static_cast<int>((five >> (16 * suit + 13)) & 7);
  const std::uint32_t ranks = ranks_in(five, suit);
  for (int a = top + 1; a < kCards; ++a) {
    const bool a_suited = suit_of(a) == suit;
    if (held + a_suited < 4) continue;
    for (int b = a + 1; b < kCards; ++b) {
      const bool b_suited = suit_of(b) == suit;
      if (held + a_suited + b_suited < 5) continue;
      const std::uint32_t all = ranks | (a_suited ? 1u << rank_of(a) : 0) | (b_suited ? 1u << rank_of(b) : 0);
      --counts[values[place[rank_of(a)][rank_of(b)]]];
      ++counts[kFlushes[all]];
    }
  }
}

ZEROSUM_CLONES inline void count_from(int a, ValueCounts& counts) {
  for (int b = a + 1; b < kCards; ++b) {
    for (int c = b + 1; c < kCards; ++c) {
      for (int d = c + 1; d < kCards; ++d) {
        for (int e = d + 1; e < kCards - 2; ++e) {
          count_above(card_set(a) + card_set(b) + card_set(c) + card_set(d) + card_set(e), e, counts);
        }
      }
    }
  }
}

}  // namespace detail

inline std::vector<std::uint64_t> count_seven_card_values(int threads) {
  std::atomic<int> next{0};
  std::vector<ValueCounts> parts(static_cast<std::size_t>(std::max(threads, 1)));
  on_threads(static_cast<int>(parts.size()), [&](int thread) {
    ValueCounts& counts = parts[static_cast<std::size_t>(thread)];
    counts.fill(0);
    for (int a; (a = next.fetch_add(1)) < kCards;) detail::count_from(a, counts);
  });
  for (std::size_t t = 1; t < parts.size(); ++t) {
    for (std::size_t v = 0; v < parts[t].size(); ++v) parts[0][v] += parts[t][v];
  }
  return {parts[0].begin(), parts[0].end()};
}

}  // namespace zerosum::cards
