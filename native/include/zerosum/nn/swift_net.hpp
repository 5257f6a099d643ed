// SwiftNet of networks/gomoku.py as it plays; swift_back.hpp is how it learns. Its convolutions are
// Winograd's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "zerosum/nn/line_windows.hpp"
#include "zerosum/nn/winograd.hpp"

namespace zerosum::nn {

// A layer in the row of all weights: its matrix [out, in], in PyTorch's order, and then its bias [out].
struct SwiftLayer {
  std::size_t at = 0;
  int out = 0, in = 0;

  std::size_t bias() const { return at + std::size_t(out) * in; }
  std::size_t end() const { return bias() + out; }
};

struct SwiftShape {
  int height = 0, width = 0, line = 5, channels = 32, blocks = 3, head = 16, hidden = 64;

  int cells() const { return height * width; }
  int seen() const { return 4 + line_channels(line); }
  int seen_wide() const { return (seen() + int(kLanes) - 1) / int(kLanes) * int(kLanes); }
  static bool looks_around(int block) { return block % 2 == 1; }
  bool operator==(const SwiftShape& other) const {
    return height == other.height && width == other.width && line == other.line &&
           channels == other.channels && blocks == other.blocks && head == other.head &&
           hidden == other.hidden;
  }
};

// Where each layer's weights are, in the order in which PyTorch names them.
struct SwiftLayers {
  explicit SwiftLayers(const SwiftShape& shape) {
    std::size_t at = 0;
    auto next = [&](int out, int in) {
      SwiftLayer layer{at, out, in};
      at = layer.end();
      return layer;
    };
    const int c = shape.channels;
    input = next(c, 9 * shape.seen());
    for (int block = 0; block < shape.blocks; ++block) {
      conv.push_back(next(c, 9 * c));
      conv.push_back(next(c, 9 * c));
      around.push_back(shape.looks_around(block) ? next(c, 2 * c) : SwiftLayer{});
    }
    policy_conv = next(shape.head, c);
    policy_around = next(shape.head, 2 * c);
    policy_out = next(1, shape.head);
    value_conv = next(shape.head, c);
    value_hidden = next(shape.hidden, 2 * shape.head);
    value_out = next(3, shape.hidden);
    weights = at;
  }

  SwiftLayer input, policy_conv, policy_around, policy_out, value_conv, value_hidden, value_out;
  std::vector<SwiftLayer> conv, around;  // two a block, and one
  std::size_t weights = 0;
};

// What the network made of some boards. One thread's room to work in.
struct SwiftRoom {
  SwiftShape shape;
  bool keeps = false;
  std::vector<float> seen;                         // [rows, frame] the input
  std::vector<std::vector<float>> x, inner;        // [rows, frame] between blocks, and in them
  std::vector<std::vector<float>> pooled;          // [rows, 2 C] of what comes into a block, and of the last
  std::vector<float> biases;                       // [rows, C] of a block's first convolution
  std::vector<float> heads, value_pooled, hidden;  // [rows, cells, 2 H], [rows, 2 H], [rows, D]
  std::vector<float> logits, outcome;              // [rows, cells], [rows, 3]
  std::vector<float> line;
  Winograd::Room winograd;
};

class SwiftNet {
 public:
  static constexpr int kRows = 18;  // that are answered together at most

  explicit SwiftNet(const SwiftShape& shape)
      : shape_(shape),
        layers_(shape),
        from_{shape.height, shape.width, shape.seen_wide()},
        frame_{shape.height, shape.width, shape.channels} {}

  const SwiftShape& shape() const { return shape_; }
  const SwiftLayers& layers() const { return layers_; }

  // All weights; `learns`: also as the way back needs them.
  void take(const float* weights, bool learns) {
    const int c = shape_.channels, h = shape_.head;
    weights_.assign(weights, weights + layers_.weights);
    std::vector<float> first(std::size_t(9) * c * shape_.seen_wide(), 0.0f);
    for (int o = 0; o < c; ++o)
      std::copy_n(at(layers_.input) + std::size_t(o) * layers_.input.in, layers_.input.in,
                  &first[std::size_t(9) * o * shape_.seen_wide()]);
    input_ = winograd_filters(first.data(), c, shape_.seen_wide());
    filters_.resize(layers_.conv.size());
    turned_.resize(layers_.conv.size());
    around_.resize(layers_.around.size());
    for (std::size_t k = 0; k < filters_.size(); ++k) {
      filters_[k] = winograd_filters(at(layers_.conv[k]), c, c);
      if (learns) turned_[k] = winograd_filters(at(layers_.conv[k]), c, c, true);
    }
    for (std::size_t k = 0; k < around_.size(); ++k) around_[k] = turned(layers_.around[k]);
    policy_around_ = turned(layers_.policy_around);
    value_hidden_ = turned(layers_.value_hidden);
    heads_back_.assign(at(layers_.policy_conv), at(layers_.policy_conv) + std::size_t(h) * c);
    heads_back_.insert(heads_back_.end(), at(layers_.value_conv),
                       at(layers_.value_conv) + std::size_t(h) * c);
    heads_.resize(heads_back_.size());
    for (int o = 0; o < 2 * h; ++o)
      for (int i = 0; i < c; ++i) heads_[std::size_t(i) * 2 * h + o] = heads_back_[std::size_t(o) * c + i];
  }

