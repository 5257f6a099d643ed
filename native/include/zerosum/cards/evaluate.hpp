// The value of the best five of 5, 6 or 7 cards: higher is better, equal means split.
//
// No table of hands: how many cards each rank has is kept as three bit planes (ones, twos, fours) of 13 bits,
// and categories fall out of a few bit operations on them. The same code runs on one hand in an integer or on
// 16 hands in the 16-bit lanes of a vector. A 16 kB table then numbers the ranks that decide within a
// category.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "zerosum/cards/card.hpp"

namespace zerosum::cards {

enum Category { kHighCard, kPair, kTwoPair, kTrips, kStraight, kFlush, kFullHouse, kQuads, kStraightFlush };

// A value is base[category] + (number of the first ranks) * step[category] + (number of the kickers).
inline constexpr std::array<std::uint16_t, 10> kBase = {1,    1288, 5006, 6020, 7034,
                                                        7044, 8331, 8500, 8669, 8679};
inline constexpr std::uint16_t kPairStep = 286, kTwoPairStep = 13, kTripsStep = 78, kFullHouseStep = 13,
                               kQuadsStep = 13;

constexpr int category_of(std::uint16_t value) {
  int category = 0;
  while (value >= kBase[category + 1]) ++category;
  return category;
}

namespace detail {

constexpr int count_bits(std::uint32_t mask) {
  int count = 0;
  for (; mask != 0; mask &= mask - 1) ++count;
  return count;
}

// Number of a set of ranks among those with as many ranks, in ascending order.
inline constexpr std::array<std::uint16_t, 8192> kOrder = [] {
  std::array<std::uint16_t, 8192> order{};
  std::array<std::uint16_t, 14> next{};
  for (std::uint32_t mask = 0; mask < 8192; ++mask) order[mask] = next[count_bits(mask)]++;
  return order;
}();

// Bit i of the answer: a straight whose high card has rank i + 3 (the wheel's five is bit 0).
template <typename V>
ZEROSUM_INLINE constexpr V straights(V ranks) {
  const V wrapped = (ranks << 1) | (ranks >> 12);
  return wrapped & (wrapped >> 1) & (wrapped >> 2) & (wrapped >> 3) & (wrapped >> 4);
}

// The value of the best flush or straight flush in one suit's ranks; 0 for fewer than five.
inline constexpr std::array<std::uint16_t, 8192> kFlushes = [] {
  std::array<std::uint16_t, 8192> values{};
  for (std::uint32_t mask = 0; mask < 8192; ++mask) {
    if (count_bits(mask) < 5) continue;
    if (const std::uint32_t runs = straights(mask)) {
      int high = 0;
      while (runs >> (high + 1)) ++high;
      values[mask] = static_cast<std::uint16_t>(kBase[kStraightFlush] + high);
    } else {
      std::uint32_t five = mask;
      while (count_bits(five) > 5) five &= five - 1;
      values[mask] = static_cast<std::uint16_t>(kBase[kFlush] + kOrder[five]);
    }
  }
  return values;
}();

// Whether x is zero: a bool for an integer, a mask for the lanes of a vector. Both choose with `?:`.
template <typename V>
ZEROSUM_INLINE auto is_zero(V x) {
  return x == V{};
}

// Without the lowest set bit.
template <typename V>
ZEROSUM_INLINE V drop(V x) {
  return x & (x - 1);
}

// Without the lowest set bit, unless it is the only one.
template <typename V>
ZEROSUM_INLINE V drop_if_more(V x) {
  const V less = drop(x);
  return is_zero(less) ? x : less;
}

template <int kDrops, typename V>
ZEROSUM_INLINE V drop_times(V x) {
  if constexpr (kDrops == 0) {
    return x;
  } else {
    return drop_times<kDrops - 1>(drop(x));
  }
}

}  // namespace detail

// How many cards each rank has, as bit planes.
template <typename V>
struct Planes {
  V ones, twos, fours;

  // From the four suits' ranks.
  static ZEROSUM_INLINE Planes of(V c, V d, V h, V s) {
    const V odd_low = c ^ d, both_low = c & d, odd_high = h ^ s, both_high = h & s;
    return {odd_low ^ odd_high, both_low ^ both_high ^ (odd_low & odd_high), both_low & both_high};
  }

