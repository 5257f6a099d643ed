// Eight numbers at a time, as vectors that every compiler's own instructions fill. Their sums have one order,
// so that no compiler's flags change a bit of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "zerosum/cards/card.hpp"

// A lambda that becomes part of who calls it, with the instructions that may be used there.
#define ZEROSUM_LAMBDA __attribute__((always_inline))

namespace zerosum::nn {

typedef float Eight __attribute__((vector_size(32)));
typedef std::int32_t EightWhole __attribute__((vector_size(32)));

ZEROSUM_INLINE Eight load(const float* from) {
  Eight eight;
  std::memcpy(&eight, from, sizeof eight);
  return eight;
}

ZEROSUM_INLINE void store(Eight eight, float* to) { std::memcpy(to, &eight, sizeof eight); }

ZEROSUM_INLINE float total(Eight eight) {
  typedef float Four __attribute__((vector_size(16)));
  Four half[2];
  std::memcpy(half, &eight, sizeof half);
  const Four four = half[0] + half[1];
  return (four[0] + four[2]) + (four[1] + four[3]);
}

// e^x within two units of the last place for x <= 0; e^0 for what is above, e^-87 for what is far below.
ZEROSUM_INLINE Eight exponentials(Eight x) {
  constexpr float kMagic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to whole numbers
  const Eight zero = {};
  x = x < zero ? x : zero;
  x = x > zero - 87.0f ? x : zero - 87.0f;
  const Eight shifted = x * 1.44269504f + kMagic, whole = shifted - kMagic;
  const Eight rest = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
  Eight sum = rest * 1.9875691500e-4f + 1.3981999507e-3f;
  sum = sum * rest + 8.3334519073e-3f;
  sum = sum * rest + 4.1665795894e-2f;
  sum = sum * rest + 1.6666665459e-1f;
  sum = sum * rest + 5.0000001201e-1f;
  sum = sum * rest * rest + rest + 1.0f;
  EightWhole bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 127) << 23;  // the magic number's own bits fall off the top
  Eight power;
  std::memcpy(&power, &bits, sizeof power);
  return sum * power;
}

#if defined(__clang__)
#define ZEROSUM_MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define ZEROSUM_MIX(a, b, ...) __builtin_shuffle(a, b, EightWhole{__VA_ARGS__})
#endif

// Rows of eight become columns.
ZEROSUM_INLINE void transpose(Eight* row) {
  Eight two[8], four[8];
  for (int k = 0; k < 8; k += 2) {
    two[k] = ZEROSUM_MIX(row[k], row[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    two[k + 1] = ZEROSUM_MIX(row[k], row[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int k = 0; k < 8; k += 4) {
    for (int odd = 0; odd < 2; ++odd) {
      four[k + 2 * odd] = ZEROSUM_MIX(two[k + odd], two[k + odd + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      four[k + 2 * odd + 1] = ZEROSUM_MIX(two[k + odd], two[k + odd + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int k = 0; k < 4; ++k) {
    row[k] = ZEROSUM_MIX(four[k], four[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    row[k + 4] = ZEROSUM_MIX(four[k], four[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

#undef ZEROSUM_MIX

}  // namespace zerosum::nn
