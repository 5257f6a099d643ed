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

// What a filter of three is at the points.
inline constexpr float kSpread[kPatch][3] = {{0.5f, 0, 0},
                                             {-0.5f, -0.5f, -0.5f},
                                             {-1.0f / 6, 1.0f / 6, -1.0f / 6},
                                             {1.0f / 6, 1.0f / 3, 2.0f / 3},
                                             {0, 0, 1}};

// [out, in, 3, 3] -> [25, in, out]; `turned`: [25, out, in]
inline void winograd_filters(const float* weights, int out, int in, bool turned, float* filters) {
  const int first = turned ? out : in, second = turned ? in : out;
  const std::size_t first_step = turned ? std::size_t(9) * in : 9,
                    second_step = turned ? 9 : std::size_t(9) * in;
  for (int i = 0; i < first; ++i)
    for (int o = 0; o < second; ++o) {
      const float* filter = weights + i * first_step + o * second_step;
      float half[kPatch][3];
      for (int a = 0; a < kPatch; ++a)
        for (int x = 0; x < 3; ++x)
          half[a][x] =
              kSpread[a][0] * filter[x] + kSpread[a][1] * filter[3 + x] + kSpread[a][2] * filter[6 + x];
      for (int a = 0; a < kPatch; ++a)
        for (int b = 0; b < kPatch; ++b)
          filters[(std::size_t(a * kPatch + b) * first + i) * second + o] =
              kSpread[b][0] * half[a][0] + kSpread[b][1] * half[a][1] + kSpread[b][2] * half[a][2];
    }
}

inline std::vector<float> winograd_filters(const float* weights, int out, int in, bool turned = false) {
  std::vector<float> found(std::size_t(kPoints) * in * out);
  winograd_filters(weights, out, in, turned, found.data());
  return found;
}

// The way back: [25, in, out] -> [out, in, 3, 3]
inline void winograd_filters_back(const float* by_filters, int out, int in, float* by_weights) {
  for (int o = 0; o < out; ++o)
    for (int i = 0; i < in; ++i, by_weights += 9) {
      float half[3][kPatch] = {};
      for (int a = 0; a < kPatch; ++a)
        for (int b = 0; b < kPatch; ++b) {
          const float by = by_filters[(std::size_t(a * kPatch + b) * in + i) * out + o];
          for (int y = 0; y < 3; ++y) half[y][b] += kSpread[a][y] * by;
        }
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) {
          float sum = 0;
          for (int b = 0; b < kPatch; ++b) sum += kSpread[b][x] * half[y][b];
          by_weights[3 * y + x] = sum;
        }
    }
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

// The ways back of both.
ZEROSUM_BODY void at_points_back(const Lanes* in, int step, Lanes* out, int out_step) {
  const Lanes a = in[0], b = in[step], c = in[2 * step], d = in[3 * step], e = in[4 * step];
  out[0] = a + a;
  out[out_step] = 2.0f * (c + e - b) - a - d;
  out[2 * out_step] = -(a + a) - b - 3.0f * c - e;
  out[3 * out_step] = a + b + c + d - (e + e);
  out[4 * out_step] = e;
}

ZEROSUM_BODY void from_points_back(const Lanes* in, int step, Lanes* out, int out_step) {
  const Lanes a = in[0], b = in[step], c = in[2 * step];
  out[0] = a;
  out[out_step] = a + b + c;
  out[2 * out_step] = a - b + c;
  out[3 * out_step] = a + b + b + 4.0f * c;
  out[4 * out_step] = c;
}

}  // namespace detail

class Winograd {
 public:
  // One thread's room to work in.
  struct Room {
    std::vector<float> spread, products, back, nothing;
  };

  // Boards [rows, from] -> y [rows, to] = max(0, x * filters + bias + plus); `plus` may be none or y. The
  // bias of a board is `bias_step` numbers after that of the one before.
  static ZEROSUM_BODY void convolve(const Framed& from, const Framed& to, const float* x, int rows,
                                    const float* filters, const float* bias, int bias_step, const float* plus,
                                    float* y, Room& room) {
    const int in = from.channels, out = to.channels, all = rows * from.tiles();
    const std::size_t plane = std::size_t(kAtOnce) * in, out_plane = std::size_t(kAtOnce) * out;
    room.spread.resize(kPoints * plane);
    room.products.resize(kPoints * out_plane);
    room.nothing.assign(out, 0.0f);
    for (int first = 0; first < all; first += kAtOnce) {
      const int count = std::min(kAtOnce, all - first);
      for (int t = 0; t < count; ++t)
        take_apart(x + corner(from, first + t), from.line(), in, &room.spread[std::size_t(t) * in], plane);
      for (int k = 0; k < kPoints; ++k)
        dense(&room.spread[k * plane], count, in, filters + std::size_t(k) * in * out, room.nothing.data(),
              out, &room.products[k * out_plane]);
      for (int t = 0; t < count; ++t)
        put_together(to, first + t, &room.products[std::size_t(t) * out], out_plane,
                     bias + std::size_t(bias_step) * ((first + t) / from.tiles()), plus, y);
    }
  }

