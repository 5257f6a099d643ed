// The values of many hands, given as rows of card numbers. Where the machine has AVX2, 32 rows are read at a
// time: their bytes are interleaved into columns, looked up by shuffles, and added as bit planes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"

namespace zerosum::cards {

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
