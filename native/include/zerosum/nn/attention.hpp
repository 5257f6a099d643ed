// Attention (Vaswani et al. 2017) within short sequences that lie one after the other, without padding: each
// costs what its own length asks for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "zerosum/nn/eights.hpp"

namespace zerosum::nn {

inline constexpr int kLongest = 32;  // tokens of a sequence
inline constexpr int kHeadWidth = 16;

// `token` [tokens, 3 * heads * kHeadWidth]: queries, keys and values side by side, head after head; sequence
// k is tokens offset[k] .. offset[k + 1] - 1.
struct Sequences {
  const float* token;
  const std::int64_t* offset;
  std::size_t count;
  int heads;

  std::ptrdiff_t hidden() const { return std::ptrdiff_t{heads} * kHeadWidth; }
};

namespace detail {

// One head's part of one sequence. Eight tokens ask at once, one in each lane: maxima and sums over who is
// asked are those of whole registers.
struct Askers {
  const float *query, *key, *value;
  std::ptrdiff_t stride;
  int length;

  // asked[d] lane i = query i, number d; `rows` of them from `first`.
  ZEROSUM_INLINE void take(int first, int rows, Eight* asked) const {
    const float scale = 1.0f / std::sqrt(static_cast<float>(kHeadWidth));
    for (int d = 0; d < kHeadWidth; d += 8) {
      Eight eight[8] = {};
      for (int i = 0; i < rows; ++i) eight[i] = load(query + (first + i) * stride + d);
      transpose(eight);
      for (int k = 0; k < 8; ++k) asked[d + k] = eight[k] * scale;
    }
  }

  // share[j + e] = the askers' products with key j + e, for several keys at once.
  template <int kKeys>
  ZEROSUM_INLINE void multiply(int j, const Eight* asked, Eight* share) const {
    Eight sum[kKeys] = {};
    for (int d = 0; d < kHeadWidth; ++d) {
      for (int e = 0; e < kKeys; ++e) sum[e] += key[(j + e) * stride + d] * asked[d];
    }
    for (int e = 0; e < kKeys; ++e) share[j + e] = sum[e];
  }

  // How much the askers look at each token, and one over the sum of it.
  ZEROSUM_INLINE Eight shares(const Eight* asked, Eight* share) const {
    int j = 0;
    for (; j + 4 <= length; j += 4) multiply<4>(j, asked, share);
    for (; j < length; ++j) multiply<1>(j, asked, share);
    Eight most = share[0], sum = {};
    for (j = 1; j < length; ++j) most = most > share[j] ? most : share[j];
    for (j = 0; j < length; ++j) {
      share[j] = exponentials(share[j] - most);
      sum += share[j];
    }
    return 1.0f / sum;
  }

  // `out` [length] rows, `hidden` apart.
  ZEROSUM_INLINE void attend(float* out, std::ptrdiff_t hidden) const {
    Eight asked[kHeadWidth], share[kLongest];
    for (int first = 0; first < length; first += 8) {
      const int rows = std::min(8, length - first);
      take(first, rows, asked);
      const Eight by = shares(asked, share);
      for (int d = 0; d < kHeadWidth; d += 8) {
        Eight eight[8] = {};
        for (int j = 0; j < length; ++j) {
          for (int k = 0; k < 8; ++k) eight[k] += value[j * stride + d + k] * share[j];
        }
        for (int k = 0; k < 8; ++k) eight[k] *= by;
        transpose(eight);
        for (int i = 0; i < rows; ++i) store(eight[i], out + (first + i) * hidden + d);
      }
    }
  }
};

}  // namespace detail

// -> [tokens, hidden]
ZEROSUM_CLONES inline void attend(const Sequences& all, float* out) {
  const std::ptrdiff_t hidden = all.hidden();
  for (std::size_t k = 0; k < all.count; ++k) {
    const std::ptrdiff_t token = all.offset[k];
    const auto length = static_cast<int>(all.offset[k + 1] - token);
    for (int h = 0; h < all.heads; ++h) {
      const std::ptrdiff_t within = std::ptrdiff_t{h} * kHeadWidth;
      const float* first = all.token + token * 3 * hidden + within;
      const detail::Askers askers{first, first + hidden, first + 2 * hidden, 3 * hidden, length};
      askers.attend(out + token * hidden + within, hidden);
    }
  }
}

}  // namespace zerosum::nn
