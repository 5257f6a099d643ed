// What a transformer's layer (norms first) does to tokens around its matrix products, in one pass each:
// tokens become rows and their norms, and what attention adds becomes means over sequences and norms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zerosum/nn/eights.hpp"

namespace zerosum::nn {

// A layer norm's weights; `least` is added to the variance.
struct NormWeights {
  const float *gain, *shift;
  float least;
};

namespace detail {

// `row` [width], a multiple of eight.
ZEROSUM_INLINE void normalise(const float* row, std::size_t width, const NormWeights& norm, float* out) {
  const float part = 1.0f / static_cast<float>(width);
  Eight sum = {}, squares = {};
  for (std::size_t d = 0; d < width; d += 8) sum += load(row + d);
  const float mean = total(sum) * part;
  for (std::size_t d = 0; d < width; d += 8) {
    const Eight away = load(row + d) - mean;
    squares += away * away;
  }
  const float scale = 1.0f / std::sqrt(total(squares) * part + norm.least);
  for (std::size_t d = 0; d < width; d += 8) {
    store((load(row + d) - mean) * scale * load(norm.gain + d) + load(norm.shift + d), out + d);
  }
}

}  // namespace detail

// Tokens [count, inputs], mostly zeros, and their places -> rows [count, width] and their norms. `weights`
// [inputs, width]; `table`: what each place adds.
struct Projection {
  const float *weights, *table;
  std::size_t inputs, width;
};

ZEROSUM_CLONES inline void project(const Projection& by, const NormWeights& norm, const float* token,
                                   const std::int64_t* place, std::size_t count, float* row, float* normed) {
  for (std::size_t t = 0; t < count; ++t, token += by.inputs, row += by.width, normed += by.width) {
    const float* start = by.table + static_cast<std::size_t>(place[t]) * by.width;
    std::copy(start, start + by.width, row);
    for (std::size_t k = 0; k < by.inputs; ++k) {
      if (token[k] == 0.0f) continue;
      const float* weights = by.weights + k * by.width;
      for (std::size_t d = 0; d < by.width; d += 8) {
        store(load(row + d) + token[k] * load(weights + d), row + d);
      }
    }
    detail::normalise(row, by.width, norm, normed);
  }
}

// Rows, what attention adds to them (both [tokens, width]) and `bias` -> `mean` [count, width], zeros before,
// over sequences offset[k] .. offset[k + 1] - 1, and the sums' norms [tokens, width].
ZEROSUM_CLONES inline void add_attention(const float* row, const float* added, const float* bias,
                                         std::size_t width, const NormWeights& norm,
                                         const std::int64_t* offset, std::size_t count, float* mean,
                                         float* normed) {
  std::vector<float> sum(width);
  for (std::size_t k = 0; k < count; ++k, mean += width) {
    for (std::int64_t t = offset[k]; t < offset[k + 1]; ++t) {
      const std::size_t at = static_cast<std::size_t>(t) * width;
      for (std::size_t d = 0; d < width; d += 8) {
        const Eight eight = load(row + at + d) + load(added + at + d) + load(bias + d);
        store(eight, sum.data() + d);
        store(load(mean + d) + eight, mean + d);
      }
      detail::normalise(sum.data(), width, norm, normed + at);
    }
    const float by = 1.0f / static_cast<float>(std::max<std::int64_t>(1, offset[k + 1] - offset[k]));
    for (std::size_t d = 0; d < width; d += 8) store(by * load(mean + d), mean + d);
  }
}

}  // namespace zerosum::nn
