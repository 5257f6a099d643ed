// zerosum.native: attention within short sequences that lie one after the other.
#include "zerosum/nn/attention.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "zerosum/nn/pooling.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;

// Every number of it will be written.
static std::unique_ptr<float[]> uninitialised(std::size_t count) {
  return std::unique_ptr<float[]>(new float[count]);
}

static Out<float> owned(std::unique_ptr<float[]> values, std::initializer_list<std::size_t> shape) {
  float* data = values.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Out<float>(data, shape, owner);
}

// How many sequences there are.
static std::size_t counted(const In2<float>& tokens, const In<std::int64_t>& offsets) {
  const std::size_t count = offsets.size() < 1 ? 0 : offsets.size() - 1;
  const std::int64_t* offset = offsets.data();
  for (std::size_t k = 0; k < count; ++k) {
    if (offset[k + 1] < offset[k] || offset[k + 1] - offset[k] > nn::kLongest)
      throw std::invalid_argument("offsets: wanted sequences of at most " + std::to_string(nn::kLongest));
  }
  if (offsets.size() < 1 || offset[0] != 0 || offset[count] != static_cast<std::int64_t>(tokens.shape(0)))
    throw std::invalid_argument("offsets: wanted 0 to the number of tokens");
  return count;
}

static nn::Sequences sequences(const In2<float>& tokens, const In<std::int64_t>& offsets) {
  const std::size_t width = tokens.shape(1);
  if (width == 0 || width % (3 * nn::kHeadWidth) != 0)
    throw std::invalid_argument("tokens: wanted rows of queries, keys and values, heads 16 wide");
  return {tokens.data(), offsets.data(), counted(tokens, offsets),
          static_cast<int>(width / (3 * nn::kHeadWidth))};
}

static void bind_pooling(nb::module_& m) {
  m.def(
      "ragged_mean",
      [](const In2<float>& tokens, const In<std::int64_t>& offsets, float low) {
        const std::size_t count = counted(tokens, offsets), width = tokens.shape(1);
        std::vector<float> mean(count * width);
        {
          nb::gil_scoped_release unlocked;
          nn::pool(tokens.data(), offsets.data(), count, width, low, mean.data());
        }
        return to_numpy(std::move(mean), {count, width});
      },
      "tokens"_a, "offsets"_a, "low"_a,
      "[T, W] -> [sequences, W] means; numbers below `low` count as it, and a sequence without tokens is "
      "zeros.");
  m.def(
      "ragged_mean_back",
      [](const In2<float>& tokens, const In<std::int64_t>& offsets, float low, const In2<float>& by_mean) {
        const std::size_t count = counted(tokens, offsets), width = tokens.shape(1);
        if (by_mean.shape(0) != count || by_mean.shape(1) != width)
          throw std::invalid_argument("by_mean: wanted a row for each sequence");
        auto by_token = uninitialised(tokens.shape(0) * width);
        {
          nb::gil_scoped_release unlocked;
          nn::pool_back(tokens.data(), offsets.data(), count, width, low, by_mean.data(), by_token.get());
        }
        return owned(std::move(by_token), {tokens.shape(0), width});
      },
      "tokens"_a, "offsets"_a, "low"_a, "by_mean"_a, "The way back: [sequences, W] -> [T, W].");
}

void bind_attention(nb::module_& m) {
  bind_pooling(m);
  m.def(
      "ragged_attention",
      [](const In2<float>& tokens, const In<std::int64_t>& offsets) {
        const nn::Sequences all = sequences(tokens, offsets);
        const std::size_t count = tokens.shape(0), hidden = tokens.shape(1) / 3;
        auto out = uninitialised(count * hidden);
        {
          nb::gil_scoped_release unlocked;
          nn::attend(all, out.get());
        }
        return owned(std::move(out), {count, hidden});
      },
      "tokens"_a, "offsets"_a,
      "[T, 3 H] queries, keys and values of tokens, sequence k being offsets[k] .. offsets[k + 1] - 1 -> "
      "[T, H].");
  m.def(
      "ragged_attention_back",
      [](const In2<float>& tokens, const In<std::int64_t>& offsets, const In2<float>& by_out) {
        const nn::Sequences all = sequences(tokens, offsets);
        const std::size_t count = tokens.shape(0), width = tokens.shape(1);
        if (by_out.shape(0) != count || by_out.shape(1) * 3 != width)
          throw std::invalid_argument("by_out: wanted a row for each token");
        auto by_token = uninitialised(count * width);
        {
          nb::gil_scoped_release unlocked;
          nn::attend_back(all, by_out.data(), by_token.get());
        }
        return owned(std::move(by_token), {count, width});
      },
      "tokens"_a, "offsets"_a, "by_out"_a, "The way back: [T, H] -> [T, 3 H].");
}

}  // namespace zerosum::bind
