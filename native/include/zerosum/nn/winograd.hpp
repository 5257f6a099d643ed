// Convolutions of 3 × 3 with fewer products: Winograd's minimal filtering F(3×3, 3×3) at the points 0, 1, −1,
// 2 and ∞ (Lavin & Gray 2016, "Fast algorithms for convolutional neural networks"). A tile of 3 × 3 cells
// takes 25 products of a pair of channels instead of 81.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "zerosum/nn/dense.hpp"

namespace zerosum::nn {

inline constexpr int kTile = 3, kPatch = 5, kPoints = kPatch * kPatch;

// A board in tiles, with a margin of zeros: the cells of all its channels, row by row.
struct Framed {
  int height = 0, width = 0, channels = 0;

  int down() const { return (height + kTile - 1) / kTile; }
  int across() const { return (width + kTile - 1) / kTile; }
  int tiles() const { return down() * across(); }
  std::size_t line() const { return std::size_t(kTile * across() + 2) * channels; }
  std::size_t size() const { return (kTile * down() + 2) * line(); }
  std::size_t at(int row, int column) const {
    return (row + 1) * line() + std::size_t(column + 1) * channels;
  }
};

// [out, in, 3, 3] -> [25, in, out]
inline std::vector<float> winograd_filters(const float* weights, int out, int in) {
  static constexpr double kSpread[kPatch][3] = {
      {0.5, 0, 0}, {-0.5, -0.5, -0.5}, {-1.0 / 6, 1.0 / 6, -1.0 / 6}, {1.0 / 6, 1.0 / 3, 2.0 / 3}, {0, 0, 1}};
  std::vector<float> found(std::size_t(kPoints) * in * out);
  for (int o = 0; o < out; ++o)
    for (int i = 0; i < in; ++i)
      for (int a = 0; a < kPatch; ++a)
        for (int b = 0; b < kPatch; ++b) {
          double sum = 0;
          for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 3; ++x)
              sum += kSpread[a][y] * kSpread[b][x] * weights[((std::size_t(o) * in + i) * 3 + y) * 3 + x];
          found[(std::size_t(a * kPatch + b) * in + i) * out + o] = static_cast<float>(sum);
        }
  return found;
}

namespace detail {

// Five values of a patch, at the points.
ZEROSUM_BODY void at_points(const Lanes* in, int step, Lanes* out, int out_step) {
  const Lanes a = in[0], b = in[step], c = in[2 * step], d = in[3 * step], e = in[4 * step];
  const Lanes less = d - b, twice = b + b;
  out[0] = (a - c) + (a - c) + less;
  out[out_step] = d - c - twice;
  out[2 * out_step] = d + twice - 3.0f * c;
  out[3 * out_step] = less;
  out[4 * out_step] = twice - c - (d + d) + e;
}

// Three values of a tile, from the points.
ZEROSUM_BODY void from_points(const Lanes* in, int step, Lanes* out, int out_step) {
  const Lanes a = in[0], b = in[step], c = in[2 * step], d = in[3 * step], e = in[4 * step];
  out[0] = a + b + c + d;
  out[out_step] = b - c + d + d;
  out[2 * out_step] = b + c + 4.0f * d + e;
}

}  // namespace detail

class Winograd {
 public:
  // One thread's room to work in.
  struct Room {
    std::vector<float> spread, products, nothing;
  };

  // Boards [rows, frame] -> y = max(0, x * filters + bias + plus), the same frame; `plus` may be none or y.
  static ZEROSUM_BODY void convolve(const Framed& frame, const float* x, int rows, const float* filters,
                                    const float* bias, const float* plus, float* y, Room& room) {
    const int c = frame.channels, all = rows * frame.tiles();
    const std::size_t plane = std::size_t(kAtOnce) * c;
    room.spread.resize(kPoints * plane);
    room.products.resize(kPoints * plane);
    room.nothing.assign(c, 0.0f);
    for (int first = 0; first < all; first += kAtOnce) {
      const int count = std::min(kAtOnce, all - first);
      for (int t = 0; t < count; ++t)
        take_apart(x + corner(frame, first + t), frame.line(), c, &room.spread[std::size_t(t) * c], plane);
      for (int k = 0; k < kPoints; ++k)
        dense(&room.spread[k * plane], count, c, filters + std::size_t(k) * c * c, room.nothing.data(), c,
              &room.products[k * plane]);
      for (int t = 0; t < count; ++t)
        put_together(frame, first + t, &room.products[std::size_t(t) * c], plane, bias, plus, y);
    }
  }

 private:
  static constexpr int kAtOnce = 36;  // tiles: what they take stays in the second cache with the filters

  // Where a tile's patch begins: its cells, and one more on each side.
  static std::size_t corner(const Framed& frame, int tile) {
    const int row = tile / frame.tiles(), in_row = tile % frame.tiles();
    const int down = in_row / frame.across(), across = in_row % frame.across();
    return row * frame.size() + kTile * (down * frame.line() + std::size_t(across) * frame.channels);
  }

  static ZEROSUM_BODY void take_apart(const float* patch, std::size_t line, int channels, float* out,
                                      std::size_t plane) {
    for (int c = 0; c < channels; c += kLanes) {
      detail::Lanes cells[kPoints], half[kPoints];
      for (int i = 0; i < kPatch; ++i)
        for (int j = 0; j < kPatch; ++j)
          std::memcpy(&cells[i * kPatch + j], patch + i * line + std::size_t(j) * channels + c,
                      sizeof(detail::Lanes));
      for (int j = 0; j < kPatch; ++j) detail::at_points(cells + j, kPatch, half + j, kPatch);
      for (int i = 0; i < kPatch; ++i) detail::at_points(half + i * kPatch, 1, cells + i * kPatch, 1);
      for (int k = 0; k < kPoints; ++k) std::memcpy(out + k * plane + c, &cells[k], sizeof(detail::Lanes));
    }
  }

  static ZEROSUM_BODY void put_together(const Framed& frame, int tile, const float* products,
                                        std::size_t plane, const float* bias, const float* plus, float* y) {
    const int in_row = tile % frame.tiles();
    const int high = std::min(kTile, frame.height - kTile * (in_row / frame.across()));
    const int wide = std::min(kTile, frame.width - kTile * (in_row % frame.across()));
    const std::size_t begin = corner(frame, tile) + frame.line() + frame.channels;
    for (int c = 0; c < frame.channels; c += kLanes) {
      detail::Lanes points[kPoints], half[kTile * kPatch], cells[kTile * kTile], moved;
      for (int k = 0; k < kPoints; ++k) std::memcpy(&points[k], products + k * plane + c, sizeof moved);
      for (int j = 0; j < kPatch; ++j) detail::from_points(points + j, kPatch, half + j, kPatch);
      for (int i = 0; i < kTile; ++i) detail::from_points(half + i * kPatch, 1, cells + i * kTile, 1);
      std::memcpy(&moved, bias + c, sizeof moved);
      for (int i = 0; i < high; ++i)
        for (int j = 0; j < wide; ++j) {
          const std::size_t at = begin + i * frame.line() + std::size_t(j) * frame.channels + c;
          detail::Lanes cell = cells[i * kTile + j] + moved;
          if (plus != nullptr) {
            detail::Lanes more;
            std::memcpy(&more, plus + at, sizeof more);
            cell += more;
          }
          cell = cell < 0.0f ? detail::Lanes{} : cell;
          std::memcpy(y + at, &cell, sizeof cell);
        }
    }
  }
};

}  // namespace zerosum::nn
