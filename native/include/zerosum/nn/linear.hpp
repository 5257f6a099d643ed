// A linear layer asked about one row at a time. What limits it is fetching the weights, and half of what a
// ReLU lets through is zero: weights lie by input, so that those of a zero are never touched. A layer norm
// between the ReLU and the layer is folded into the weights, which keeps the zeros:
//   W (g (x - mean) / deviation + h) + b = (W g) x / deviation - mean / deviation * sum(W g) + (W h + b).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "zerosum/nn/kernels.hpp"
#include "zerosum/nn/weights.hpp"

namespace zerosum::nn {

class Linear {
 public:
  // [outputs, inputs] and a bias; with a name of a layer norm, what comes before the layer is normed.
  Linear(const Weights& weights, const std::string& name, std::uint32_t inputs, std::uint32_t outputs,
         const std::string& norm = "")
      : outputs_(outputs),
        padded_((outputs + kLanes - 1) / kLanes * kLanes),
        weights_(padded_ * inputs),
        bias_(padded_),
        sums_(padded_),
        out_(padded_) {
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
        weights_[i * padded_ + o] = folded;
        moved += static_cast<double>(weight) * static_cast<double>(shift[i]);
        sum += static_cast<double>(folded);
      }
      bias_[o] = static_cast<float>(moved);
      sums_[o] = static_cast<float>(sum);
    }
  }

  // The outputs for a row; they stay until the next call.
  template <typename Kernels>
  const float* ask(const Sparse& in, Norm norm = {}) {
    Kernels::weigh(weights_.data(), in, padded_, out_.data());
    Kernels::finish(sums_.data(), bias_.data(), norm, padded_, out_.data());
    return out_.data();
  }

  // The same, and what is below zero becomes zero.
  template <typename Kernels>
  const float* positive(const Sparse& in, Norm norm = {}) {
    ask<Kernels>(in, norm);
    Kernels::positive(padded_, out_.data());
    return out_.data();
  }

  std::size_t outputs() const { return outputs_; }

 private:
  std::size_t outputs_, padded_;
  std::vector<float> weights_;  // [inputs, padded outputs]
  std::vector<float> bias_, sums_, out_;
};

}  // namespace zerosum::nn
