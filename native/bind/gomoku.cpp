// zerosum.native: Gomoku boards, and proofs of who wins on small ones.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "zerosum/games/gomoku/board.hpp"
#include "zerosum/games/gomoku/proof.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::gomoku;

static Board board_of(const Rules& rules, const std::vector<int>& moves) {
  Board board;
  for (int cell : moves) play(rules, board, cell);
  return board;
}

void bind_gomoku(nb::module_& m) {
  nb::class_<Rules>(m, "GomokuRules", "A board, how many in a row win, and whether more do, too.")
      .def(
          "__init__",
          [](Rules* self, int width, int height, int line, bool exact) {
            new (self) Rules{width, height, line, exact};
          },
          "width"_a, "height"_a, "line"_a, "exact"_a);

  nb::class_<Board>(m, "GomokuBoard", "A position: a value. Moves are not checked here.")
      .def(nb::init<>())
      .def(
          "played",
          [](const Board& self, const Rules& rules, int cell) {
            Board next = self;
            play(rules, next, cell);
            return next;
          },
          "rules"_a, "cell"_a, "The board after the side to move has put a stone on a cell.")
      .def(
          "stone",
          [](const Board& self, int cell) {
            return self.stones[0].has(cell) ? 0 : self.stones[1].has(cell) ? 1 : -1;
          },
          "cell"_a, "Whose stone is there: 0, 1, or −1 for nobody's.")
      .def_ro("count", &Board::count, "How many stones there are.")
      .def_ro("winner", &Board::winner, "0, 1, or −1 for nobody.");

  m.def(
      "gomoku_perft",
      [](const Rules& rules, int depth) {
        int asked = 0;
        bool stopped = false;
        auto is_stopped = [&] {
          if (!stopped && (++asked & 0xFFFF) == 0) {
            nb::gil_scoped_acquire held;
            stopped = PyErr_CheckSignals() != 0;
          }
          return stopped;
        };
        std::uint64_t found;
        {
          nb::gil_scoped_release released;
          found = perft(rules, Board{}, depth, is_stopped);
        }
        if (stopped) throw nb::python_error();
        return found;
      },
      "rules"_a, "depth"_a, "How many games last for at least `depth` moves.");

  nb::class_<ProofSearch>(m, "GomokuProof",
                          "Proves who wins on a board of at most 64 cells; remembers what it proved.")
      .def(nb::init<const Rules&, int>(), "rules"_a, "table_bits"_a)
      .def(
          "wins",
          [](ProofSearch& self, const Rules& rules, const std::vector<int>& moves, bool mover,
             std::uint64_t most, std::optional<int> last) -> std::optional<bool> {
            nb::gil_scoped_release released;
            Board board = board_of(rules, moves);
            int side = board.to_move();
            SmallPosition at{board.stones[side].first_word(), board.stones[1 - side].first_word()};
            switch (self.wins(at, mover, most, last.value_or(ProofSearch::kMostStones))) {
              case ProofSearch::Answer::yes:
                return true;
              case ProofSearch::Answer::no:
                return false;
              default:
                return std::nullopt;
            }
          },
          "rules"_a, "moves"_a, "mover"_a, "most"_a, "last"_a.none() = nb::none(),
          "Whether the side to move wins, or the other one, with at most `last` stones on the board; None "
          "after `most` nodes without an answer: ask "
          "again.")
      .def_prop_ro("nodes", &ProofSearch::nodes, "Visited so far.");
}

}  // namespace zerosum::bind
