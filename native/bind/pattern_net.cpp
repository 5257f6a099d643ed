// zerosum.native: a Gomoku network that answers without PyTorch.
#include "zerosum/nn/pattern_net.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "zerosum/crew.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;

template <int kDims>
using Floats = nb::ndarray<const float, nb::ndim<kDims>, nb::c_contig, nb::device::cpu>;
using Told = nb::ndarray<nb::numpy, float>;

static Told told(std::unique_ptr<float[]> values, std::initializer_list<std::size_t> shape) {
  float* kept = values.release();
  nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Told(kept, shape.size(), shape.begin(), owner);
}

// A network and the threads that share the rows of a question.
struct PatternAnswers {
  PatternAnswers(const nn::PatternShape& shape, std::vector<float> table, std::vector<float> weights,
                 int threads)
      : network(shape, std::move(table), std::move(weights)), crew(threads) {}

  void answer(const float* planes, std::size_t rows, int height, int width, float* shares, float* values) {
    const std::size_t cells = std::size_t(height) * width;
    const auto some = [&](std::size_t first, std::size_t step) {
      static thread_local nn::PatternNet::Room room;
      for (std::size_t r = first; r < rows; r += step)
        network.answer(planes + 3 * cells * r, height, width, shares + cells * r, values + r, room);
    };
    if (crew.size() == 1 || rows < 4) return some(0, 1);
    std::lock_guard<std::mutex> held(asking);
    crew.run([&](int thread) { some(thread, crew.size()); });
  }

  nn::PatternNet network;
  Crew crew;
  std::mutex asking;
};

void bind_pattern_net(nb::module_& m) {
  nb::class_<PatternAnswers>(m, "PatternNet", "networks/patterns.py as it plays: a table and a few layers.")
      .def(
          "__init__",
          [](PatternAnswers* self, const Floats<2>& table, const Floats<1>& weights, int reach, int blocks,
             int head, int hidden, int threads) {
            nn::PatternShape shape{reach, static_cast<int>(table.shape(1)), blocks, head, hidden};
            if (reach < 1 || reach > 5 || table.shape(0) != shape.patterns() ||
                weights.shape(0) != shape.weights())
              throw nb::value_error("wanted a row for every pattern, and the weights of this shape");
            new (self) PatternAnswers(shape, {table.data(), table.data() + table.size()},
                                      {weights.data(), weights.data() + weights.size()}, threads);
          },
          "table"_a, "weights"_a, nb::kw_only(), "reach"_a, "blocks"_a, "head"_a, "hidden"_a, "threads"_a = 1)
      .def(
          "__call__",
          [](PatternAnswers& self, const Floats<4>& planes) {
            const std::size_t rows = planes.shape(0), height = planes.shape(2), width = planes.shape(3);
            if (planes.shape(1) != 3) throw nb::value_error("wanted three planes of a board");
            auto shares = std::make_unique<float[]>(rows * height * width);
            auto values = std::make_unique<float[]>(rows);
            {
              nb::gil_scoped_release released;
              self.answer(planes.data(), rows, static_cast<int>(height), static_cast<int>(width),
                          shares.get(), values.get());
            }
            return std::make_pair(told(std::move(shares), {rows, height * width}),
                                  told(std::move(values), {rows}));
          },
          "planes"_a, "Planes [B, 3, h, w] -> probabilities of the cells [B, h·w] and values [B].");
}

}  // namespace zerosum::bind
