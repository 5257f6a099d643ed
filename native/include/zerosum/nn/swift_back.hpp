// How SwiftNet learns: its losses on some rows, and how they change with its weights. Rows are shared out
// among four sums, which are added in their order, so that the number of threads changes nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "zerosum/crew.hpp"
#include "zerosum/nn/swift_net.hpp"

namespace zerosum::nn {

struct SwiftLosses {
  double policy = 0, value = 0;
};

class SwiftLearner : public SwiftNet {
 public:
  explicit SwiftLearner(const SwiftShape& shape) : SwiftNet(shape), sums_(kSums) {}

  // Planes [rows, 3, h, w], wanted shares of the cells [rows, h·w] (all zeros: none) and results [rows] ->
  // mean cross-entropies of the policy and of win, draw and loss, and by weight how the first plus
  // `value_weight` times the second changes.
  SwiftLosses losses(const float* planes, const float* shares, const float* results, int rows,
                     float value_weight, float* by_weights, Crew& crew) {
    const int each = (rows + kSums - 1) / kSums, cells = shape_.cells();
    crew.run([&](int thread) {
      for (int k = thread; k < kSums; k += crew.size()) {
        sums_[k].begin(*this);
        const int end = std::min(rows, (k + 1) * each);
        for (int first = k * each; first < end; first += kRows)
          back(planes + std::size_t(3) * cells * first, shares + std::size_t(cells) * first, results + first,
               std::min(kRows, end - first), 1.0f / static_cast<float>(rows), value_weight, sums_[k]);
      }
    });
    SwiftLosses all;
    for (int k = 0; k < kSums; ++k) {
      all.policy += sums_[k].losses.policy / rows;
      all.value += sums_[k].losses.value / rows;
      if (k > 0) sums_[0].add(sums_[k]);
    }
    sums_[0].tell(*this, by_weights);
    return all;
  }

 private:
  static constexpr int kSums = 4;

  // Of some rows: how the loss changes with every weight. Matrices are [in, out] here, filters at their
  // points.
  struct Sum {
    SwiftLosses losses;
    std::vector<float> plain;  // biases and what has no matrix, where the weights have them
    std::vector<float> input, heads, policy_around, value_hidden;
    std::vector<std::vector<float>> filters, around;
    SwiftRoom room;
    std::vector<float> by, by_inner, by_heads, by_pooled, by_hidden, row_sums, shares, nothing;

    void begin(const SwiftLearner& net) {
      const SwiftShape& shape = net.shape_;
      const std::size_t c = shape.channels, h = shape.head;
      losses = {};
      plain.assign(net.layers_.weights, 0.0f);
      input.assign(kPoints * shape.seen_wide() * c, 0.0f);
      heads.assign(c * 2 * h, 0.0f);
      policy_around.assign(2 * c * h, 0.0f);
      value_hidden.assign(2 * h * shape.hidden, 0.0f);
      filters.resize(2 * shape.blocks);
      around.resize(shape.blocks);
      for (auto& one : filters) one.assign(kPoints * c * c, 0.0f);
      for (auto& one : around) one.assign(2 * c * c, 0.0f);
      nothing.assign(std::max<std::size_t>(2 * c, 2 * h), 0.0f);
    }

    void add(const Sum& other) {
      add(other.plain, plain);
      add(other.input, input);
      add(other.heads, heads);
      add(other.policy_around, policy_around);
      add(other.value_hidden, value_hidden);
      for (std::size_t k = 0; k < filters.size(); ++k) add(other.filters[k], filters[k]);
      for (std::size_t k = 0; k < around.size(); ++k) add(other.around[k], around[k]);
    }

    static void add(const std::vector<float>& from, std::vector<float>& to) {
      for (std::size_t k = 0; k < to.size(); ++k) to[k] += from[k];
    }

