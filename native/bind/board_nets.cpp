// zerosum.native: Gomoku networks that answer without PyTorch.
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "arrays.hpp"
#include "board_answers.hpp"
#include "zerosum/nn/pattern_net.hpp"
#include "zerosum/nn/residual_net.hpp"

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

constexpr const char* kAsked = "Planes [B, 3, h, w] -> probabilities of the cells [B, h·w] and values [B].";

static std::vector<float> all_of(const Floats<1>& weights) {
  return {weights.data(), weights.data() + weights.size()};
}

void bind_board_nets(nb::module_& m) {
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
            if (static_cast<int>(planes.shape(2)) != shape.height ||
                static_cast<int>(planes.shape(3)) != shape.width)
              throw nb::value_error("wanted the board that the network was made for");
            return answered(planes, self.crew, self.asking, nn::ResidualNet::kRows,
                            [&](const float* some, int rows, float* shares, float* values) {
                              static thread_local nn::ResidualNet::Room room;
                              self.network.answer(some, rows, shares, values, room);
                            });
          },
          "planes"_a, kAsked);
}

}  // namespace zerosum::bind
