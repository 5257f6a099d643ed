// What inference does to rows of numbers, eight at a time: with AVX2 and FMA where the machine has them, and
// without. Rows are as long as a multiple of eight.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define ZEROSUM_FMA __attribute__((target("avx2,fma")))
#define ZEROSUM_WIDE __attribute__((target("avx2,fma,avx512f")))
#endif
#define ZEROSUM_BODY inline __attribute__((always_inline))

namespace zerosum::nn {

inline bool has_fma() {
#if defined(ZEROSUM_FMA)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

// Whether registers are twice as wide, and twice as many.
inline bool has_wide() {
#if defined(ZEROSUM_WIDE)
  static const bool has = has_fma() && __builtin_cpu_supports("avx512f");
  return has;
#else
  return false;
#endif
}

inline constexpr std::size_t kLanes = 8;

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

// What a layer norm would do to a row, its weights apart: its mean, and one over its deviation.
struct Norm {
  float mean = 0.0f, scale = 1.0f;
};

namespace detail {

// Written once, compiled for each kind of machine.
typedef float Lanes __attribute__((vector_size(4 * kLanes)));

ZEROSUM_BODY void add_body(const float* row, std::size_t size, float* out) {
  for (std::size_t k = 0; k < size; k += kLanes) {
    Lanes a, b;
    std::memcpy(&a, row + k, sizeof a);
    std::memcpy(&b, out + k, sizeof b);
    b += a;
    std::memcpy(out + k, &b, sizeof b);
  }
}

ZEROSUM_BODY double total_body(const float* row, std::size_t size, float less, bool squared) {
  Lanes sums = {};
  for (std::size_t k = 0; k < size; k += kLanes) {
    Lanes away;
    std::memcpy(&away, row + k, sizeof away);
    away -= less;
    sums += squared ? away * away : away;
  }
  double all = 0.0;
  for (std::size_t k = 0; k < kLanes; ++k) all += static_cast<double>(sums[k]);
  return all;
}

inline float dot(const float* one, const float* other, std::size_t size) {
  Lanes sums = {};
  for (std::size_t k = 0; k < size; k += kLanes) {
    Lanes a, b;
    std::memcpy(&a, one + k, sizeof a);
    std::memcpy(&b, other + k, sizeof b);
    sums += a * b;
  }
  float all = 0.0f;
  for (std::size_t k = 0; k < kLanes; ++k) all += sums[k];
  return all;
}

ZEROSUM_BODY void positive_body(std::size_t size, float* out) {
  for (std::size_t k = 0; k < size; k += kLanes) {
    Lanes row;
    std::memcpy(&row, out + k, sizeof row);
    row = row < 0.0f ? Lanes{} : row;  // what is no number stays none
    std::memcpy(out + k, &row, sizeof row);
  }
}

ZEROSUM_BODY Norm norm_body(const float* row, std::size_t size) {
  Norm norm;
  norm.mean = static_cast<float>(total_body(row, size, 0.0f, false) / static_cast<double>(size));
  const double variance = total_body(row, size, norm.mean, true) / static_cast<double>(size);
  norm.scale = static_cast<float>(1.0 / std::sqrt(variance + 1e-5));
  return norm;
}

// out = (out - mean * sums) * scale + bias.
ZEROSUM_BODY void finish_body(const float* sums, const float* bias, Norm norm, std::size_t size, float* out) {
  for (std::size_t k = 0; k < size; k += kLanes) {
    Lanes row, sum, moved;
    std::memcpy(&row, out + k, sizeof row);
    std::memcpy(&sum, sums + k, sizeof sum);
    std::memcpy(&moved, bias + k, sizeof moved);
    row = (row - norm.mean * sum) * norm.scale + moved;
    std::memcpy(out + k, &row, sizeof row);
  }
}

}  // namespace detail

struct PlainKernels {
  static void add(const float* row, std::size_t size, float* out) { detail::add_body(row, size, out); }
  static void positive(std::size_t size, float* out) { detail::positive_body(size, out); }
  static Norm norm(const float* row, std::size_t size) { return detail::norm_body(row, size); }
  static void finish(const float* sums, const float* bias, Norm norm, std::size_t size, float* out) {
    detail::finish_body(sums, bias, norm, size, out);
  }
  // out[size] = the weighted sum of the inputs' rows. `weights` is [inputs, size].
  static void weigh(const float* weights, const Sparse& in, std::size_t size, float* out) {
    std::fill_n(out, size, 0.0f);
    for (std::size_t k = 0; k < in.count; ++k) {
      const float* row = weights + in.at[k] * size;
      for (std::size_t o = 0; o < size; ++o) out[o] += in.value[k] * row[o];
    }
  }
};

#if defined(ZEROSUM_FMA)
struct FmaKernels {
  ZEROSUM_FMA static void add(const float* row, std::size_t size, float* out) {
    detail::add_body(row, size, out);
  }
  ZEROSUM_FMA static void positive(std::size_t size, float* out) { detail::positive_body(size, out); }
  ZEROSUM_FMA static Norm norm(const float* row, std::size_t size) { return detail::norm_body(row, size); }
  ZEROSUM_FMA static void finish(const float* sums, const float* bias, Norm norm, std::size_t size,
                                 float* out) {
    detail::finish_body(sums, bias, norm, size, out);
  }
  ZEROSUM_FMA static void weigh(const float* weights, const Sparse& in, std::size_t size, float* out) {
    std::fill_n(out, size, 0.0f);
    std::size_t k = 0;
    for (; k + kAtOnce <= in.count; k += kAtOnce) weigh_some<kAtOnce>(weights, in, k, size, out);
    for (; k < in.count; ++k) weigh_some<1>(weights, in, k, size, out);
  }

 private:
  static constexpr std::size_t kAtOnce = 8;  // inputs in one pass over the outputs

  template <std::size_t kCount>
  ZEROSUM_FMA static void weigh_some(const float* weights, const Sparse& in, std::size_t k, std::size_t size,
                                     float* out) {
    const float* rows[kCount];
    __m256 values[kCount];
#pragma GCC unroll 8
    for (std::size_t j = 0; j < kCount; ++j) {
      rows[j] = weights + in.at[k + j] * size;
      values[j] = _mm256_broadcast_ss(&in.value[k + j]);
    }
    for (std::size_t o = 0; o < size; o += kLanes) {
      __m256 sum = _mm256_loadu_ps(out + o);
#pragma GCC unroll 8
      for (std::size_t j = 0; j < kCount; ++j) {
        sum = _mm256_fmadd_ps(values[j], _mm256_loadu_ps(rows[j] + o), sum);
      }
      _mm256_storeu_ps(out + o, sum);
    }
  }
};
#else
using FmaKernels = PlainKernels;
#endif

}  // namespace zerosum::nn