    // As the weights are.
    void tell(const SwiftLearner& net, float* by_weights) const {
      const SwiftLayers& layers = net.layers_;
      const int c = net.shape_.channels, h = net.shape_.head, wide = net.shape_.seen_wide();
      std::copy(plain.begin(), plain.end(), by_weights);
      std::vector<float> first(std::size_t(9) * c * wide);
      winograd_filters_back(input.data(), c, wide, first.data());
      for (int o = 0; o < c; ++o)
        std::copy_n(&first[std::size_t(9) * o * wide], layers.input.in,
                    by_weights + layers.input.at + std::size_t(o) * layers.input.in);
      for (std::size_t k = 0; k < filters.size(); ++k)
        winograd_filters_back(filters[k].data(), c, c, by_weights + layers.conv[k].at);
      for (std::size_t k = 0; k < around.size(); ++k) turn(around[k].data(), c, layers.around[k], by_weights);
      turn(policy_around.data(), h, layers.policy_around, by_weights);
      turn(value_hidden.data(), net.shape_.hidden, layers.value_hidden, by_weights);
      turn(heads.data(), 2 * h, layers.policy_conv, by_weights);
      turn(heads.data() + h, 2 * h, layers.value_conv, by_weights);
    }

    static void turn(const float* from, int step, const SwiftLayer& layer, float* to) {
      for (int o = 0; o < layer.out; ++o)
        for (int i = 0; i < layer.in; ++i)
          to[layer.at + std::size_t(o) * layer.in + i] = from[std::size_t(i) * step + o];
    }
  };

  void back(const float* planes, const float* shares, const float* results, int rows, float scale,
            float value_weight, Sum& sum) const {
    forward(planes, rows, sum.room, true);
#if defined(ZEROSUM_FMA)
    if (has_fma()) return back_fast(shares, results, rows, scale, value_weight, sum);
#endif
    go_back(shares, results, rows, scale, value_weight, sum);
  }

#if defined(ZEROSUM_FMA)
  ZEROSUM_FMA __attribute__((flatten)) void back_fast(const float* shares, const float* results, int rows,
                                                      float scale, float value_weight, Sum& sum) const {
    go_back(shares, results, rows, scale, value_weight, sum);
  }
#endif

  void go_back(const float* shares, const float* results, int rows, float scale, float value_weight,
               Sum& sum) const {
    const int c = shape_.channels;
    SwiftRoom& room = sum.room;
    sum.by.assign(rows * frame_.size(), 0.0f);
    sum.by_pooled.resize(std::size_t(rows) * 2 * std::max(c, shape_.head));
    sum.by_heads.resize(std::size_t(rows) * shape_.cells() * 2 * shape_.head);
    sum.by_hidden.resize(std::size_t(rows) * shape_.hidden);
    sum.row_sums.resize(std::size_t(rows) * std::max(c, shape_.head));
    by_policy(shares, rows, scale, sum);
    by_value(results, rows, scale * value_weight, sum);
    by_heads(rows, sum);
    for (int n = shape_.blocks - 1; n >= 0; --n) {
      mask(room.x[n + 1], rows, sum.by);
      add_cells(sum.by, rows, &sum.plain[layers_.conv[2 * n + 1].bias()]);
      sum.by_inner.assign(rows * frame_.size(), 0.0f);
      Winograd::back(frame_, frame_, room.inner[n].data(), sum.by.data(), rows, turned_[2 * n + 1].data(),
                     sum.filters[2 * n + 1].data(), sum.by_inner.data(), room.winograd);
      mask(room.inner[n], rows, sum.by_inner);
      add_cells(sum.by_inner, rows, &sum.plain[layers_.conv[2 * n].bias()]);
      Winograd::back(frame_, frame_, room.x[n].data(), sum.by_inner.data(), rows, turned_[2 * n].data(),
                     sum.filters[2 * n].data(), sum.by.data(), room.winograd);
      if (shape_.looks_around(n)) by_around(n, rows, sum);
    }
    mask(room.x[0], rows, sum.by);
    add_cells(sum.by, rows, &sum.plain[layers_.input.bias()]);
    Winograd::back(from_, frame_, room.seen.data(), sum.by.data(), rows, nullptr, sum.input.data(), nullptr,
                   room.winograd);
  }

  // Where the rectifier let nothing through, and off the board, nothing goes back.
  ZEROSUM_BODY void mask(const std::vector<float>& x, int rows, std::vector<float>& by) const {
    for (std::size_t k = 0; k < rows * frame_.size(); ++k) by[k] = x[k] > 0.0f ? by[k] : 0.0f;
  }

  ZEROSUM_BODY void add_cells(const std::vector<float>& by, int rows, float* to) const {
    const int c = shape_.channels;
    for (std::size_t k = 0; k < rows * frame_.size(); k += c)
      for (int i = 0; i < c; ++i) to[i] += by[k + i];
  }

