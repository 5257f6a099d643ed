// AlphaZeroNet of networks/gomoku.py as it plays: batch norms are part of the weights, and the convolutions
// of its blocks are Winograd's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "zerosum/nn/winograd.hpp"

namespace zerosum::nn {

struct ResidualShape {
  int height = 0, width = 0, channels = 0, blocks = 0, hidden = 256;

  int cells() const { return height * width; }
  std::size_t weights() const {
    const std::size_t c = channels, n = cells(), d = hidden;
    return (27 * c + c) + 2 * blocks * (9 * c * c + c) + (2 * c + 2) + (2 * n * n + n) + (c + 1) +
           (n * d + d) + (d + 1);
  }
};

class ResidualNet {
 public:
  static constexpr int kRows = 16;  // that are answered together at most

  // Weights in the order of use, each layer's and then its bias: conv_input [C, 3, 3, 3]; two [C, C, 3, 3] a
  // block; policy_conv [2, C], policy_fc [n, 2n]; value_conv [C], value_fc1 [d, n], value_fc2 [d].
  ResidualNet(const ResidualShape& shape, const std::vector<float>& weights)
      : shape_(shape), frame_{shape.height, shape.width, shape.channels}, wide_(rounded(shape.cells())) {
    const int c = shape.channels, n = shape.cells(), d = shape.hidden;
    const float* at = weights.data();
    first_ = turned(take(at, 27 * c), c, 27, c);
    first_bias_ = copied(take(at, c), c);
    for (int layer = 0; layer < 2 * shape.blocks; ++layer) {
      filters_.push_back(winograd_filters(take(at, 9 * c * c), c, c));
      biases_.push_back(copied(take(at, c), c));
    }
    const float *policy = take(at, 2 * c), *policy_bias = take(at, 2);
    const float *cell = take(at, 2 * n * n), *cell_bias = take(at, n);
    const float *value = take(at, c), *value_bias = take(at, 1);
    policy_ = turned(cell, n, 2 * n, wide_);
    policy_bias_ = copied(cell_bias, wide_, n);
    heads_.assign(std::size_t(c) * kLanes, 0.0f);
    for (int i = 0; i < c; ++i)
      heads_[i * kLanes] = policy[i], heads_[i * kLanes + 1] = policy[c + i],
                 heads_[i * kLanes + 2] = value[i];
    heads_bias_ = {policy_bias[0], policy_bias[1], *value_bias, 0, 0, 0, 0, 0};
    value_ = turned(take(at, n * d), d, n, d);
    value_bias_ = copied(take(at, d), d);
    result_ = copied(take(at, d), d);
    result_bias_ = *take(at, 1);
  }

  const ResidualShape& shape() const { return shape_; }

  // One thread's room to work in.
  struct Room {
    std::vector<float> x, y, heads, policy, value, logits, hidden;
    Winograd::Room winograd;
  };

  // Planes [rows, 3, h, w] -> probabilities of the cells [rows, h·w] and values [rows]; at most kRows rows.
  void answer(const float* planes, int rows, float* shares, float* values, Room& room) const {
#if defined(ZEROSUM_FMA)
    if (has_fma()) return answer_fast(planes, rows, shares, values, room);
#endif
    go_through(planes, rows, shares, values, room);
  }

 private:
#if defined(ZEROSUM_FMA)
  // The same, all of it compiled for such machines.
  ZEROSUM_FMA __attribute__((flatten)) void answer_fast(const float* planes, int rows, float* shares,
                                                        float* values, Room& room) const {
    go_through(planes, rows, shares, values, room);
  }
#endif

  static const float* take(const float*& at, std::size_t count) { return std::exchange(at, at + count); }
  static int rounded(int count) { return (count + int(kLanes) - 1) / int(kLanes) * int(kLanes); }
  static std::vector<float> copied(const float* from, int size, int known = -1) {
    std::vector<float> found(size, 0.0f);
    std::copy_n(from, known < 0 ? size : known, found.data());
    return found;
  }
  // [out, in] -> [in, wide], zeros beyond out.
  static std::vector<float> turned(const float* from, int out, int in, int wide) {
    std::vector<float> found(std::size_t(in) * wide, 0.0f);
    for (int o = 0; o < out; ++o)
      for (int i = 0; i < in; ++i) found[std::size_t(i) * wide + o] = from[std::size_t(o) * in + i];
    return found;
  }

