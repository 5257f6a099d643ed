// The two networks of heads-up hold'em, one row at a time and only as far as a player needs them: cards ->
// histogram of equities, histogram and betting -> logits of the strategy. Everything is allocated at the
// start.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "zerosum/cards/canonical_suits.hpp"
#include "zerosum/nn/linear.hpp"
#include "zerosum/nn/weights.hpp"

namespace zerosum::nn {

inline constexpr std::size_t kHistogram = 50, kActions = 5;
inline constexpr std::uint32_t kMostHidden = 4096, kMostBetting = 64;
inline constexpr std::size_t kHole = 2, kBoard = 5;
inline constexpr std::uint8_t kPadding = 52;  // a card of the board that is not there

// Two hole cards, then five of the board.
using SeenCards = std::array<std::uint8_t, kHole + kBoard>;

// As the network knows them: suits renamed, and in one order, as sums of floats depend on it.
inline SeenCards canonical_cards(SeenCards seen) {
  cards::canonical_suits(seen.data());
  std::sort(seen.begin(), seen.begin() + kHole);
  std::sort(seen.begin() + kHole, seen.begin() + kHole + 3);
  return seen;
}

class CardModelInference {
 public:
  explicit CardModelInference(const Weights& weights, bool plain = false)
      : plain_(plain || !has_fma()),
        tables_(2 * kRows * kFirst),
        second_(weights, "backbone.3", 512, 512, "backbone.2"),
        third_(weights, "backbone.6", 512, 256, "backbone.5"),
        fourth_(weights, "histogram_head.0", 256, 64, "backbone.8"),
        last_(weights, "histogram_head.2", 64, kHistogram),
        first_(kFirst),
        sparse_(512) {
    const Tensor& embedding = wanted(weights, "embedding.weight", {kRows, kWidth});
    const Tensor& matrix = wanted(weights, "backbone.0.weight", {kFirst, 2 * kWidth});
    bias_ = wanted(weights, "backbone.0.bias", {kFirst}).values;
    // The first layer of a sum of embeddings is the sum of the first layer of each.
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::size_t card = 0; card < kRows; ++card) {
        for (std::size_t o = 0; o < kFirst; ++o) {
          const float* from = embedding.values.data() + card * kWidth;
          const float* row = matrix.values.data() + o * 2 * kWidth + half * kWidth;
          float sum = 0.0f;
          for (std::size_t k = 0; k < kWidth; ++k) sum += from[k] * row[k];
          tables_[(half * kRows + card) * kFirst + o] = sum;
        }
      }
    }
  }

  // Two hole cards and five of the board -> [kHistogram]. A number that is no card counts as none.
  void histogram(const SeenCards& told, float* out) {
    plain_ ? run<PlainKernels>(told, out) : run<FmaKernels>(told, out);
  }

 private:
  static constexpr std::uint32_t kRows = 53, kWidth = 64, kFirst = 512;

  template <typename Kernels>
  void run(const SeenCards& told, float* out) {
    const SeenCards seen = canonical_cards(told);
    std::copy(bias_.begin(), bias_.end(), first_.begin());
    for (std::size_t k = 0; k < seen.size(); ++k) {
      const std::size_t row = std::min(seen[k], kPadding) + (k < kHole ? 0 : kRows);
      Kernels::add(tables_.data() + row * kFirst, kFirst, first_.data());
    }
    Kernels::positive(kFirst, first_.data());
    const float* x = first_.data();
    std::size_t size = kFirst;
    for (Linear* layer : {&second_, &third_, &fourth_}) {
      sparse_.take(x, size);
      x = layer->positive<Kernels>(sparse_, Kernels::norm(x, size));
      size = layer->outputs();
    }
    sparse_.take(x, size);
    softmax(last_.ask<Kernels>(sparse_), out);
  }

  static void softmax(const float* x, float* out) {
    float most = x[0], sum = 0.0f;
    for (std::size_t k = 1; k < kHistogram; ++k) most = std::max(most, x[k]);
    for (std::size_t k = 0; k < kHistogram; ++k) sum += out[k] = std::exp(x[k] - most);
    for (std::size_t k = 0; k < kHistogram; ++k) out[k] /= sum;
  }

  bool plain_;
  std::vector<float> tables_;  // [hole or board, card, outputs of the first layer]
  std::vector<float> bias_;
  Linear second_, third_, fourth_, last_;
  std::vector<float> first_;
  Sparse sparse_;
};

// Reads five numbers of the betting, or more where a network was made to see its history.
class CFRNetInference {
 public:
  explicit CFRNetInference(const Weights& weights, bool plain = false)
      : plain_(plain || !has_fma()),
        hidden_(size_of(weights, 0, 1, kMostHidden)),
        inputs_(size_of(weights, 1, kHistogram + 1, kHistogram + kMostBetting)),
        first_(weights, "backbone.0", inputs_, hidden_),
        second_(weights, "backbone.2", hidden_, hidden_),
        third_(weights, "backbone.4", hidden_, hidden_ / 2),
        policy_(weights, "policy_head", hidden_ / 2, kActions),
        sparse_(std::max(inputs_, hidden_)) {}

  // How many numbers of the betting it reads.
  std::size_t betting() const { return inputs_ - kHistogram; }

  // [kHistogram] and [betting] -> [kActions] logits of the strategy.
  void logits(const float* histogram, const float* betting, float* out) {
    plain_ ? run<PlainKernels>(histogram, betting, out) : run<FmaKernels>(histogram, betting, out);
  }

 private:
  template <typename Kernels>
  void run(const float* histogram, const float* betting, float* out) {
    std::array<float, kHistogram + kMostBetting> row;
    std::copy(betting, betting + this->betting(), std::copy(histogram, histogram + kHistogram, row.begin()));
    sparse_.take(row.data(), inputs_);
    for (Linear* layer : {&first_, &second_, &third_}) {
      const float* x = layer->positive<Kernels>(sparse_);
      sparse_.take(x, layer->outputs());
    }
    std::copy_n(policy_.ask<Kernels>(sparse_), kActions, out);
  }

  // A size of the first layer, within bounds.
  static std::uint32_t size_of(const Weights& weights, std::size_t which, std::uint32_t least,
                               std::uint32_t most) {
    const auto found = weights.find("backbone.0.weight");
    if (found == weights.end()) throw WeightsError("backbone.0.weight: is missing");
    const auto& shape = found->second.shape;
    if (shape.size() != 2 || shape[which] < least || shape[which] > most) {
      throw WeightsError("backbone.0.weight: wanted the first layer of a network for heads-up hold'em");
    }
    return shape[which];
  }

  bool plain_;
  std::uint32_t hidden_, inputs_;
  Linear first_, second_, third_, policy_;
  Sparse sparse_;
};

}  // namespace zerosum::nn
