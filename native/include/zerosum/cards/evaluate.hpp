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

#if defined(ZEROSUM_AVX2)
namespace detail {

// Bit planes of 32 bytes at a time; full adders join three planes of one weight into one of it and one of the
// next.
struct Sum {
  __m256i bit, carry;
};
ZEROSUM_AVX2 inline Sum full_add(__m256i a, __m256i b, __m256i c) {
  const __m256i odd = _mm256_xor_si256(a, b);
  return {_mm256_xor_si256(odd, c), _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(odd, c))};
}

// Seven planes (those that are not needed are zero) -> how many are set, as ones, twos, fours.
ZEROSUM_AVX2 inline void add_planes(const __m256i* plane, __m256i* sums) {
  const Sum low = full_add(plane[0], plane[1], plane[2]), high = full_add(plane[3], plane[4], plane[5]);
  const Sum ones = full_add(low.bit, high.bit, plane[6]);
  const Sum twos = full_add(low.carry, high.carry, ones.carry);
  sums[0] = ones.bit;
  sums[1] = twos.bit;
  sums[2] = twos.carry;
}

// Byte k of each of 32 rows of kSize bytes, for each k: rows are read eight bytes at a time and interleaved.
template <int kSize>
ZEROSUM_AVX2 inline void read_columns(const std::uint8_t* cards, __m256i* column) {
  __m256i row[8];
  for (int k = 0; k < 8; ++k) {
    const auto two = [&](int first) ZEROSUM_AVX2 {
      const auto one = [&](int r) ZEROSUM_AVX2 {
        return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(cards + r * kSize));
      };
      return _mm_unpacklo_epi64(one(first), one(first + 8));
    };
    row[k] = _mm256_set_m128i(two(16 + k), two(k));
  }
  __m256i low[8], high[8];
  for (int k = 0; k < 4; ++k) {  // rows k and k + 4 in low, those eight further on in high
    low[k] = _mm256_unpacklo_epi8(row[k], row[k + 4]);
    high[k] = _mm256_unpackhi_epi8(row[k], row[k + 4]);
  }
  const auto interleave = [](__m256i* four) ZEROSUM_AVX2 {  // -> columns 0 1, 2 3, 4 5, 6 7 of eight rows
    const __m256i even_low = _mm256_unpacklo_epi8(four[0], four[2]),
                  even_high = _mm256_unpackhi_epi8(four[0], four[2]),
                  odd_low = _mm256_unpacklo_epi8(four[1], four[3]),
                  odd_high = _mm256_unpackhi_epi8(four[1], four[3]);
    four[0] = _mm256_unpacklo_epi8(even_low, odd_low);
    four[1] = _mm256_unpackhi_epi8(even_low, odd_low);
    four[2] = _mm256_unpacklo_epi8(even_high, odd_high);
    four[3] = _mm256_unpackhi_epi8(even_high, odd_high);
  };
  interleave(low);
  interleave(high);
  for (int k = 0; k < kSize; ++k) {
    column[k] = k % 2 == 0 ? _mm256_unpacklo_epi64(low[k / 2], high[k / 2])
                           : _mm256_unpackhi_epi64(low[k / 2], high[k / 2]);
  }
}

ZEROSUM_AVX2 inline __m256i table_of(__m128i table) { return _mm256_broadcastsi128_si256(table); }

