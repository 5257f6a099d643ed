// zerosum.native: Gomoku networks that answer, and one that learns, without PyTorch.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "arrays.hpp"
#include "board_answers.hpp"
#include "zerosum/nn/pattern_net.hpp"
#include "zerosum/nn/residual_net.hpp"
#include "zerosum/nn/swift_back.hpp"

namespace zerosum::bind {

using namespace nb::literals;

// A network and the threads that share the rows of a question.
template <typename Network>
struct Answers {
  Answers(Network network, int threads) : network(std::move(network)), crew(threads) {}

  Network network;
  Crew crew;
  std::mutex asking;
};

using PatternAnswers = Answers<nn::PatternNet>;
using ResidualAnswers = Answers<nn::ResidualNet>;
using SwiftAnswers = Answers<nn::SwiftNet>;
using SwiftLearner = Answers<nn::SwiftLearner>;

constexpr const char* kAsked = "Planes [B, 3, h, w] -> probabilities of the cells [B, h·w] and values [B].";

static std::vector<float> all_of(const Floats<1>& weights) {
  return {weights.data(), weights.data() + weights.size()};
}

static nn::SwiftShape swift_shape(int height, int width, int line, int channels, int blocks) {
  if (height < 1 || width < 1 || line < 1 || blocks < 1 || channels < 1 || channels % int(nn::kLanes) != 0)
    throw nb::value_error("wanted a board, a line, blocks, and channels by the eight");
  return {height, width, line, channels, blocks};
}

static void want_weights(const nn::SwiftNet& network, const Floats<1>& weights) {
  if (weights.shape(0) != network.layers().weights) throw nb::value_error("wanted the weights of this shape");
}

static void want_board(const Floats<4>& planes, int height, int width) {
  if (static_cast<int>(planes.shape(2)) != height || static_cast<int>(planes.shape(3)) != width)
    throw nb::value_error("wanted the board that the network was made for");
}

static void bind_swift_net(nb::module_& m) {
  nb::class_<SwiftAnswers>(m, "SwiftNet", "SwiftNet of networks/gomoku.py as it plays.")
      .def(
          "__init__",
          [](SwiftAnswers* self, const Floats<1>& weights, int height, int width, int line, int channels,
             int blocks, int threads) {
            nn::SwiftNet network(swift_shape(height, width, line, channels, blocks));
            want_weights(network, weights);
            network.take(weights.data(), false);
            new (self) SwiftAnswers(std::move(network), threads);
          },
          "weights"_a, nb::kw_only(), "height"_a, "width"_a, "line"_a, "channels"_a, "blocks"_a,
          "threads"_a = 1)
      .def(
          "__call__",
          [](SwiftAnswers& self, const Floats<4>& planes) {
            want_board(planes, self.network.shape().height, self.network.shape().width);
            return answered(planes, self.crew, self.asking, nn::SwiftNet::kRows,
                            [&](const float* some, int rows, float* shares, float* values) {
                              static thread_local nn::SwiftRoom room;
                              self.network.answer(some, rows, shares, values, room);
                            });
          },
          "planes"_a, kAsked);
  nb::class_<SwiftLearner>(m, "SwiftLearner", "SwiftNet of networks/gomoku.py as it learns.")
      .def(
          "__init__",
          [](SwiftLearner* self, int height, int width, int line, int channels, int blocks, int threads) {
            new (self)
                SwiftLearner(nn::SwiftLearner(swift_shape(height, width, line, channels, blocks)), threads);
          },
          nb::kw_only(), "height"_a, "width"_a, "line"_a, "channels"_a, "blocks"_a, "threads"_a = 1)
      .def(
          "losses",
          [](SwiftLearner& self, const Floats<1>& weights, const Floats<4>& planes, const Floats<2>& policy,
             const Floats<1>& value, float value_weight) {
            const nn::SwiftShape& shape = self.network.shape();
            const std::size_t rows = planes.shape(0), size = self.network.layers().weights;
            want_weights(self.network, weights);
            want_board(planes, shape.height, shape.width);
            if (rows < 1 || planes.shape(1) != 3 || policy.shape(0) != rows || value.shape(0) != rows ||
                policy.shape(1) != static_cast<std::size_t>(shape.cells()))
              throw nb::value_error(
                  "wanted three planes, shares of the cells and a result in each of some rows");
            auto by_weights = std::make_unique<float[]>(size);
            nn::SwiftLosses losses;
            {
              nb::gil_scoped_release released;
              std::lock_guard<std::mutex> held(self.asking);
              self.network.take(weights.data(), true);
              losses = self.network.losses(planes.data(), policy.data(), value.data(), static_cast<int>(rows),
                                           value_weight, by_weights.get(), self.crew);
            }
            return std::tuple(losses.policy, losses.value, told(std::move(by_weights), {size}));
          },
          "weights"_a, "planes"_a, "policy"_a, "value"_a, "value_weight"_a,
          "Planes [B, 3, h, w], shares of the cells [B, h·w], results [B] -> mean losses of the policy and "
          "the value,\n"
          "and by weight how the first plus `value_weight` times the second changes.");
}

void bind_board_nets(nb::module_& m) {
  bind_swift_net(m);
  m.def(
      "exact_patterns",
      [](int reach, int line) {
        if (reach < 1 || reach > 5 || line < 1) throw nb::value_error("wanted a reach of 1 to 5 and a line");
        return to_numpy(nn::exact_patterns(reach, line));
      },
      "reach"_a, "line"_a,
      "By pattern [4^width] the one that it is taken for where only lines of exactly this length win.");
  nb::class_<PatternAnswers>(m, "PatternNet", "networks/patterns.py as it plays: a table and a few layers.")
      .def(
          "__init__",
          [](PatternAnswers* self, const Floats<2>& table, const Floats<1>& weights, int reach, int blocks,
             int head, int hidden, int threads) {
            nn::PatternShape shape{reach, static_cast<int>(table.shape(1)), blocks, head, hidden};
            if (reach < 1 || reach > 5 || table.shape(0) != shape.patterns() ||
                weights.shape(0) != shape.weights())
              throw nb::value_error("wanted a row for every pattern, and the weights of this shape");
            nn::PatternNet network(shape, {table.data(), table.data() + table.size()}, all_of(weights));
            new (self) PatternAnswers(std::move(network), threads);
          },
          "table"_a, "weights"_a, nb::kw_only(), "reach"_a, "blocks"_a, "head"_a, "hidden"_a, "threads"_a = 1)
      .def(
          "read_as",
          [](PatternAnswers& self, const In<std::uint32_t>& instead) {
            const std::size_t patterns = self.network.shape().patterns();
            std::vector<std::uint32_t> codes = to_vector(instead);
            if (!codes.empty() &&
                (codes.size() != patterns || *std::max_element(codes.begin(), codes.end()) >= patterns))
              throw nb::value_error("wanted a pattern for every pattern, or none");
            std::lock_guard lock(self.asking);
            self.network.read_as(std::move(codes));
          },
          "instead"_a, "By pattern [4^width] the one that it is taken for; empty: each is what it is.")
      .def(
          "__call__",
          [](PatternAnswers& self, const Floats<4>& planes) {
            const int height = static_cast<int>(planes.shape(2)), width = static_cast<int>(planes.shape(3));
            return answered(planes, self.crew, self.asking, 1,
                            [&](const float* row, int, float* shares, float* values) {
                              static thread_local nn::PatternNet::Room room;
                              self.network.answer(row, height, width, shares, values, room);
                            });
          },
          "planes"_a, kAsked);
  nb::class_<ResidualAnswers>(m, "ResidualNet", "AlphaZeroNet of networks/gomoku.py as it plays.")
      .def(
          "__init__",
          [](ResidualAnswers* self, const Floats<1>& weights, int height, int width, int channels, int blocks,
             int threads) {
            nn::ResidualShape shape{height, width, channels, blocks};
            if (height < 1 || width < 1 || blocks < 0 || channels < 1 || channels % int(nn::kLanes) != 0 ||
                weights.shape(0) != shape.weights())
              throw nb::value_error("wanted channels by the eight, and the weights of this shape");
            new (self) ResidualAnswers(nn::ResidualNet(shape, all_of(weights)), threads);
          },
          "weights"_a, nb::kw_only(), "height"_a, "width"_a, "channels"_a, "blocks"_a, "threads"_a = 1)
      .def(
          "__call__",
          [](ResidualAnswers& self, const Floats<4>& planes) {
            const nn::ResidualShape& shape = self.network.shape();
            want_board(planes, shape.height, shape.width);
            return answered(planes, self.crew, self.asking, nn::ResidualNet::kRows,
                            [&](const float* some, int rows, float* shares, float* values) {
                              static thread_local nn::ResidualNet::Room room;
                              self.network.answer(some, rows, shares, values, room);
                            });
          },
          "planes"_a, kAsked);
}

}  // namespace zerosum::bind