  // From logits to the cells of the policy's head.
  void by_policy(const float* shares, int rows, float scale, Sum& sum) const {
    const int n = shape_.cells(), h = shape_.head;
    sum.shares.resize(n);
    for (int r = 0; r < rows; ++r, shares += n) {
      const float* logits = &sum.room.logits[std::size_t(r) * n];
      const float log_sum = softmax(logits, n, sum.shares.data());
      float all = 0, told = 0;
      for (int cell = 0; cell < n; ++cell) {
        all += shares[cell];
        told += shares[cell] * (log_sum - logits[cell]);
      }
      sum.losses.policy += told;
      for (int cell = 0; cell < n; ++cell) {
        const std::size_t at_cell = (std::size_t(r) * n + cell) * 2 * h;
        const float by = (all * sum.shares[cell] - shares[cell]) * scale;
        sum.plain[layers_.policy_out.bias()] += by;
        for (int k = 0; k < h; ++k) {
          const float seen = sum.room.heads[at_cell + k];
          sum.plain[layers_.policy_out.at + k] += by * seen;
          sum.by_heads[at_cell + k] = seen > 0.0f ? by * at(layers_.policy_out)[k] : 0.0f;
        }
      }
    }
  }

  // From win, draw and loss to the cells of the value's head.
  void by_value(const float* results, int rows, float scale, Sum& sum) const {
    const int n = shape_.cells(), h = shape_.head, d = shape_.hidden;
    for (int r = 0; r < rows; ++r) {
      const float* outcome = &sum.room.outcome[std::size_t(3) * r];
      const float* hidden = &sum.room.hidden[std::size_t(r) * d];
      float* by_hidden = &sum.by_hidden[std::size_t(r) * d];
      const float wanted[3] = {std::max(results[r], 0.0f), 1 - std::abs(results[r]),
                               std::max(-results[r], 0.0f)};
      float found[3];
      const float log_sum = softmax(outcome, 3, found);
      std::fill_n(by_hidden, d, 0.0f);
      for (int o = 0; o < 3; ++o) {
        sum.losses.value += wanted[o] * (log_sum - outcome[o]);
        const float by = (found[o] - wanted[o]) * scale;
        sum.plain[layers_.value_out.bias() + o] += by;
        for (int k = 0; k < d; ++k) {
          sum.plain[layers_.value_out.at + std::size_t(o) * d + k] += by * hidden[k];
          by_hidden[k] += by * at(layers_.value_out)[std::size_t(o) * d + k];
        }
      }
      for (int k = 0; k < d; ++k) {
        by_hidden[k] = hidden[k] > 0.0f ? by_hidden[k] : 0.0f;
        sum.plain[layers_.value_hidden.bias() + k] += by_hidden[k];
      }
    }
    dense_back(sum.room.value_pooled.data(), rows, 2 * h, sum.by_hidden.data(), d, sum.value_hidden.data());
    dense(sum.by_hidden.data(), rows, d, at(layers_.value_hidden), sum.nothing.data(), 2 * h,
          sum.by_pooled.data());
    for (int r = 0; r < rows; ++r) {
      const std::size_t first = std::size_t(r) * n * 2 * h + h;
      unpool(&sum.room.heads[first], &sum.room.value_pooled[std::size_t(r) * 2 * h],
             &sum.by_pooled[std::size_t(r) * 2 * h], h, n, 1, 0, 2 * h, &sum.by_heads[first], false);
      for (int cell = 0; cell < n; ++cell)
        for (int k = 0; k < h; ++k) {
          const std::size_t at_cell = first + std::size_t(cell) * 2 * h + k;
          sum.by_heads[at_cell] = sum.room.heads[at_cell] > 0.0f ? sum.by_heads[at_cell] : 0.0f;
        }
    }
  }