  // One more card of the rank whose bit is set.
  ZEROSUM_INLINE Planes plus(V bit) const {
    const V carry = ones & bit, carried = twos & carry;
    return {ones ^ bit, twos ^ carry, fours | carried};
  }
};

// A value before its ranks are numbered.
template <typename V>
struct Unnumbered {
  V base, step, first, kickers;
};

// The best hand that is no flush, of kSize cards.
template <int kSize, typename V>
ZEROSUM_INLINE Unnumbered<V> rank_planes(const Planes<V>& planes) {
  using namespace detail;
  const V zero = planes.ones ^ planes.ones;
  const auto constant = [&](int x) { return zero + static_cast<std::uint16_t>(x); };
  const V pairs = planes.twos & ~planes.ones, trips = planes.twos & planes.ones,
          singles = planes.ones & ~planes.twos;
  const V any = planes.ones | planes.twos | planes.fours;
  constexpr int kExtra = kSize - 5;

  // High card, and the kickers of one pair and of trips: the lowest of the ranks left over do not play.
  Unnumbered<V> best{constant(kBase[kHighCard]), zero, zero, drop_times<kExtra>(any)};
  const auto beat_unless = [&](auto absent, int base, int step, V first, V kickers) {
    best.base = absent ? best.base : constant(base);
    best.step = absent ? best.step : constant(step);
    best.first = absent ? best.first : first;
    best.kickers = absent ? best.kickers : kickers;
  };
  const V few = drop_times<kExtra>(singles);
  beat_unless(is_zero(pairs), kBase[kPair], kPairStep, pairs, few);

  // Two pair: of three pairs the lowest competes with the singles for the kicker.
  const V two_or_three = drop(pairs);
  const V third = is_zero(drop(two_or_three)) ? zero : pairs & ~two_or_three;
  V kicker = singles | third;
  for (int k = 0; k < kExtra; ++k) kicker = drop_if_more(kicker);
  beat_unless(is_zero(two_or_three), kBase[kTwoPair], kTwoPairStep, pairs & ~third, kicker);
  beat_unless(is_zero(trips), kBase[kTrips], kTripsStep, trips, few);

  // A straight's number is that of its high card alone. Runs longer than five leave neighbouring bits: the
  // top one counts.
  const V runs = straights(any);
  beat_unless(is_zero(runs), kBase[kStraight], 0, zero, runs & ~(runs >> 1));

  // Full house: of two trips the higher leads; the lower competes with the pairs.
  const V lead = drop_if_more(trips);
  const V under = (trips & ~lead) | pairs;
  beat_unless(is_zero(trips) | is_zero(under), kBase[kFullHouse], kFullHouseStep, lead, drop_if_more(under));

  V beside = any & ~planes.fours;
  for (int k = 0; k < kExtra; ++k) beside = drop_if_more(beside);
  beat_unless(is_zero(planes.fours), kBase[kQuads], kQuadsStep, planes.fours, beside);
  return best;
}

inline std::uint16_t flush_value(std::uint64_t set) {
  const std::uint16_t* flushes = detail::kFlushes.data();
  return static_cast<std::uint16_t>(flushes[ranks_in(set, 0)] | flushes[ranks_in(set, 1)] |
                                    flushes[ranks_in(set, 2)] | flushes[ranks_in(set, 3)]);
}

// A bit for each suit that has five cards: its count plus three carries into bit 3.
ZEROSUM_INLINE std::uint64_t flush_bits(std::uint64_t set) {
  return (((set >> 13) & 0x0007000700070007ULL) + 0x0003000300030003ULL) & 0x0008000800080008ULL;
}
ZEROSUM_INLINE bool has_flush(std::uint64_t set) { return flush_bits(set) != 0; }

template <int kSize>
std::uint16_t evaluate(std::uint64_t set) {
  if (has_flush(set))
    return flush_value(set);  // five to seven cards with a flush hold nothing better but a longer one
  const auto planes =
      Planes<std::uint32_t>::of(ranks_in(set, 0), ranks_in(set, 1), ranks_in(set, 2), ranks_in(set, 3));
  const auto found = rank_planes<kSize>(planes);
  return static_cast<std::uint16_t>(found.base + found.step * detail::kOrder[found.first] +
                                    detail::kOrder[found.kickers]);
}

// Sixteen 16-bit lanes.
typedef std::uint16_t Lanes __attribute__((vector_size(32)));
inline constexpr int kLanes = 16;

ZEROSUM_INLINE Lanes number_lanes(const Unnumbered<Lanes>& found) {
  alignas(32) std::uint16_t first[kLanes], kickers[kLanes];
  __builtin_memcpy(first, &found.first, sizeof first);
  __builtin_memcpy(kickers, &found.kickers, sizeof kickers);
  for (int k = 0; k < kLanes; ++k) first[k] = detail::kOrder[first[k]];
  for (int k = 0; k < kLanes; ++k) kickers[k] = detail::kOrder[kickers[k]];
  Lanes numbered_first, numbered_kickers;
  __builtin_memcpy(&numbered_first, first, sizeof first);
  __builtin_memcpy(&numbered_kickers, kickers, sizeof kickers);
  return found.base + found.step * numbered_first + numbered_kickers;
}

// The values of sixteen sets of kSize cards.
template <int kSize>
ZEROSUM_INLINE void evaluate_sixteen(const std::uint64_t* sets, std::uint16_t* values) {
  // Four suits of sixteen hands, from words to lanes: three rounds of interleaving, which work within the
  // halves of a vector. With hands 0 to 7 in the lower halves and 8 to 15 in the upper ones the lanes end up
  // in order.
  Lanes w[4];
  for (int k = 0; k < 4; ++k) {
    __builtin_memcpy(reinterpret_cast<char*>(w + k), sets + 2 * k, 16);
    __builtin_memcpy(reinterpret_cast<char*>(w + k) + 16, sets + 8 + 2 * k, 16);
  }
  typedef std::uint64_t Words __attribute__((vector_size(32)));
  constexpr Lanes kLow = {0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27};
  constexpr Lanes kHigh = {4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31};
  constexpr Words kLowWords = {0, 4, 2, 6}, kHighWords = {1, 5, 3, 7};
  const Lanes a = __builtin_shuffle(w[0], w[1], kLow), b = __builtin_shuffle(w[0], w[1], kHigh);
  const Lanes c = __builtin_shuffle(w[2], w[3], kLow), d = __builtin_shuffle(w[2], w[3], kHigh);
  const Words e = reinterpret_cast<Words>(__builtin_shuffle(a, b, kLow));
  const Words f = reinterpret_cast<Words>(__builtin_shuffle(a, b, kHigh));
  const Words g = reinterpret_cast<Words>(__builtin_shuffle(c, d, kLow));
  const Words h = reinterpret_cast<Words>(__builtin_shuffle(c, d, kHigh));
  const auto suit = [](Words word) { return reinterpret_cast<Lanes>(word) & std::uint16_t{0x1fff}; };
  const auto planes =
      Planes<Lanes>::of(suit(__builtin_shuffle(e, g, kLowWords)), suit(__builtin_shuffle(e, g, kHighWords)),
                        suit(__builtin_shuffle(f, h, kLowWords)), suit(__builtin_shuffle(f, h, kHighWords)));
  const Lanes found = number_lanes(rank_planes<kSize>(planes));
  __builtin_memcpy(values, &found, sizeof found);
  std::uint64_t flushes[kLanes], any = 0;
  for (int k = 0; k < kLanes; ++k) flushes[k] = flush_bits(sets[k]);
  for (int k = 0; k < kLanes; ++k) any |= flushes[k];
  if (any == 0) return;
  for (int k = 0; k < kLanes; ++k) {
    if (flushes[k] != 0) values[k] = flush_value(sets[k]);
  }
}

template <int kSize>
ZEROSUM_INLINE std::uint64_t read_set(const std::uint8_t* cards) {
  std::uint64_t set = 0;
  for (int k = 0; k < kSize; ++k) set += kCardSets[cards[k]];
  return set;
}

// Cards are single bits that are added: twice the same one carries, and fewer bits are left than there were
// cards.
template <int kSize>
ZEROSUM_INLINE bool is_proper(std::uint64_t set) {
  return __builtin_popcountll(set & kRankBits) == kSize;
}

// [count, kSize] cards -> [count] values. Returns the first row that is not kSize different cards, or count.
template <int kSize>
ZEROSUM_INLINE std::size_t evaluate_rows_body(const std::uint8_t* cards, std::size_t count,
                                              std::uint16_t* values) {
  std::size_t row = 0;
  for (; row + kLanes <= count; row += kLanes) {
    alignas(32) std::uint64_t sets[kLanes];
    bool proper = true;
    for (int k = 0; k < kLanes; ++k) {
      sets[k] = read_set<kSize>(cards + (row + k) * kSize);
      proper &= is_proper<kSize>(sets[k]);
    }
    if (!proper) break;
    evaluate_sixteen<kSize>(sets, values + row);
  }
  for (; row < count; ++row) {
    const std::uint64_t set = read_set<kSize>(cards + row * kSize);
    if (!is_proper<kSize>(set)) return row;
    values[row] = evaluate<kSize>(set);
  }
  return count;
}

// The same for a size of 5, 6 or 7 that is known only when the program runs.
ZEROSUM_CLONES inline std::size_t evaluate_rows(const std::uint8_t* cards, std::size_t count, int size,
                                                std::uint16_t* values) {
  if (size == 5) return evaluate_rows_body<5>(cards, count, values);
  if (size == 6) return evaluate_rows_body<6>(cards, count, values);
  return evaluate_rows_body<7>(cards, count, values);
}

}  // namespace zerosum::cards
