// What networks/patterns.py trains, as it plays: patterns are looked up in a table, then a few small layers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/nn/dense.hpp"

namespace zerosum::nn {

struct PatternShape {
  int reach = 4, channels = 32, blocks = 1, head = 16, hidden = 64;

  std::size_t patterns() const { return std::size_t{1} << (2 * (2 * reach + 1)); }
  std::size_t block_weights() const { return std::size_t(channels) * (9 + 1 + channels + 1); }
  std::size_t weights() const {
    const std::size_t c = channels, h = head, d = hidden;
    return blocks * block_weights() + (c * h + h) + (2 * c * h + h) + (h + 1) + (c * c + c) +
           (2 * c * d + d) + (3 * d + 3);
  }
};

// By pattern the one that it is taken for where only lines of exactly this length win. A row that is longer,
// and an empty cell that would make one, can become no line of anybody's in this direction, and nothing is
// won across them: from there on the pattern reads as if the board had ended. So a network that has only seen
// longer lines win does not think much of them. What lies outside of the pattern is not known.
inline std::vector<std::uint32_t> exact_patterns(int reach, int line) {
  const int width = 2 * reach + 1;
  std::vector<std::uint32_t> instead(std::size_t{1} << (2 * width));
  std::vector<int> what(width);
  auto is_dead = [&](int at) {
    for (int sort = 1; sort <= 2; ++sort) {
      int stones = 0;
      for (int k = at - 1; k >= 0 && what[k] == sort; --k) ++stones;
      for (int k = at + 1; k < width && what[k] == sort; ++k) ++stones;
      if ((what[at] == 0 || what[at] == sort) && stones >= line) return true;
    }
    return false;
  };
  for (std::uint32_t code = 0; code < instead.size(); ++code) {
    instead[code] = code;
    for (int k = 0; k < width; ++k) what[k] = static_cast<int>(code >> (2 * k) & 3);
    if (std::count(what.begin(), what.end(), 1) < line && std::count(what.begin(), what.end(), 2) < line)
      continue;
    const bool none = is_dead(reach);
    for (int side = -1; side <= 1; side += 2) {
      bool ended = none;
      for (int at = reach + side; at >= 0 && at < width; at += side) {
        ended = ended || is_dead(at);
        if (ended) instead[code] |= std::uint32_t{3} << (2 * at);
      }
    }
  }
  return instead;
}

class PatternNet {
 public:
  // table [patterns, channels]; weights in the order of use: for each block depth [9, C] and its bias, point
  // [C, C] and its bias; policy [C, H], around [2C, H], out [H], each with its bias; value [C, C], hidden
  // [2C, D], out [D, 3], each with its bias. Matrices are [inputs, outputs].
  PatternNet(const PatternShape& shape, std::vector<float> table, std::vector<float> weights)
      : shape_(shape), table_(std::move(table)), weights_(std::move(weights)) {}

  const PatternShape& shape() const { return shape_; }

  // By pattern the one that it is taken for; none: each is what it is. Not while it answers.
  void read_as(std::vector<std::uint32_t> instead) { read_as_ = std::move(instead); }

  // One thread's room to work in.
  struct Room {
    std::vector<std::uint8_t> wide;
    std::vector<float> x, y, z, pooled, out;
  };

  // Planes [3, h, w] -> probabilities of the cells [h·w] and the value.
  void answer(const float* planes, int height, int width, float* shares, float* value, Room& room) const {
#if defined(ZEROSUM_FMA)
    if (has_fma()) return answer_fast(planes, height, width, shares, value, room);
#endif
    go_through(planes, height, width, shares, value, room);
  }

 private:
#if defined(ZEROSUM_FMA)
  // The same, all of it compiled for such machines.
  ZEROSUM_FMA __attribute__((flatten)) void answer_fast(const float* planes, int height, int width,
                                                        float* shares, float* value, Room& room) const {
    go_through(planes, height, width, shares, value, room);
  }
#endif

  void go_through(const float* planes, int height, int width, float* shares, float* value, Room& room) const {
    const int cells = height * width, c = shape_.channels;
    const std::size_t around = std::size_t(height + 2) * (width + 2) * c;
    room.x.assign(around, 0.0f);
    room.y.resize(std::size_t(cells) * c);
    room.z.resize(std::size_t(cells) * c);
    look_up(planes, height, width, room);
    const float* at = weights_.data();
    for (int block = 0; block < shape_.blocks; ++block) mix(at, height, width, room);
    for (int r = 0; r < height; ++r)  // without the margin, for the heads
      std::copy_n(inside(room.x, r, width), std::size_t(width) * c,
                  room.y.data() + std::size_t(r) * width * c);
    policy(at, cells, shares, room);
    *value = outcome(at, cells, room);
  }

  float* inside(std::vector<float>& x, int row, int width) const {
    return x.data() + (std::size_t(row + 1) * (width + 2) + 1) * shape_.channels;
  }

  static const float* take(const float*& at, std::size_t count) { return std::exchange(at, at + count); }

