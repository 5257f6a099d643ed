// Cards: id = rank * 4 + suit, rank 0..12 = 2..A, suit 0..3 = c d h s. A set of cards is a 64-bit word with a
// 16-bit field for each suit: bits 0..12 are its ranks, bits 13..15 count its cards (up to seven).
#pragma once

#include <array>
#include <cstdint>

// Compiled for plain x86-64 and again for AVX2-class machines; the right one is picked when the program
// starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define ZEROSUM_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define ZEROSUM_CLONES
#endif
// For what is written with AVX2's own instructions: called only where has_avx2().
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ZEROSUM_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#endif
#define ZEROSUM_INLINE inline __attribute__((always_inline))

namespace zerosum::cards {

#if defined(ZEROSUM_AVX2)
inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  return has;
}
#endif

inline constexpr int kCards = 52;
inline constexpr int kRanks = 13;
inline constexpr int kCombos = 1326;  // pairs of cards
inline constexpr std::uint64_t kRankBits = 0x1fff1fff1fff1fffULL;

constexpr int rank_of(int card) { return card >> 2; }
constexpr int suit_of(int card) { return card & 3; }

// A set of one card; sets of different cards are joined by addition.
constexpr std::uint64_t card_set(int card) {
  return ((std::uint64_t{1} << rank_of(card)) | (std::uint64_t{1} << 13)) << (16 * suit_of(card));
}

// [256] so that any byte can be looked up; what is no card adds nothing and is caught by counting.
inline constexpr std::array<std::uint64_t, 256> kCardSets = [] {
  std::array<std::uint64_t, 256> sets{};
  for (int card = 0; card < kCards; ++card) sets[card] = card_set(card);
  return sets;
}();

constexpr std::uint32_t ranks_in(std::uint64_t set, int suit) {
  return static_cast<std::uint32_t>(set >> (16 * suit)) & 0x1fff;
}

// Pairs of cards are numbered by the higher card, then the lower: pair (a < b) is b * (b - 1) / 2 + a.
constexpr int combo_index(int a, int b) { return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b; }

struct Combo {
  std::uint8_t low, high;
};

inline constexpr std::array<Combo, kCombos> kCombo = [] {
  std::array<Combo, kCombos> combos{};
  int k = 0;
  for (int b = 1; b < kCards; ++b) {
    for (int a = 0; a < b; ++a) combos[k++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
  }
  return combos;
}();

}  // namespace zerosum::cards