  // Planes [rows, 3, h, w] -> probabilities of the cells [rows, h·w] and values [rows]; at most kRows rows.
  void answer(const float* planes, int rows, float* shares, float* values, SwiftRoom& room) const {
    forward(planes, rows, room, false);
    for (int r = 0; r < rows; ++r) {
      softmax(&room.logits[std::size_t(r) * shape_.cells()], shape_.cells(),
              shares + std::size_t(r) * shape_.cells());
      float outcome[3];
      softmax(&room.outcome[std::size_t(3) * r], 3, outcome);
      values[r] = outcome[0] - outcome[2];
    }
  }

 protected:
  // Logits and outcomes; `keeps` what every layer came to.
  void forward(const float* planes, int rows, SwiftRoom& room, bool keeps) const {
#if defined(ZEROSUM_FMA)
    if (has_fma()) return forward_fast(planes, rows, room, keeps);
#endif
    go_through(planes, rows, room, keeps);
  }

  // [size] logits -> shares; the logarithm of what they are divided by.
  static float softmax(const float* logits, int size, float* shares) {
    const float highest = *std::max_element(logits, logits + size);
    float sum = 0;
    for (int k = 0; k < size; ++k) sum += shares[k] = std::exp(logits[k] - highest);
    for (int k = 0; k < size; ++k) shares[k] /= sum;
    return highest + std::log(sum);
  }

  const float* at(const SwiftLayer& layer) const { return weights_.data() + layer.at; }
  const float* bias(const SwiftLayer& layer) const { return weights_.data() + layer.bias(); }

  SwiftShape shape_;
  SwiftLayers layers_;
  Framed from_, frame_;
  std::vector<float> weights_, input_, policy_around_, value_hidden_;
  std::vector<float> heads_, heads_back_;  // the first layers of both heads in one, [C, 2 H] and [2 H, C]
  std::vector<std::vector<float>> filters_, turned_, around_;

 private:
  // [out, in] -> [in, out]
  std::vector<float> turned(const SwiftLayer& layer) const {
    std::vector<float> found(std::size_t(layer.in) * layer.out);
    for (int o = 0; o < layer.out; ++o)
      for (int i = 0; i < layer.in; ++i)
        found[std::size_t(i) * layer.out + o] = at(layer)[std::size_t(o) * layer.in + i];
    return found;
  }

#if defined(ZEROSUM_FMA)
  // The same, all of it compiled for such machines.
  ZEROSUM_FMA __attribute__((flatten)) void forward_fast(const float* planes, int rows, SwiftRoom& room,
                                                         bool keeps) const {
    go_through(planes, rows, room, keeps);
  }
#endif

  // What is off the board stays zero: nothing is ever written there.
  void prepare(SwiftRoom& room, bool keeps) const {
    const std::size_t size = kRows * frame_.size();
    if (!room.seen.empty() && room.shape == shape_ && room.keeps == keeps) return;
    room.shape = shape_;
    room.keeps = keeps;
    room.seen.assign(kRows * from_.size(), 0.0f);
    room.inner.assign(keeps ? shape_.blocks : 1, std::vector<float>(size, 0.0f));
    room.x.assign(keeps ? shape_.blocks + 1 : 1, std::vector<float>(size, 0.0f));
    room.pooled.assign(shape_.blocks + 1, std::vector<float>(std::size_t(kRows) * 2 * shape_.channels));
    room.biases.resize(std::size_t(kRows) * shape_.channels);
    room.heads.resize(std::size_t(kRows) * shape_.cells() * 2 * shape_.head);
    room.value_pooled.resize(std::size_t(kRows) * 2 * shape_.head);
    room.hidden.resize(std::size_t(kRows) * shape_.hidden);
    room.logits.resize(std::size_t(kRows) * shape_.cells());
    room.outcome.resize(std::size_t(kRows) * 3);
    room.line.resize(2 * shape_.head);
  }

  void go_through(const float* planes, int rows, SwiftRoom& room, bool keeps) const {
    prepare(room, keeps);
    for (int r = 0; r < rows; ++r)
      look(planes + std::size_t(3) * shape_.cells() * r, &room.seen[r * from_.size()]);
    Winograd::convolve(from_, frame_, room.seen.data(), rows, input_.data(), bias(layers_.input), 0, nullptr,
                       room.x[0].data(), room.winograd);
    for (int n = 0; n < shape_.blocks; ++n) {
      float* x = room.x[keeps ? n : 0].data();
      float* inner = room.inner[keeps ? n : 0].data();
      float* after = room.x[keeps ? n + 1 : 0].data();
      const bool around = shape_.looks_around(n);
      const float* biases = around ? room.biases.data() : bias(layers_.conv[2 * n]);
      if (around) look_around(n, x, rows, room);
      Winograd::convolve(frame_, frame_, x, rows, filters_[2 * n].data(), biases,
                         around ? shape_.channels : 0, nullptr, inner, room.winograd);
      Winograd::convolve(frame_, frame_, inner, rows, filters_[2 * n + 1].data(),
                         bias(layers_.conv[2 * n + 1]), 0, x, after, room.winograd);
    }
    heads(room.x[keeps ? shape_.blocks : 0].data(), rows, room);
  }