  // The way back, from what is before the greatest of that and zero: `by_y` [rows, to], zeros off the board,
  // adds to `by_filters` [25, in, out] and, where it is wanted, to `by_x` [rows, from], also off the board.
  // `turned` are the filters as [25, out, in].
  static ZEROSUM_BODY void back(const Framed& from, const Framed& to, const float* x, const float* by_y,
                                int rows, const float* turned, float* by_filters, float* by_x, Room& room) {
    const int in = from.channels, out = to.channels, all = rows * from.tiles();
    const std::size_t plane = std::size_t(kAtOnce) * in, out_plane = std::size_t(kAtOnce) * out;
    room.spread.resize(kPoints * plane);
    room.back.resize(kPoints * plane);
    room.products.resize(kPoints * out_plane);
    room.nothing.assign(in, 0.0f);
    for (int first = 0; first < all; first += kAtOnce) {
      const int count = std::min(kAtOnce, all - first);
      for (int t = 0; t < count; ++t) {
        take_apart(x + corner(from, first + t), from.line(), in, &room.spread[std::size_t(t) * in], plane);
        put_together_back(by_y + corner(to, first + t), to.line(), out, &room.products[std::size_t(t) * out],
                          out_plane);
      }
      for (int k = 0; k < kPoints; ++k) {
        const float* by = &room.products[k * out_plane];
        dense_back(&room.spread[k * plane], count, in, by, out, by_filters + std::size_t(k) * in * out);
        if (by_x != nullptr)
          dense(by, count, out, turned + std::size_t(k) * in * out, room.nothing.data(), in,
                &room.back[k * plane]);
      }
      for (int t = 0; t < count && by_x != nullptr; ++t)
        take_apart_back(&room.back[std::size_t(t) * in], plane, in, by_x + corner(from, first + t),
                        from.line());
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

  static ZEROSUM_BODY void take_apart_back(const float* points, std::size_t plane, int channels, float* patch,
                                           std::size_t line) {
    for (int c = 0; c < channels; c += kLanes) {
      detail::Lanes cells[kPoints], half[kPoints], before;
      for (int k = 0; k < kPoints; ++k) std::memcpy(&cells[k], points + k * plane + c, sizeof before);
      for (int i = 0; i < kPatch; ++i) detail::at_points_back(cells + i * kPatch, 1, half + i * kPatch, 1);
      for (int j = 0; j < kPatch; ++j) detail::at_points_back(half + j, kPatch, cells + j, kPatch);
      for (int i = 0; i < kPatch; ++i)
        for (int j = 0; j < kPatch; ++j) {
          float* to = patch + i * line + std::size_t(j) * channels + c;
          std::memcpy(&before, to, sizeof before);
          before += cells[i * kPatch + j];
          std::memcpy(to, &before, sizeof before);
        }
    }
  }

  // `patch` begins a cell above and to the left of the tile.
  static ZEROSUM_BODY void put_together_back(const float* patch, std::size_t line, int channels,
                                             float* points, std::size_t plane) {
    for (int c = 0; c < channels; c += kLanes) {
      detail::Lanes cells[kTile * kTile], half[kTile * kPatch], found[kPoints];
      for (int i = 0; i < kTile; ++i)
        for (int j = 0; j < kTile; ++j)
          std::memcpy(&cells[i * kTile + j], patch + (i + 1) * line + std::size_t(j + 1) * channels + c,
                      sizeof(detail::Lanes));
      for (int i = 0; i < kTile; ++i) detail::from_points_back(cells + i * kTile, 1, half + i * kPatch, 1);
      for (int j = 0; j < kPatch; ++j) detail::from_points_back(half + j, kPatch, found + j, kPatch);
      for (int k = 0; k < kPoints; ++k) std::memcpy(points + k * plane + c, &found[k], sizeof(detail::Lanes));
    }
  }
};

}  // namespace zerosum::nn