// The values of 32 rows, of which the last may not be the last of all: eight bytes of each row are read.
// False where a row is not kSize different cards.
template <int kSize>
ZEROSUM_AVX2 inline bool evaluate_32(const std::uint8_t* cards, std::uint16_t* values) {
  __m256i column[kSize];
  read_columns<kSize>(cards, column);
  __m256i wrong = _mm256_setzero_si256();
  for (int a = 0; a < kSize; ++a) {
    wrong = _mm256_or_si256(wrong, _mm256_cmpgt_epi8(_mm256_xor_si256(column[a], _mm256_set1_epi8(-128)),
                                                     _mm256_set1_epi8(kCards - 1 - 128)));
    for (int b = 0; b < a; ++b) wrong = _mm256_or_si256(wrong, _mm256_cmpeq_epi8(column[a], column[b]));
  }
  if (!_mm256_testz_si256(wrong, wrong)) return false;

  // Which byte of a 16-bit set of ranks a rank's bit is in, and which bit; suits are counted in half bytes.
  const __m256i low_bits = table_of(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i high_bits = table_of(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 0, 0, 0));
  const __m256i clubs_diamonds = table_of(_mm_setr_epi8(1, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i hearts_spades = table_of(_mm_setr_epi8(0, 0, 1, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  __m256i low[7], high[7], suits[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  for (int k = 0; k < 7; ++k) {
    if (k >= kSize) {
      low[k] = high[k] = _mm256_setzero_si256();
      continue;
    }
    const __m256i rank = _mm256_and_si256(_mm256_srli_epi16(column[k], 2), _mm256_set1_epi8(15)),
                  suit = _mm256_and_si256(column[k], _mm256_set1_epi8(3));
    low[k] = _mm256_shuffle_epi8(low_bits, rank);
    high[k] = _mm256_shuffle_epi8(high_bits, rank);
    suits[0] = _mm256_add_epi8(suits[0], _mm256_shuffle_epi8(clubs_diamonds, suit));
    suits[1] = _mm256_add_epi8(suits[1], _mm256_shuffle_epi8(hearts_spades, suit));
  }
  __m256i low_sums[3], high_sums[3];
  add_planes(low, low_sums);
  add_planes(high, high_sums);

  // Unpacking works within halves: rows 0 to 7 and 16 to 23 first, then the others.
  const auto first = [&](int k) ZEROSUM_AVX2 {
    return reinterpret_cast<Lanes>(_mm256_unpacklo_epi8(low_sums[k], high_sums[k]));
  };
  const auto second = [&](int k) ZEROSUM_AVX2 {
    return reinterpret_cast<Lanes>(_mm256_unpackhi_epi8(low_sums[k], high_sums[k]));
  };
  const __m256i a = reinterpret_cast<__m256i>(
      number_lanes(rank_planes<kSize>(Planes<Lanes>{first(0), first(1), first(2)})));
  const __m256i b = reinterpret_cast<__m256i>(
      number_lanes(rank_planes<kSize>(Planes<Lanes>{second(0), second(1), second(2)})));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values), _mm256_permute2x128_si256(a, b, 0x20));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + 16), _mm256_permute2x128_si256(a, b, 0x31));

  // Three more than five carry into the top bit of a half byte.
  const __m256i three = _mm256_set1_epi8(0x33), top = _mm256_set1_epi8(-0x78);
  const __m256i five = _mm256_and_si256(
      top, _mm256_or_si256(_mm256_add_epi8(suits[0], three), _mm256_add_epi8(suits[1], three)));
  auto flushes =
      ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(five, _mm256_setzero_si256())));
  for (; flushes != 0; flushes &= flushes - 1) {
    const int row = __builtin_ctz(flushes);
    values[row] = flush_value(read_set<kSize>(cards + row * kSize));
  }
  return true;
}

template <int kSize>
ZEROSUM_AVX2 inline std::size_t evaluate_blocks(const std::uint8_t* cards, std::size_t count,
                                                std::uint16_t* values) {
  std::size_t row = 0;
  while (row + 34 <= count && evaluate_32<kSize>(cards + row * kSize, values + row)) row += 32;
  return row;
}

}  // namespace detail
#endif

// [count, kSize] cards -> [count] values. Returns the first row that is not kSize different cards, or count.
template <int kSize>
inline std::size_t evaluate_rows(const std::uint8_t* cards, std::size_t count, std::uint16_t* values) {
  std::size_t row = 0;
#if defined(ZEROSUM_AVX2)
  if (has_avx2()) row = detail::evaluate_blocks<kSize>(cards, count, values);
#endif
  for (; row < count; ++row) {
    const std::uint64_t set = read_set<kSize>(cards + row * kSize);
    if (!is_proper<kSize>(set)) return row;
    values[row] = evaluate<kSize>(set);
  }
  return count;
}

// The same for a size of 5, 6 or 7 that is known only when the program runs.
inline std::size_t evaluate_rows(const std::uint8_t* cards, std::size_t count, int size,
                                 std::uint16_t* values) {
  if (size == 5) return evaluate_rows<5>(cards, count, values);
  if (size == 6) return evaluate_rows<6>(cards, count, values);
  return evaluate_rows<7>(cards, count, values);
}

}  // namespace zerosum::cards
