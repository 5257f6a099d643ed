// Rows of numbers through a layer of weights: y = x W + b, with AVX2 or AVX-512 where the machine has it.
// Each number is summed in the same order with either, so they come to the same bits.
#pragma once

#include <algorithm>
#include <cstddef>

#include "zerosum/nn/kernels.hpp"

namespace zerosum::nn {

inline void dense_plainly(const float* x, int rows, int inner, const float* weights, const float* bias,
                          int outer, float* y) {
  for (int r = 0; r < rows; ++r, x += inner, y += outer) {
    std::copy_n(bias, outer, y);
    for (int i = 0; i < inner; ++i)
      for (int k = 0; k < outer; ++k) y[k] += x[i] * weights[i * outer + k];
  }
}

#if defined(ZEROSUM_FMA)
constexpr int kWide = kLanes;  // columns of one register

// Four rows and sixteen columns stay in registers.
template <int kRows, int kVectors>
ZEROSUM_FMA inline void dense_tile(const float* x, int inner, const float* weights, const float* bias,
                                   int outer, float* y) {
  __m256 sum[kRows][kVectors];
  for (int v = 0; v < kVectors; ++v)
    for (int r = 0; r < kRows; ++r) sum[r][v] = _mm256_loadu_ps(bias + kWide * v);
  for (int i = 0; i < inner; ++i) {
    __m256 weight[kVectors];
    for (int v = 0; v < kVectors; ++v) weight[v] = _mm256_loadu_ps(weights + i * outer + kWide * v);
    for (int r = 0; r < kRows; ++r) {
      const __m256 one = _mm256_broadcast_ss(x + r * inner + i);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm256_fmadd_ps(one, weight[v], sum[r][v]);
    }
  }
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(y + r * outer + kWide * v, sum[r][v]);
}

template <int kRows>
ZEROSUM_FMA inline void dense_rows(const float* x, int inner, const float* weights, const float* bias,
                                   int outer, float* y) {
  int k = 0;
  for (; k + 2 * kWide <= outer; k += 2 * kWide)
    dense_tile<kRows, 2>(x, inner, weights + k, bias + k, outer, y + k);
  if (k < outer) dense_tile<kRows, 1>(x, inner, weights + k, bias + k, outer, y + k);
}

ZEROSUM_FMA inline void dense_fast(const float* x, int rows, int inner, const float* weights,
                                   const float* bias, int outer, float* y) {
  int r = 0;
  for (; r + 4 <= rows; r += 4) dense_rows<4>(x + r * inner, inner, weights, bias, outer, y + r * outer);
  for (; r < rows; ++r) dense_rows<1>(x + r * inner, inner, weights, bias, outer, y + r * outer);
}

// Six rows and sixty-four columns stay in registers.
template <int kRows, int kVectors>
ZEROSUM_WIDE inline void wide_tile(const float* x, int inner, const float* weights, const float* bias,
                                   int outer, float* y) {
  constexpr int kColumns = 2 * kWide;  // of one register
  __m512 sum[kRows][kVectors];
  for (int v = 0; v < kVectors; ++v)
    for (int r = 0; r < kRows; ++r) sum[r][v] = _mm512_loadu_ps(bias + kColumns * v);
  for (int i = 0; i < inner; ++i) {
    __m512 weight[kVectors];
    for (int v = 0; v < kVectors; ++v) weight[v] = _mm512_loadu_ps(weights + i * outer + kColumns * v);
    for (int r = 0; r < kRows; ++r) {
      const __m512 one = _mm512_set1_ps(x[r * inner + i]);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = _mm512_fmadd_ps(one, weight[v], sum[r][v]);
    }
  }
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) _mm512_storeu_ps(y + r * outer + kColumns * v, sum[r][v]);
}

