// A linear layer asked about one row at a time. What limits it is fetching the weights, and half of what a
// ReLU lets through is zero: weights lie by input, so that those of a zero are never touched. A layer norm
// between the ReLU and the layer is folded into the weights, which keeps the zeros:
//   W (g (x - mean) / deviation + h) + b = (W g) x / deviation - mean / deviation * sum(W g) + (W h + b).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "zerosum/nn/weights.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ZEROSUM_FMA __attribute__((target("avx2,fma")))
#endif

namespace zerosum::nn {

inline bool has_fma() {
#if defined(ZEROSUM_FMA)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

inline constexpr std::size_t kBlock = 64;  // outputs that are computed together: eight registers

// The inputs that are not zero.
struct Sparse {
  std::vector<std::uint32_t> at;
  std::vector<float> value;
  std::size_t count = 0;

  explicit Sparse(std::size_t most) : at(most), value(most) {}

  void take(const float* row, std::size_t size) {
    count = 0;
    for (std::size_t k = 0; k < size; ++k) {
      at[count] = static_cast<std::uint32_t>(k);
      value[count] = row[k];
      count += row[k] != 0.0f;
    }
  }
};

namespace detail {

// One block: out[kBlock] = the weighted sum of the inputs' columns. `weights` is [inputs, kBlock].
inline void sum_plain(const float* weights, const Sparse& in, float* out) {
  std::fill_n(out, kBlock, 0.0f);
  for (std::size_t k = 0; k < in.count; ++k) {
    const float* column = weights + in.at[k] * kBlock;
    for (std::size_t o = 0; o < kBlock; ++o) out[o] += in.value[k] * column[o];
  }
}

#if defined(ZEROSUM_FMA)
ZEROSUM_FMA inline void sum_fma(const float* weights, const Sparse& in, float* out) {
  __m256 sums[kBlock / 8];
  for (auto& sum : sums) sum = _mm256_setzero_ps();
  for (std::size_t k = 0; k < in.count; ++k) {
    const float* column = weights + in.at[k] * kBlock;
    const __m256 value = _mm256_broadcast_ss(&in.value[k]);
    for (std::size_t o = 0; o < kBlock / 8; ++o) {
      sums[o] = _mm256_fmadd_ps(value, _mm256_loadu_ps(column + 8 * o), sums[o]);
    }
  }
  for (std::size_t o = 0; o < kBlock / 8; ++o) _mm256_storeu_ps(out + 8 * o, sums[o]);
}
#endif

// Eight sums side by side, the same ones with and without vector instructions.
inline double total(const float* row, std::size_t size, float less, bool squared) {
  float sums[8] = {};
  for (std::size_t k = 0; k + 8 <= size; k += 8) {
    for (std::size_t j = 0; j < 8; ++j) {
      const float away = row[k + j] - less;
      sums[j] += squared ? away * away : away;
    }
  }
  double all = 0.0;
  for (const float sum : sums) all += static_cast<double>(sum);
  return all;
}

}  // namespace detail

// What a layer norm would do to a row, its weights apart: its mean, and one over its deviation.
struct Norm {
  float mean = 0.0f, scale = 1.0f;
};

// `size` is a multiple of eight.
inline Norm norm_of(const float* row, std::size_t size) {
  Norm norm;
  norm.mean = static_cast<float>(detail::total(row, size, 0.0f, false) / static_cast<double>(size));
  const double variance = detail::total(row, size, norm.mean, true) / static_cast<double>(size);
  norm.scale = static_cast<float>(1.0 / std::sqrt(variance + 1e-5));
  return norm;
}

class Linear {
 public:
  // [outputs, inputs] and a bias; with a name of a layer norm, what comes before the layer is normed.
  Linear(const Weights& weights, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
         const std::string& norm = "")
      : inputs_(inputs),
        outputs_(outputs),
        blocks_((outputs + kBlock - 1) / kBlock),
        weights_(blocks_ * kBlock * inputs),
        bias_(outputs),
        sums_(outputs),
        out_(blocks_ * kBlock) {
    const Tensor& matrix = wanted(weights, name + ".weight", {outputs, inputs});
    const Tensor& bias = wanted(weights, name + ".bias", {outputs});
    std::vector<float> gain(inputs, 1.0f), shift(inputs, 0.0f);
    if (!norm.empty()) {
      gain = wanted(weights, norm + ".weight", {inputs}).values;
      shift = wanted(weights, norm + ".bias", {inputs}).values;
    }
    for (std::size_t o = 0; o < outputs; ++o) {
      double moved = static_cast<double>(bias.values[o]), sum = 0.0;
      for (std::size_t i = 0; i < inputs; ++i) {
        const float weight = matrix.values[o * inputs + i], folded = weight * gain[i];
        weights_[(o / kBlock * inputs + i) * kBlock + o % kBlock] = folded;
        moved += static_cast<double>(weight) * static_cast<double>(shift[i]);
        sum += static_cast<double>(folded);
      }
      bias_[o] = static_cast<float>(moved);
      sums_[o] = static_cast<float>(sum);
    }
  }

  // The outputs for a row; they stay until the next call.
  const float* operator()(const Sparse& in, bool plain, Norm norm = {}) {
    for (std::size_t b = 0; b < blocks_; ++b) {
      const float* block = weights_.data() + b * inputs_ * kBlock;
#if defined(ZEROSUM_FMA)
      if (!plain) {
        detail::sum_fma(block, in, out_.data() + b * kBlock);
        continue;
      }
#endif
      detail::sum_plain(block, in, out_.data() + b * kBlock);
    }
    for (std::size_t o = 0; o < outputs_; ++o) {
      out_[o] = (out_[o] - norm.mean * sums_[o]) * norm.scale + bias_[o];
    }
    return out_.data();
  }

  // The same, and what is below zero becomes zero.
  const float* positive(const Sparse& in, bool plain, Norm norm = {}) {
    (*this)(in, plain, norm);
    for (std::size_t o = 0; o < outputs_; ++o) out_[o] = out_[o] < 0.0f ? 0.0f : out_[o];
    return out_.data();
  }

  std::size_t outputs() const { return outputs_; }

 private:
  std::size_t inputs_, outputs_, blocks_;
  std::vector<float> weights_;  // [blocks, inputs, kBlock]
  std::vector<float> bias_, sums_, out_;
};

}  // namespace zerosum::nn
