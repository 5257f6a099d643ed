// zerosum.native: attention within short sequences that lie one after the other.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "zerosum/nn/attention_back.hpp"
#include "zerosum/nn/layer.hpp"
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

static nn::NormWeights norm_of(const In2<float>& norm, std::size_t width, float least) {
  if (width % 8 != 0) throw std::invalid_argument("norm: wanted rows as wide as a multiple of 8");
  if (norm.shape(0) != 2 || norm.shape(1) != width)
    throw std::invalid_argument("norm: wanted gains and shifts, one for each number of a row");
  return {norm.data(), norm.data() + width, least};
}

static nb::tuple project(const In2<float>& tokens, const In<std::int64_t>& places, const In2<float>& weights,
                         const In2<float>& table, const In2<float>& norm, float least) {
  const std::size_t count = tokens.shape(0), inputs = tokens.shape(1), width = weights.shape(1);
  const nn::NormWeights by = norm_of(norm, width, least);
  want_size("places", places.size(), count);
  if (weights.shape(0) != inputs || table.shape(1) != width)
    throw std::invalid_argument("weights: wanted a row for each number of a token, as wide as the table");
  for (std::size_t t = 0; t < count; ++t) {
    if (places.data()[t] < 0 || places.data()[t] >= static_cast<std::int64_t>(table.shape(0)))
      throw std::invalid_argument("places: wanted rows of the table");
  }
  auto rows = uninitialised(count * width), normed = uninitialised(count * width);
  {
    nb::gil_scoped_release unlocked;
    nn::project({weights.data(), table.data(), inputs, width}, by, tokens.data(), places.data(), count,
                rows.get(), normed.get());
  }
  return nb::make_tuple(owned(std::move(rows), {count, width}), owned(std::move(normed), {count, width}));
}

static nb::tuple add_attention(const In2<float>& rows, const In2<float>& added, const In<float>& bias,
                               const In2<float>& norm, float least, const In<std::int64_t>& offsets) {
  const std::size_t width = rows.shape(1), count = counted(rows, offsets);
  const nn::NormWeights by = norm_of(norm, width, least);
  want_size("bias", bias.size(), width);
  if (added.shape(0) != rows.shape(0) || added.shape(1) != width)
    throw std::invalid_argument("added: wanted a row for each row");
  std::vector<float> mean(count * width);
  auto normed = uninitialised(rows.shape(0) * width);
  {
    nb::gil_scoped_release unlocked;
    nn::add_attention(rows.data(), added.data(), bias.data(), width, by, offsets.data(), count, mean.data(),
                      normed.get());
  }
  return nb::make_tuple(to_numpy(std::move(mean), {count, width}),
                        owned(std::move(normed), {rows.shape(0), width}));
}

static void bind_layer(nb::module_& m) {
  m.def(
      "layer_project", &project, "tokens"_a, "places"_a, "weights"_a, "table"_a, "norm"_a, "least"_a,
      nb::sig("def layer_project(tokens: numpy.typing.NDArray[numpy.float32], places: "
              "numpy.typing.NDArray[numpy.int64], weights: numpy.typing.NDArray[numpy.float32], table: "
              "numpy.typing.NDArray[numpy.float32], norm: numpy.typing.NDArray[numpy.float32], least: "
              "float) -> tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]"),
      "[T, I] tokens -> [T, W] rows, tokens times weights [I, W] and what their places in the table add, and "
      "their norms [T, W]; `norm` [2, W] gains and shifts.");
  m.def("layer_add", &add_attention, "rows"_a, "added"_a, "bias"_a, "norm"_a, "least"_a, "offsets"_a,
        nb::sig("def layer_add(rows: numpy.typing.NDArray[numpy.float32], added: "
                "numpy.typing.NDArray[numpy.float32], bias: numpy.typing.NDArray[numpy.float32], norm: "
                "numpy.typing.NDArray[numpy.float32], least: float, offsets: "
                "numpy.typing.NDArray[numpy.int64]) -> tuple[numpy.typing.NDArray[numpy.float32], "
                "numpy.typing.NDArray[numpy.float32]]"),
        "[T, W] rows and what is added to them -> [sequences, W] means of the sums, and the sums' norms [T, "
        "W].");
}

void bind_attention(nb::module_& m) {
  bind_pooling(m);
  bind_layer(m);
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
