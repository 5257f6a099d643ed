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

// All bits where x is not zero, for integers and for each lane of a vector.
template <typename V>
ZEROSUM_INLINE V nonzero(V x) {
  if constexpr (std::is_integral_v<V>) {
    return x != 0 ? static_cast<V>(~V{0}) : V{0};
  } else {
    return reinterpret_cast<V>(x != V{});
  }
}

template <typename V>
ZEROSUM_INLINE V choose(V mask, V yes, V no) {
  if constexpr (std::is_integral_v<V>) {
    return mask != 0 ? yes : no;
  } else {
    return mask ? yes : no;
  }
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
  return choose(nonzero(less), less, x);
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
  const auto beat = [&](V when, int base, int step, V first, V kickers) {
    best.base = choose(when, constant(base), best.base);
    best.step = choose(when, constant(step), best.step);
    best.first = choose(when, first, best.first);
    best.kickers = choose(when, kickers, best.kickers);
  };
  const V few = drop_times<kExtra>(singles);
  beat(nonzero(pairs), kBase[kPair], kPairStep, pairs, few);

  // Two pair: of three pairs the lowest competes with the singles for the kicker.
  const V two_or_three = drop(pairs);
  const V third = choose(nonzero(drop(two_or_three)), pairs & ~two_or_three, zero);
  V kicker = singles | third;
  for (int k = 0; k < kExtra; ++k) kicker = drop_if_more(kicker);
  beat(nonzero(two_or_three), kBase[kTwoPair], kTwoPairStep, pairs & ~third, kicker);
  beat(nonzero(trips), kBase[kTrips], kTripsStep, trips, few);

  // A straight's number is that of its high card alone. Runs longer than five leave neighbouring bits: the
  // top one counts.
  const V runs = straights(any);
  beat(nonzero(runs), kBase[kStraight], 0, zero, runs & ~(runs >> 1));

  // Full house: of two trips the higher leads; the lower competes with the pairs.
  const V lead = drop_if_more(trips);
  const V under = (trips & ~lead) | pairs;
  beat(nonzero(trips) & nonzero(under), kBase[kFullHouse], kFullHouseStep, lead, drop_if_more(under));

  V beside = any & ~planes.fours;
  for (int k = 0; k < kExtra; ++k) beside = drop_if_more(beside);
  beat(nonzero(planes.fours), kBase[kQuads], kQuadsStep, planes.fours, beside);
  return best;
}

inline std::uint16_t flush_value(std::uint64_t set) {
  const std::uint16_t* flushes = detail::kFlushes.data();
  return static_cast<std::uint16_t>(flushes[ranks_in(set, 0)] | flushes[ranks_in(set, 1)] |
                                    flushes[ranks_in(set, 2)] | flushes[ranks_in(set, 3)]);
}

// Whether some suit has five cards: its count plus three carries into bit 3.
ZEROSUM_INLINE bool has_flush(std::uint64_t set) {
  return ((((set >> 13) & 0x0007000700070007ULL) + 0x0003000300030003ULL) & 0x0008000800080008ULL) != 0;
}

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
  // Four suits of sixteen hands, from words to lanes: three rounds of interleaving. The lanes end up in the
  // order 0 1 4 5 8 9 12 13 | 2 3 6 7 10 11 14 15.
  Lanes w[4];
  __builtin_memcpy(w, sets, sizeof w);
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
  constexpr int kPlace[kLanes] = {0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15};
  alignas(32) std::uint16_t lanes[kLanes];
  __builtin_memcpy(lanes, &found, sizeof lanes);
  for (int k = 0; k < kLanes; ++k) values[k] = lanes[kPlace[k]];
  for (int k = 0; k < kLanes; ++k) {
    if (has_flush(sets[k])) values[k] = flush_value(sets[k]);
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
