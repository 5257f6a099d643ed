// The way back through attention, for training.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "zerosum/nn/attention.hpp"

namespace zerosum::nn {

namespace detail {

// One head's part of one sequence. The numbers of lanes and their width are known to the compiler, so that
// sums stay in registers.
template <int kWidth, int kLanes>
struct Head {
  template <int kSize>
  union Numbers {
    float at[kSize];
    Eight eight[kSize / 8];
  };
  using Lane = Numbers<kLanes>;
  using Row = Numbers<kWidth>;

  const float *query, *key, *value;
  std::ptrdiff_t stride;
  int length;

  // columns[d].at[j] = from[j][d]
  ZEROSUM_INLINE void transpose(const float* from, Lane* columns) const {
    for (int d = 0; d < kWidth; ++d) columns[d] = Lane{};
    for (int j = 0; j < length; ++j) {
      for (int d = 0; d < kWidth; ++d) columns[d].at[j] = from[j * stride + d];
    }
  }

  // products.at[j] = row · column j
  ZEROSUM_INLINE static void multiply(const float* row, const Lane* columns, Lane& products) {
    Eight sum[kLanes / 8] = {};
    for (int d = 0; d < kWidth; ++d) {
      for (int e = 0; e < kLanes / 8; ++e) sum[e] += row[d] * columns[d].eight[e];
    }
    for (int e = 0; e < kLanes / 8; ++e) products.eight[e] = sum[e];
  }

  // How much token i looks at each other one.
  ZEROSUM_INLINE void shares(int i, const Lane* keys, Lane& share) const {
    multiply(query + i * stride, keys, share);
    const float scale = 1.0f / std::sqrt(static_cast<float>(kWidth));
    float most = share.at[0];
    for (int j = 1; j < length; ++j) most = std::max(most, share.at[j]);
    for (int e = 0; e < kLanes / 8; ++e) share.eight[e] = exponentials((share.eight[e] - most) * scale);
    for (int j = length; j < kLanes; ++j) share.at[j] = 0.0f;
    float sum = 0.0f;
    for (int j = 0; j < length; ++j) sum += share.at[j];
    const float by = 1.0f / sum;
    for (int j = 0; j < kLanes; ++j) share.at[j] *= by;
  }

  // `by_out` [length] rows, `hidden` apart; `by_query`, and keys and values `hidden` and twice that further
  // on, as the tokens.
  ZEROSUM_INLINE void back(const float* by_out, std::ptrdiff_t hidden, float* by_query) const {
    const float scale = 1.0f / std::sqrt(static_cast<float>(kWidth));
    Lane keys[kWidth], values[kWidth], share, by_share;
    Row by_key[kLanes] = {}, by_value[kLanes] = {};
    transpose(key, keys);
    transpose(value, values);
    for (int i = 0; i < length; ++i) {
      const float *wanted = by_out + i * hidden, *asked = query + i * stride;
      shares(i, keys, share);
      multiply(wanted, values, by_share);
      float mean = 0.0f;
      for (int j = 0; j < length; ++j) mean += share.at[j] * by_share.at[j];
      Row sum{};
      for (int j = 0; j < length; ++j) {
        const float slope = share.at[j] * (by_share.at[j] - mean) * scale;
        for (int e = 0; e < kWidth / 8; ++e) {
          sum.eight[e] += slope * load(key + j * stride + 8 * e);
          by_key[j].eight[e] += slope * load(asked + 8 * e);
          by_value[j].eight[e] += share.at[j] * load(wanted + 8 * e);
        }
      }
      std::memcpy(by_query + i * stride, &sum, sizeof sum);
    }
    for (int j = 0; j < length; ++j) {
      float* one = by_query + hidden + j * stride;
      std::memcpy(one, &by_key[j], sizeof by_key[j]);
      std::memcpy(one + hidden, &by_value[j], sizeof by_value[j]);
    }
  }
};

// Calls f with every head of every sequence, as short as its length allows.
template <int kWidth, typename F>
ZEROSUM_INLINE void for_each_head(const Sequences& all, F f) {
  const std::ptrdiff_t hidden = all.hidden();
  for (std::size_t k = 0; k < all.count; ++k) {
    const auto length = static_cast<int>(all.offset[k + 1] - all.offset[k]);
    const std::ptrdiff_t token = all.offset[k];
    for (int h = 0; h < all.heads; ++h) {
      const std::ptrdiff_t within = std::ptrdiff_t{h} * kWidth;
      const float* first = all.token + token * 3 * hidden + within;
      const auto at = [&](auto lanes) ZEROSUM_LAMBDA {
        f(Head<kWidth, lanes.value>{first, first + hidden, first + 2 * hidden, 3 * hidden, length}, token,
          within);
      };
      if (length <= 8) {
        at(std::integral_constant<int, 8>());
      } else if (length <= 16) {
        at(std::integral_constant<int, 16>());
      } else if (length <= 24) {
        at(std::integral_constant<int, 24>());
      } else {
        at(std::integral_constant<int, kLongest>());
      }
    }
  }
}

}  // namespace detail

// `by_out` [tokens, hidden] -> `by_token` [tokens, 3 * hidden]
ZEROSUM_CLONES inline void attend_back(const Sequences& all, const float* by_out, float* by_token) {
  const std::ptrdiff_t hidden = all.hidden();
  detail::for_each_head<kHeadWidth>(
      all, [&](const auto& head, std::ptrdiff_t token, std::ptrdiff_t within) ZEROSUM_LAMBDA {
        head.back(by_out + token * hidden + within, hidden, by_token + token * 3 * hidden + within);
      });
}

}  // namespace zerosum::nn
