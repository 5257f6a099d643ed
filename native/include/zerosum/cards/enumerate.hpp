// All 133,784,560 seven-card hands, counted by value. For five cards in ascending order the two above them
// matter only by their ranks, so each pair of ranks is evaluated once and counted as often as cards can make
// it; the hands among them that make a flush are counted by themselves.
#pragma once

#include <algorithm>
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

// The pairs of ranks that two cards above card `top` can have, and in how many ways.
struct PairsAbove {
  int top, count = 0;
  alignas(32) std::array<std::uint16_t, 96> low{}, high{}, ways{};
  std::array<std::array<std::uint8_t, kRanks>, kRanks> place{};  // [low, high]

  explicit PairsAbove(int card) : top(card) {
    const auto left = [&](int rank) { return rank == rank_of(top) ? 3 - suit_of(top) : 4; };
    for (int b = rank_of(top); b < kRanks; ++b) {
      for (int a = rank_of(top); a <= b; ++a) {
        const int found = a == b ? left(a) * (left(a) - 1) / 2 : left(a) * left(b);
        if (found == 0) continue;
        place[a][b] = static_cast<std::uint8_t>(count);
        low[count] = static_cast<std::uint16_t>(1 << a);
        high[count] = static_cast<std::uint16_t>(1 << b);
        ways[count++] = static_cast<std::uint16_t>(found);
      }
    }
  }
};

// Hands waiting to be evaluated, those of many fives next to each other so that few lanes stay empty.
class Waiting {
 public:
  explicit Waiting(ValueCounts& counts) : counts_(counts) {}

  // `five`, whose highest card is above.top, with each pair of ranks.
  ZEROSUM_INLINE void add(std::uint64_t five, const PairsAbove& above) {
    const auto planes =
        Planes<std::uint32_t>::of(ranks_in(five, 0), ranks_in(five, 1), ranks_in(five, 2), ranks_in(five, 3));
    const Lanes zero{};
    const Planes<Lanes> shared{zero + static_cast<std::uint16_t>(planes.ones),
                               zero + static_cast<std::uint16_t>(planes.twos),
                               zero + static_cast<std::uint16_t>(planes.fours)};
    for (int k = 0; k < above.count; k += kLanes) {  // whole vectors: what is too much will be overwritten
      const Planes<Lanes> all = shared.plus(load(&above.low[k])).plus(load(&above.high[k]));
      store(ones_ + size_ + k, all.ones);
      store(twos_ + size_ + k, all.twos);
      store(fours_ + size_ + k, all.fours);
      store(ways_ + size_ + k, load(&above.ways[k]));
    }
    if (const int suit = flush_suit(five); suit >= 0) move_flushes(five, suit, above);
    size_ += above.count;
    if (size_ > kRoom - 2 * 96) count();
  }

  ZEROSUM_INLINE void count() {
    for (int k = 0; k < size_; k += kLanes) {
      const Planes<Lanes> planes{load(ones_ + k), load(twos_ + k), load(fours_ + k)};
      store(values_ + k, number_lanes(rank_planes<7>(planes)));
    }
    for (int k = 0; k < size_; ++k) counts_[values_[k]] += ways_[k];
    size_ = 0;
  }

 private:
  static constexpr int kRoom = 1024;

  static ZEROSUM_INLINE Lanes load(const std::uint16_t* from) {
    Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof lanes);
    return lanes;
  }
  static ZEROSUM_INLINE void store(std::uint16_t* to, Lanes lanes) {
    __builtin_memcpy(to, &lanes, sizeof lanes);
  }

  // Counts those of the hands just added that make a flush, and takes them out.
  ZEROSUM_INLINE void move_flushes(std::uint64_t five, int suit, const PairsAbove& above) {
    const int held = static_cast<int>((five >> (16 * suit + 13)) & 7), from = above.top + 1;
    const std::uint32_t ranks = ranks_in(five, suit);
    std::uint16_t* ways = ways_ + size_;
    for (int a = from + ((suit - from) & 3); a < kCards; a += 4) {
      const std::uint32_t with_one = ranks | (1u << rank_of(a));
      for (int b = a + 4; b < kCards; b += 4) {
        --ways[above.place[rank_of(a)][rank_of(b)]];
        ++counts_[kFlushes[with_one | (1u << rank_of(b))]];
      }
      for (int b = from; held >= 4 && b < kCards; ++b) {
        if (suit_of(b) == suit) continue;
        --ways[above.place[rank_of(std::min(a, b))][rank_of(std::max(a, b))]];
        ++counts_[kFlushes[with_one]];
      }
    }
    for (int a = from; held == 5 && a < kCards; ++a) {
      for (int b = a + 1; b < kCards; ++b) {
        if (suit_of(a) == suit || suit_of(b) == suit) continue;
        --ways[above.place[rank_of(a)][rank_of(b)]];
        ++counts_[kFlushes[ranks]];
      }
    }
  }

  ValueCounts& counts_;
  int size_ = 0;
  alignas(32) std::uint16_t ones_[kRoom], twos_[kRoom], fours_[kRoom], ways_[kRoom], values_[kRoom];
};

// The hands whose fifth lowest card is `top`.
ZEROSUM_CLONES inline void count_with(int top, ValueCounts& counts) {
  const PairsAbove above(top);
  Waiting waiting(counts);
  for (int a = 0; a < top; ++a) {
    for (int b = a + 1; b < top; ++b) {
      for (int c = b + 1; c < top; ++c) {
        for (int d = c + 1; d < top; ++d) {
          waiting.add(card_set(a) + card_set(b) + card_set(c) + card_set(d) + card_set(top), above);
        }
      }
    }
  }
  waiting.count();
}

}  // namespace detail

inline std::vector<std::uint64_t> count_seven_card_values(int threads) {
  std::atomic<int> next{0};
  std::vector<ValueCounts> parts(static_cast<std::size_t>(std::max(threads, 1)));
  on_threads(static_cast<int>(parts.size()), [&](int thread) {
    ValueCounts& counts = parts[static_cast<std::size_t>(thread)];
    counts.fill(0);
    for (int k; (k = next.fetch_add(1)) < kCards - 2;) detail::count_with(kCards - 3 - k, counts);
  });
  for (std::size_t t = 1; t < parts.size(); ++t) {
    for (std::size_t v = 0; v < parts[t].size(); ++v) parts[0][v] += parts[t][v];
  }
  return {parts[0].begin(), parts[0].end()};
}

}  // namespace zerosum::cards