  // From the cells of both heads to the board before them.
  void by_heads(int rows, Sum& sum) const {
    const int c = shape_.channels, h = shape_.head, n = shape_.cells();
    const float* pooled = sum.room.pooled[shape_.blocks].data();
    for (int r = 0; r < rows; ++r) {
      const float *by = &sum.by_heads[std::size_t(r) * n * 2 * h],
                  *x = &sum.room.x[shape_.blocks][r * frame_.size()];
      float* by_x = &sum.by[r * frame_.size()];
      for (int row = 0; row < shape_.height; ++row) {
        const float* by_line = by + std::size_t(row) * shape_.width * 2 * h;
        dense_back(x + frame_.at(row, 0), shape_.width, c, by_line, 2 * h, sum.heads.data());
        dense(by_line, shape_.width, 2 * h, heads_back_.data(), sum.nothing.data(), c,
              by_x + frame_.at(row, 0));
      }
      float* row_sums = &sum.row_sums[std::size_t(r) * h];
      std::fill_n(row_sums, h, 0.0f);
      for (int cell = 0; cell < n; ++cell)
        for (int k = 0; k < h; ++k) {
          row_sums[k] += by[std::size_t(cell) * 2 * h + k];
          sum.plain[layers_.value_conv.bias() + k] += by[std::size_t(cell) * 2 * h + h + k];
        }
      for (int k = 0; k < h; ++k) {
        sum.plain[layers_.policy_conv.bias() + k] += row_sums[k];
        sum.plain[layers_.policy_around.bias() + k] += row_sums[k];
      }
    }
    dense_back(pooled, rows, 2 * c, sum.row_sums.data(), h, sum.policy_around.data());
    dense(sum.row_sums.data(), rows, h, at(layers_.policy_around), sum.nothing.data(), 2 * c,
          sum.by_pooled.data());
    by_pooled(shape_.blocks, rows, sum);
  }

  // From what a block adds to all cells to the board before it.
  void by_around(int n, int rows, Sum& sum) const {
    const int c = shape_.channels;
    const SwiftLayer& layer = layers_.around[n];
    for (int r = 0; r < rows; ++r) {
      float* row_sums = &sum.row_sums[std::size_t(r) * c];
      std::fill_n(row_sums, c, 0.0f);
      for (std::size_t k = r * frame_.size(); k < (r + 1) * frame_.size(); k += c)
        for (int i = 0; i < c; ++i) row_sums[i] += sum.by_inner[k + i];
      for (int i = 0; i < c; ++i) sum.plain[layer.bias() + i] += row_sums[i];
    }
    dense_back(sum.room.pooled[n].data(), rows, 2 * c, sum.row_sums.data(), c, sum.around[n].data());
    dense(sum.row_sums.data(), rows, c, at(layer), sum.nothing.data(), 2 * c, sum.by_pooled.data());
    by_pooled(n, rows, sum);
  }

  void by_pooled(int n, int rows, Sum& sum) const {
    const int c = shape_.channels;
    for (int r = 0; r < rows; ++r) {
      const std::size_t first = r * frame_.size() + frame_.at(0, 0);
      unpool(&sum.room.x[n][first], &sum.room.pooled[n][std::size_t(r) * 2 * c],
             &sum.by_pooled[std::size_t(r) * 2 * c], c, shape_.width, shape_.height, frame_.line(), c,
             &sum.by[first], true);
    }
  }

  // Means and greatest of each channel, back to cells: where several are greatest they share alike.
  ZEROSUM_BODY void unpool(const float* x, const float* pooled, const float* by_pooled, int channels,
                           int wide, int high, std::size_t line, std::size_t step, float* by_x,
                           bool adds) const {
    for (int k = 0; k < channels; k += int(kLanes)) {
      detail::Lanes mean, most, highest, ties = {}, cell, before;
      std::memcpy(&mean, by_pooled + k, sizeof mean);
      std::memcpy(&most, by_pooled + channels + k, sizeof most);
      std::memcpy(&highest, pooled + channels + k, sizeof highest);
      mean /= static_cast<float>(wide * high);
      for (int row = 0; row < high; ++row)
        for (int column = 0; column < wide; ++column) {
          std::memcpy(&cell, x + row * line + column * step + k, sizeof cell);
          ties += cell == highest ? detail::Lanes{} + 1.0f : detail::Lanes{};
        }
      most /= ties;
      for (int row = 0; row < high; ++row)
        for (int column = 0; column < wide; ++column) {
          const std::size_t at_cell = row * line + column * step + k;
          std::memcpy(&cell, x + at_cell, sizeof cell);
          detail::Lanes by = mean + (cell == highest ? most : detail::Lanes{});
          if (adds) {
            std::memcpy(&before, by_x + at_cell, sizeof before);
            by += before;
          }
          std::memcpy(by_x + at_cell, &by, sizeof by);
        }
    }
  }

  std::vector<Sum> sums_;
};

}  // namespace zerosum::nn
