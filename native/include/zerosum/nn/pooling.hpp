// Means over sequences that lie one after the other, of what is above zero: the rectifier and the pooling
// behind it in one pass. Pooling is linear, so what follows it is computed once for each sequence, not for
// each token.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "zerosum/cards/card.hpp"

namespace zerosum::nn {

// `token` [tokens, width] -> `mean` [count, width], zeros before; sequence k is tokens offset[k] ..
// offset[k + 1] - 1, and one without tokens has zeros. `low`: what smaller numbers count as.
ZEROSUM_CLONES inline void pool(const float* token, const std::int64_t* offset, std::size_t count,
                                std::size_t width, float low, float* mean) {
  for (std::size_t k = 0; k < count; ++k, mean += width) {
    for (std::int64_t t = offset[k]; t < offset[k + 1]; ++t) {
      const float* row = token + static_cast<std::size_t>(t) * width;
      for (std::size_t d = 0; d < width; ++d) mean[d] += row[d] > low ? row[d] : low;
    }
    const float by = 1.0f / static_cast<float>(std::max<std::int64_t>(1, offset[k + 1] - offset[k]));
    for (std::size_t d = 0; d < width; ++d) mean[d] *= by;
  }
}

// The way back.
ZEROSUM_CLONES inline void pool_back(const float* token, const std::int64_t* offset, std::size_t count,
                                     std::size_t width, float low, const float* by_mean, float* by_token) {
  for (std::size_t k = 0; k < count; ++k, by_mean += width) {
    const float by = 1.0f / static_cast<float>(std::max<std::int64_t>(1, offset[k + 1] - offset[k]));
    for (std::int64_t t = offset[k]; t < offset[k + 1]; ++t) {
      const std::size_t at = static_cast<std::size_t>(t) * width;
      for (std::size_t d = 0; d < width; ++d) by_token[at + d] = token[at + d] > low ? by_mean[d] * by : 0.0f;
    }
  }
}

}  // namespace zerosum::nn