template <int kRows>
ZEROSUM_WIDE inline void wide_rows(const float* x, int inner, const float* weights, const float* bias,
                                   int outer, float* y) {
  int k = 0;
  for (; k + 8 * kWide <= outer; k += 8 * kWide)
    wide_tile<kRows, 4>(x, inner, weights + k, bias + k, outer, y + k);
  for (; k < outer; k += 2 * kWide) wide_tile<kRows, 1>(x, inner, weights + k, bias + k, outer, y + k);
}

ZEROSUM_WIDE inline void dense_wide(const float* x, int rows, int inner, const float* weights,
                                    const float* bias, int outer, float* y) {
  int r = 0;
  for (; r + 6 <= rows; r += 6) wide_rows<6>(x + r * inner, inner, weights, bias, outer, y + r * outer);
  for (; r + 2 <= rows; r += 2) wide_rows<2>(x + r * inner, inner, weights, bias, outer, y + r * outer);
  for (; r < rows; ++r) wide_rows<1>(x + r * inner, inner, weights, bias, outer, y + r * outer);
}
#endif

// x [rows, inner], weights [inner, outer], bias [outer] -> y [rows, outer].
inline void dense(const float* x, int rows, int inner, const float* weights, const float* bias, int outer,
                  float* y) {
#if defined(ZEROSUM_FMA)
  if (outer % (8 * kLanes) == 0 && has_wide()) return dense_wide(x, rows, inner, weights, bias, outer, y);
  if (outer % kLanes == 0 && has_fma()) return dense_fast(x, rows, inner, weights, bias, outer, y);
#endif
  dense_plainly(x, rows, inner, weights, bias, outer, y);
}

#if defined(ZEROSUM_FMA)
template <int kInputs, int kVectors>
ZEROSUM_FMA inline void dense_back_tile(const float* x, int rows, int inner, const float* by_y, int outer,
                                        float* by_weights) {
  __m256 sum[kInputs][kVectors];
  for (int i = 0; i < kInputs; ++i)
    for (int v = 0; v < kVectors; ++v) sum[i][v] = _mm256_loadu_ps(by_weights + i * outer + kWide * v);
  for (int r = 0; r < rows; ++r) {
    __m256 by[kVectors];
    for (int v = 0; v < kVectors; ++v) by[v] = _mm256_loadu_ps(by_y + r * outer + kWide * v);
    for (int i = 0; i < kInputs; ++i) {
      const __m256 one = _mm256_broadcast_ss(x + r * inner + i);
      for (int v = 0; v < kVectors; ++v) sum[i][v] = _mm256_fmadd_ps(one, by[v], sum[i][v]);
    }
  }
  for (int i = 0; i < kInputs; ++i)
    for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(by_weights + i * outer + kWide * v, sum[i][v]);
}

ZEROSUM_FMA inline void dense_back_fast(const float* x, int rows, int inner, const float* by_y, int outer,
                                        float* by_weights) {
  for (int i = 0; i < inner; i += 4) {
    int k = 0;
    for (; k + 2 * kWide <= outer; k += 2 * kWide)
      dense_back_tile<4, 2>(x + i, rows, inner, by_y + k, outer, by_weights + i * outer + k);
    if (k < outer) dense_back_tile<4, 1>(x + i, rows, inner, by_y + k, outer, by_weights + i * outer + k);
  }
}
#endif

// The way back to the weights: by_weights [inner, outer] += x [rows, inner] turned, times by_y [rows, outer].
inline void dense_back(const float* x, int rows, int inner, const float* by_y, int outer, float* by_weights) {
#if defined(ZEROSUM_FMA)
  if (inner % 4 == 0 && outer % kLanes == 0 && has_fma())
    return dense_back_fast(x, rows, inner, by_y, outer, by_weights);
#endif
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < inner; ++i)
      for (int k = 0; k < outer; ++k) by_weights[i * outer + k] += x[r * inner + i] * by_y[r * outer + k];
}

inline void relu(float* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = std::max(x[i], 0.0f);
}

}  // namespace zerosum::nn
