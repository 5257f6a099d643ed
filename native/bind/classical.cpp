// zerosum.native: Gomoku players without a network.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/games/gomoku/alphabeta.hpp"
#include "zerosum/games/gomoku/rollouts.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::gomoku;

// The position after moves that were checked before; refuses one without a move to make.
static Position position_of(const Lines& lines, const std::vector<int>& moves) {
  Position at(lines);
  for (int cell : moves) {
    if (at.is_over() || cell < 0 || cell >= lines.rules.cells() || !at.is_empty(cell))
      throw nb::value_error("wanted empty cells of a board on which the game goes on");
    at.play(cell);
  }
  if (at.is_over()) throw nb::value_error("the game is over, wanted a position with a move to make");
  return at;
}

static const StopFlag kNever;

void bind_classical(nb::module_& m) {
  nb::class_<StopFlag>(m, "StopFlag", "Tells a player on another thread to answer now.")
      .def(nb::init<>())
      .def("stop", &StopFlag::raise);
  m.def(
      "gomoku_greedy",
      [](const Rules& rules, const std::vector<int>& moves, std::uint64_t seed) {
        const Lines lines(rules);
        const Position at = position_of(lines, moves);
        CounterRng luck(seed, moves.size(), 3);
        return by_pattern(at, luck).front().cell;
      },
      "rules"_a, "moves"_a, "seed"_a, "The move that looks best by the lines through it.");
  m.def(
      "gomoku_alphabeta",
      [](const Rules& rules, const std::vector<int>& moves, int depth, double seconds, std::uint64_t seed,
         const StopFlag* stop) {
        const Lines lines(rules);
        Position at = position_of(lines, moves);
        nb::gil_scoped_release released;
        AlphaBeta search;
        int cell = search.find(at, depth, seconds, CounterRng(seed, moves.size(), 4), stop ? *stop : kNever);
        return std::make_pair(cell, search.nodes());
      },
      "rules"_a, "moves"_a, "depth"_a, "seconds"_a, "seed"_a, "stop"_a.none() = nb::none(),
      "Alpha-beta with the lines' scores, to a depth or until time is up (0: no limit): the move, and how "
      "many "
      "positions it saw.");
  m.def(
      "gomoku_rollouts",
      [](const Rules& rules, const std::vector<int>& moves, int simulations, double seconds,
         std::uint64_t seed, std::size_t most_bytes, const StopFlag* stop) {
        const Lines lines(rules);
        const Position at = position_of(lines, moves);
        nb::gil_scoped_release released;
        return Rollouts().find(at, simulations, seconds, most_bytes, CounterRng(seed, moves.size(), 5),
                               stop ? *stop : kNever);
      },
      "rules"_a, "moves"_a, "simulations"_a, "seconds"_a, "seed"_a, "most_bytes"_a = 0,
      "stop"_a.none() = nb::none(),
      "Plain Monte Carlo tree search with random games to the end; its tree takes so many bytes (0: any).");
}

}  // namespace zerosum::bind