  void go_through(const float* planes, int rows, float* shares, float* values, Room& room) const {
    room.x.assign(rows * frame_.size(), 0.0f);
    room.y.assign(rows * frame_.size(), 0.0f);
    for (int r = 0; r < rows; ++r)
      begin(planes + std::size_t(3) * shape_.cells() * r, &room.x[r * frame_.size()]);
    float *x = room.x.data(), *y = room.y.data();
    for (std::size_t layer = 0; layer < filters_.size(); layer += 2) {
      Winograd::convolve(frame_, frame_, x, rows, filters_[layer].data(), biases_[layer].data(), 0, nullptr,
                         y, room.winograd);
      Winograd::convolve(frame_, frame_, y, rows, filters_[layer + 1].data(), biases_[layer + 1].data(), 0, x,
                         x, room.winograd);
    }
    heads(x, rows, room);
    policy(rows, shares, room);
    value(rows, values, room);
  }

  // The first layer: most of what it reads is 0.
  void begin(const float* planes, float* x) const {
    const int c = shape_.channels, n = shape_.cells();
    for (int row = 0; row < shape_.height; ++row)
      for (int column = 0; column < shape_.width; ++column) {
        float* to = x + frame_.at(row, column);
        std::copy_n(first_bias_.data(), c, to);
        for (int tap = 0; tap < 9; ++tap) {
          const int r = row + tap / 3 - 1, k = column + tap % 3 - 1;
          if (r < 0 || r >= shape_.height || k < 0 || k >= shape_.width) continue;
          for (int plane = 0; plane < 3; ++plane) {
            const float is = planes[plane * n + r * shape_.width + k];
            if (is == 0.0f) continue;
            const float* weights = &first_[std::size_t(plane * 9 + tap) * c];
            for (int i = 0; i < c; ++i) to[i] += is * weights[i];
          }
        }
        relu(to, c);
      }
  }

  // What both heads begin with: two planes of the policy and one of the value.
  void heads(const float* x, int rows, Room& room) const {
    const int c = shape_.channels, n = shape_.cells(), wide = shape_.width;
    room.heads.resize(std::size_t(wide) * kLanes);
    room.policy.resize(std::size_t(rows) * 2 * n);
    room.value.resize(std::size_t(rows) * n);
    for (int r = 0; r < rows; ++r)
      for (int row = 0; row < shape_.height; ++row) {
        dense(x + r * frame_.size() + frame_.at(row, 0), wide, c, heads_.data(), heads_bias_.data(), kLanes,
              room.heads.data());
        relu(room.heads.data(), room.heads.size());
        for (int column = 0; column < wide; ++column) {
          const float* from = &room.heads[std::size_t(column) * kLanes];
          const int cell = row * wide + column;
          room.policy[std::size_t(2 * r) * n + cell] = from[0];
          room.policy[std::size_t(2 * r + 1) * n + cell] = from[1];
          room.value[std::size_t(r) * n + cell] = from[2];
        }
      }
  }

  void policy(int rows, float* shares, Room& room) const {
    const int n = shape_.cells();
    room.logits.resize(std::size_t(rows) * wide_);
    dense(room.policy.data(), rows, 2 * n, policy_.data(), policy_bias_.data(), wide_, room.logits.data());
    for (int r = 0; r < rows; ++r, shares += n) {
      const float* logits = &room.logits[std::size_t(r) * wide_];
      const float highest = *std::max_element(logits, logits + n);
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += shares[k] = std::exp(logits[k] - highest);
      for (int k = 0; k < n; ++k) shares[k] /= sum;
    }
  }

  void value(int rows, float* values, Room& room) const {
    const int n = shape_.cells(), d = shape_.hidden;
    room.hidden.resize(std::size_t(rows) * d);
    dense(room.value.data(), rows, n, value_.data(), value_bias_.data(), d, room.hidden.data());
    for (int r = 0; r < rows; ++r) {
      float sum = result_bias_;
      for (int k = 0; k < d; ++k) sum += std::max(room.hidden[std::size_t(r) * d + k], 0.0f) * result_[k];
      values[r] = std::tanh(sum);
    }
  }

  ResidualShape shape_;
  Framed frame_;
  int wide_;  // columns of the policy's last layer
  std::vector<float> first_, first_bias_, policy_, policy_bias_, heads_, heads_bias_, value_, value_bias_,
      result_;
  float result_bias_ = 0;
  std::vector<std::vector<float>> filters_, biases_;
};

}  // namespace zerosum::nn
