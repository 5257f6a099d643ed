// The value of the best five of 5, 6 or 7 cards: higher is better, equal means split.
//
// No table of hands: how many cards each rank has is kept as three bit planes (ones, twos, fours) of 13 bits,
// and categories fall out of a few bit operations on them. The same code runs on one hand in an integer or on
// 16 hands in the 16-bit lanes of a vector. One look into a table then numbers the ranks that decide within a
// category.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "zerosum/cards/card.hpp"

namespace zerosum::cards {

enum Category { kHighCard, kPair, kTwoPair, kTrips, kStraight, kFlush, kFullHouse, kQuads, kStraightFlush };

// A value is base[category] + (the first rank) * kStep + (number of the kickers); for two pair it is
// base + (number of the two ranks) * 13 + (the kicker).
inline constexpr std::uint16_t kStep = 286;  // sets of three kickers
inline constexpr std::array<std::uint16_t, 10> kBase = {1,    1288,  5006,  6020,  9738,
                                                        9748, 11035, 14753, 18471, 18481};

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

// Number of a set of ranks among those with as many ranks, in ascending order; with kTwoPairs set, 13 times
// that.
inline constexpr std::uint32_t kTwoPairs = 8192;
inline constexpr std::array<std::uint16_t, 2 * kTwoPairs> kOrder = [] {
  std::array<std::uint16_t, 2 * kTwoPairs> order{};
  std::array<std::uint16_t, 14> next{};
  for (std::uint32_t mask = 0; mask < kTwoPairs; ++mask) {
    order[mask] = next[count_bits(mask)]++;
    order[kTwoPairs + mask] = static_cast<std::uint16_t>(13 * order[mask]);
  }
  return order;
}();

// Bit i of the answer: a straight whose high card has rank i + 3 (the wheel's five is bit 0).
template <typename V>
ZEROSUM_INLINE constexpr V straights(V ranks) {
  const V wrapped = (ranks << 1) | (ranks >> 12);
  const V two = wrapped & (wrapped >> 1);
  return two & (two >> 2) & (wrapped >> 4);
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

// A value before its ranks are numbered: base + order[set] + step * (the highest rank of `ranks`).
template <typename V>
struct Unnumbered {
  V base, set, ranks, step;
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
  const auto no_pair = is_zero(pairs), no_trips = is_zero(trips), no_quads = is_zero(planes.fours);

  // High card, a pair or trips beside singles, of which the lowest do not play.
  Unnumbered<V> best{constant(kBase[kHighCard]), drop_times<kExtra>(singles), no_trips ? pairs : trips,
                     constant(kStep)};
  best.base = no_pair ? best.base : constant(kBase[kPair]);
  best.base = no_trips ? best.base : constant(kBase[kTrips]);

  // Two pair: of three pairs the lowest competes with the singles for the kicker.
  const V two_or_three = drop(pairs);
  const V third = is_zero(drop(two_or_three)) ? zero : pairs ^ two_or_three;
  const auto no_two = is_zero(no_trips ? two_or_three : zero);
  best.base = no_two ? best.base : constant(kBase[kTwoPair]);
  best.set = no_two ? best.set : (pairs ^ third) | constant(kTwoPairs);
  best.ranks = no_two ? best.ranks : singles | third;
  best.step = no_two ? best.step : constant(1);

  // A straight's number is that of its high card alone. Runs longer than five leave neighbouring bits: the
  // top one counts.
  const V runs = straights(any);
  const auto no_straight = is_zero(runs);
  best.base = no_straight ? best.base : constant(kBase[kStraight]);
  best.set = no_straight ? best.set : runs & ~(runs >> 1);
  best.ranks = no_straight ? best.ranks : zero;

  // Full house: of two trips the lower competes with the pairs. Then quads.
  const V more_trips = drop(trips);
  const V under = is_zero(more_trips) ? (no_trips ? zero : pairs) : trips ^ more_trips;
  best.base = is_zero(under) ? best.base : constant(kBase[kFullHouse]);
  best.base = no_quads ? best.base : constant(kBase[kQuads]);
  best.ranks = no_quads ? best.ranks : planes.fours;
  V beside = no_quads ? under : any ^ planes.fours;
  for (int k = 0; k < kExtra; ++k) beside = drop_if_more(beside);
  best.set = is_zero(beside) ? best.set : beside;
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
  const std::uint32_t highest = 31u - static_cast<std::uint32_t>(__builtin_clz(found.ranks | 1));
  return static_cast<std::uint16_t>(found.base + detail::kOrder[found.set] + found.step * highest);
}

// Sixteen 16-bit lanes.
typedef std::uint16_t Lanes __attribute__((vector_size(32)));
inline constexpr int kLanes = 16;

// The number of the highest bit of each lane below 2^15, 0 for none: the exponent of a float.
ZEROSUM_INLINE Lanes highest_bit(Lanes x) {
  typedef std::int32_t Wide __attribute__((vector_size(32)));
  typedef float Floats __attribute__((vector_size(32)));
  const Wide words = reinterpret_cast<Wide>(x | std::uint16_t{1});
  const auto exponent = [](Wide word) {
    return (reinterpret_cast<Wide>(__builtin_convertvector(word, Floats)) >> 23) - 127;
  };
  return reinterpret_cast<Lanes>(exponent(words & 0xffff) | (exponent(words >> 16) << 16));
}

ZEROSUM_INLINE Lanes number_lanes(const Unnumbered<Lanes>& found) {
  alignas(32) std::uint16_t order[kLanes];
  __builtin_memcpy(order, &found.set, sizeof order);
  for (int k = 0; k < kLanes; ++k) order[k] = detail::kOrder[order[k]];
  Lanes numbered;
  __builtin_memcpy(&numbered, order, sizeof order);
  return found.base + numbered + found.step * highest_bit(found.ranks);
}

}  // namespace zerosum::cards