  // The sum over the four directions of what the table says, where positive.
  void look_up(const float* planes, int height, int width, Room& room) const {
    const int reach = shape_.reach, c = shape_.channels, span = width + 2 * reach;
    room.wide.assign(std::size_t(span) * (height + 2 * reach), 3);
    for (int r = 0; r < height; ++r)
      for (int k = 0; k < width; ++k) {
        const int cell = r * width + k;
        const bool own = planes[cell] > 0.5f, other = planes[height * width + cell] > 0.5f;
        room.wide[(r + reach) * span + k + reach] = static_cast<std::uint8_t>(own + 2 * other);
      }
    const int steps[4] = {1, span, span + 1, span - 1};
    const std::uint32_t* instead = read_as_.empty() ? nullptr : read_as_.data();
    for (int r = 0; r < height; ++r) {
      float* to = inside(room.x, r, width);
      for (int k = 0; k < width; ++k, to += c) {
        const std::uint8_t* here = &room.wide[(r + reach) * span + k + reach];
        const float* rows[4];
        for (int way = 0; way < 4; ++way) {
          std::size_t code = 0;
          for (int i = reach; i >= -reach; --i) code = code << 2 | here[i * steps[way]];
          rows[way] = &table_[(instead == nullptr ? code : instead[code]) * c];
        }
        for (int i = 0; i < c; ++i) to[i] = std::max(rows[0][i] + rows[1][i] + rows[2][i] + rows[3][i], 0.0f);
      }
    }
  }

  void mix(const float*& at, int height, int width, Room& room) const {
    const int c = shape_.channels, cells = height * width;
    const float *depth = take(at, 9 * c), *depth_bias = take(at, c), *point = take(at, c * c);
    const float* point_bias = take(at, c);
    for (int r = 0; r < height; ++r) {
      const float* from = inside(room.x, r, width);
      float* to = &room.y[std::size_t(r) * width * c];
      for (int k = 0; k < width; ++k, from += c, to += c) neighbours(from, width, depth, depth_bias, to);
    }
    dense(room.y.data(), cells, c, point, point_bias, c, room.z.data());
    for (int r = 0; r < height; ++r) {
      float* to = inside(room.x, r, width);
      const float* from = &room.z[std::size_t(r) * width * c];
      for (int i = 0; i < width * c; ++i) to[i] = std::max(to[i] + from[i], 0.0f);
    }
  }

  void neighbours(const float* from, int width, const float* depth, const float* bias, float* to) const {
    const int c = shape_.channels;
    std::copy_n(bias, c, to);
    for (int tap = 0; tap < 9; ++tap) {
      const float* beside = from + ((tap / 3 - 1) * (width + 2) + tap % 3 - 1) * c;
      for (int i = 0; i < c; ++i) to[i] += beside[i] * depth[tap * c + i];
    }
    relu(to, c);
  }

  // [cells, C] -> the mean of each channel, then the greatest.
  void pool(const float* x, int cells, Room& room) const {
    const int c = shape_.channels;
    room.pooled.assign(2 * c, 0.0f);
    std::copy_n(x, c, room.pooled.data() + c);
    for (int k = 0; k < cells; ++k, x += c)
      for (int i = 0; i < c; ++i) {
        room.pooled[i] += x[i];
        room.pooled[c + i] = std::max(room.pooled[c + i], x[i]);
      }
    for (int i = 0; i < c; ++i) room.pooled[i] /= static_cast<float>(cells);
  }

  void policy(const float*& at, int cells, float* shares, Room& room) const {
    const int c = shape_.channels, h = shape_.head;
    const float *cell = take(at, c * h), *cell_bias = take(at, h);
    const float *around = take(at, 2 * c * h), *around_bias = take(at, h);
    const float *out = take(at, h), *out_bias = take(at, 1);
    pool(room.y.data(), cells, room);
    room.out.resize(h);
    dense(room.pooled.data(), 1, 2 * c, around, around_bias, h, room.out.data());
    for (int i = 0; i < h; ++i) room.out[i] += cell_bias[i];
    room.z.resize(std::size_t(cells) * std::max(c, h));
    dense(room.y.data(), cells, c, cell, room.out.data(), h, room.z.data());
    float highest = -1e30f, sum = 0;
    for (int k = 0; k < cells; ++k) {
      float logit = *out_bias;
      for (int i = 0; i < h; ++i) logit += std::max(room.z[k * h + i], 0.0f) * out[i];
      shares[k] = logit;
      highest = std::max(highest, logit);
    }
    for (int k = 0; k < cells; ++k) sum += shares[k] = std::exp(shares[k] - highest);
    for (int k = 0; k < cells; ++k) shares[k] /= sum;
  }

  float outcome(const float*& at, int cells, Room& room) const {
    const int c = shape_.channels, d = shape_.hidden;
    const float *cell = take(at, c * c), *cell_bias = take(at, c);
    const float *hidden = take(at, 2 * c * d), *hidden_bias = take(at, d);
    const float *out = take(at, 3 * d), *out_bias = take(at, 3);
    dense(room.y.data(), cells, c, cell, cell_bias, c, room.z.data());
    relu(room.z.data(), std::size_t(cells) * c);
    pool(room.z.data(), cells, room);
    room.out.resize(d);
    dense(room.pooled.data(), 1, 2 * c, hidden, hidden_bias, d, room.out.data());
    relu(room.out.data(), d);
    float logits[3];
    dense(room.out.data(), 1, d, out, out_bias, 3, logits);
    const float highest = std::max({logits[0], logits[1], logits[2]});
    float sum = 0;
    for (float& logit : logits) sum += logit = std::exp(logit - highest);
    return (logits[0] - logits[2]) / sum;
  }

  PatternShape shape_;
  std::vector<float> table_, weights_;
  std::vector<std::uint32_t> read_as_;
};

}  // namespace zerosum::nn