  // The planes, ones, and lines of one board.
  void look(const float* planes, float* seen) const {
    const int wide = from_.channels, n = shape_.cells();
    for (int row = 0; row < shape_.height; ++row)
      for (int column = 0; column < shape_.width; ++column) {
        float* to = seen + from_.at(row, column);
        std::fill_n(to, wide, 0.0f);
        for (int plane = 0; plane < 3; ++plane) to[plane] = planes[plane * n + row * shape_.width + column];
        to[3] = 1.0f;
      }
    line_windows(planes, shape_.height, shape_.width, shape_.line, seen + from_.at(0, 0) + 4, from_.line(),
                 wide);
  }

  // Means and greatest of each channel over a board.
  ZEROSUM_BODY void pool(const float* board, float* pooled) const {
    const int c = shape_.channels;
    for (int k = 0; k < c; k += int(kLanes)) {
      detail::Lanes sum = {}, most, cell;
      std::memcpy(&most, board + frame_.at(0, 0) + k, sizeof most);
      for (int row = 0; row < shape_.height; ++row)
        for (int column = 0; column < shape_.width; ++column) {
          std::memcpy(&cell, board + frame_.at(row, column) + k, sizeof cell);
          sum += cell;
          most = cell > most ? cell : most;
        }
      sum /= static_cast<float>(shape_.cells());
      std::memcpy(pooled + k, &sum, sizeof sum);
      std::memcpy(pooled + c + k, &most, sizeof most);
    }
  }

  void look_around(int n, const float* x, int rows, SwiftRoom& room) const {
    const int c = shape_.channels;
    float* pooled = room.pooled[n].data();
    for (int r = 0; r < rows; ++r) pool(x + r * frame_.size(), pooled + std::size_t(r) * 2 * c);
    dense(pooled, rows, 2 * c, around_[n].data(), bias(layers_.around[n]), c, room.biases.data());
    for (int r = 0; r < rows; ++r)
      for (int k = 0; k < c; ++k) room.biases[std::size_t(r) * c + k] += bias(layers_.conv[2 * n])[k];
  }

  void heads(const float* x, int rows, SwiftRoom& room) const {
    const int c = shape_.channels, h = shape_.head, n = shape_.cells();
    float* pooled = room.pooled[shape_.blocks].data();
    for (int r = 0; r < rows; ++r) {
      const float* board = x + r * frame_.size();
      float *row_pooled = pooled + std::size_t(r) * 2 * c, *first = &room.heads[std::size_t(r) * n * 2 * h];
      pool(board, row_pooled);
      dense(row_pooled, 1, 2 * c, policy_around_.data(), bias(layers_.policy_around), h, room.line.data());
      for (int k = 0; k < h; ++k) {
        room.line[k] += bias(layers_.policy_conv)[k];
        room.line[h + k] = bias(layers_.value_conv)[k];
      }
      for (int row = 0; row < shape_.height; ++row)
        dense(board + frame_.at(row, 0), shape_.width, c, heads_.data(), room.line.data(), 2 * h,
              first + std::size_t(row) * shape_.width * 2 * h);
      relu(first, std::size_t(n) * 2 * h);
      tell(first, &room.logits[std::size_t(r) * n], &room.value_pooled[std::size_t(r) * 2 * h]);
    }
    dense(room.value_pooled.data(), rows, 2 * h, value_hidden_.data(), bias(layers_.value_hidden),
          shape_.hidden, room.hidden.data());
    relu(room.hidden.data(), std::size_t(rows) * shape_.hidden);
    for (int r = 0; r < rows; ++r)
      for (int o = 0; o < 3; ++o)
        room.outcome[std::size_t(3) * r + o] =
            bias(layers_.value_out)[o] + detail::dot(&room.hidden[std::size_t(r) * shape_.hidden],
                                                     at(layers_.value_out) + std::size_t(o) * shape_.hidden,
                                                     shape_.hidden);
  }

  // Of one board's cells: the logits, and means and greatest of what the value sees.
  void tell(const float* cells, float* logits, float* pooled) const {
    const int h = shape_.head, n = shape_.cells();
    for (int cell = 0; cell < n; ++cell)
      logits[cell] = *bias(layers_.policy_out) +
                     detail::dot(cells + std::size_t(cell) * 2 * h, at(layers_.policy_out), h);
    for (int k = 0; k < h; ++k) {
      float sum = 0, most = cells[h + k];
      for (int cell = 0; cell < n; ++cell) {
        const float one = cells[std::size_t(cell) * 2 * h + h + k];
        sum += one;
        most = std::max(most, one);
      }
      pooled[k] = sum / static_cast<float>(n);
      pooled[h + k] = most;
    }
  }
};

}  // namespace zerosum::nn
