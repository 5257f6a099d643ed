// zerosum.native: sampled walks whose finds are learnt from, and where the samples go.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "compiled_tree.hpp"
#include "zerosum/cfr/asking_walks.hpp"
#include "zerosum/cfr/episodes.hpp"
#include "zerosum/cfr/tree_samples.hpp"
#include "zerosum/cfr/tree_walks.hpp"
#include "zerosum/learn/moving_average.hpp"
#include "zerosum/learn/reservoir.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::cfr;

template <typename T>
using Io = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static constexpr const char* kFoundSig =
    "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], "
    "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], "
    "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], "
    "numpy.typing.NDArray[numpy.float64], int]";

static nb::tuple to_python(const TreeGame& game, int traverser, Found<std::int32_t> found) {
  TreeSamples samples = samples_of(game, traverser, std::move(found));
  const auto actions = static_cast<std::size_t>(game.actions);
  const std::size_t rows = samples.infoset.size(), others = samples.others.size();
  return nb::make_tuple(
      to_numpy(std::move(samples.infoset)), to_numpy(std::move(samples.regret), {rows, actions}),
      to_numpy(std::move(samples.others)), to_numpy(std::move(samples.strategy), {others, actions}),
      to_numpy(std::move(samples.weight)), to_numpy(std::move(samples.slot)),
      to_numpy(std::move(samples.value)), samples.nodes);
}

static const double* checked(const TreeWalks& walks, const std::optional<In<double>>& baseline) {
  if (!baseline) return nullptr;
  want_size("baseline", baseline->size(), walks.slots());
  return baseline->data();
}

static void bind_asking(nb::module_& m) {
  nb::class_<AskingWalks>(m, "AskingWalks",
                          "Walks that advance together and stop where they need a strategy.")
      .def(
          "pending",
          [](const AskingWalks& self) -> std::optional<Out<std::int32_t>> {
            if (self.asked() == 0) return std::nullopt;
            return to_numpy(self.infosets());
          },
          nb::sig("def pending(self) -> numpy.typing.NDArray[numpy.int32] | None"),
          "[B] information sets whose strategies are needed, or None once all walks have ended.")
      .def(
          "answer",
          [](AskingWalks& self, const In2<double>& strategy) {
            if (strategy.shape(0) != self.asked() ||
                strategy.shape(1) != static_cast<std::size_t>(self.game().actions))
              throw std::invalid_argument("answer: wanted a row for each information set that was asked");
            nb::gil_scoped_release unlocked;
            self.answer(strategy.data());
          },
          "strategy"_a, "[B, A] probabilities for what was pending.")
      .def(
          "samples",
          [](AskingWalks& self) {
            if (self.asked() > 0) throw std::invalid_argument("samples: walks are still waiting");
            return to_python(self.game(), self.traverser(), self.finish());
          },
          nb::sig((std::string("def samples(self) -> ") + kFoundSig).c_str()), "As `TreeWalks.run`.");
}

static void bind_tree_walks(nb::module_& m) {
  nb::class_<TreeWalks>(m, "TreeWalks",
                        "External-sampling walks of a compiled game; rows are [actions] wide.")
      .def(
          "__init__",
          [](TreeWalks* self, const CompiledTree& tree, int actions, const In<std::int32_t>& situation) {
            if (!tree.form) throw std::invalid_argument("this tree has a fault");
            want_size("situation", situation.size(), tree.tree->infosets());
            new (self) TreeWalks(tree.tree, actions, situation.data());
          },
          "tree"_a, "actions"_a, "situation"_a)
      .def_ro("deals", &TreeWalks::deals, "How many deals there are, or 0 where they cannot be numbered.")
      .def_prop_ro("slots", &TreeWalks::slots, "How many numbers a baseline has.")
      .def(
          "run",
          [](const TreeWalks& self, const In<double>& strategy, const std::optional<In<double>>& baseline,
             bool stratified, std::uint64_t seed, std::uint64_t iteration, int traverser, std::uint64_t first,
             std::uint64_t count, std::uint64_t ordinal, int threads) {
            want_size("strategy", strategy.size(), self.tree->sequences());
            if (threads < 1) throw std::invalid_argument("threads: wanted at least 1");
            const TreeGame game = self.game(checked(self, baseline), stratified);
            const WalkRange range = self.range(seed, iteration, traverser, first, count, ordinal);
            Found<std::int32_t> found;
            {
              nb::gil_scoped_release unlocked;
              found = walk_on_table(game, strategy.data(), range, threads);
            }
            return to_python(game, traverser, std::move(found));
          },
          "strategy"_a, "baseline"_a.none(), "stratified"_a, "seed"_a, "iteration"_a, "traverser"_a,
          "first"_a, "count"_a, "ordinal"_a, "threads"_a,
          nb::sig((std::string("def run(self, strategy: numpy.typing.NDArray[numpy.float64], baseline: "
                               "numpy.typing.NDArray[numpy.float64] | None, stratified: bool, seed: int, "
                               "iteration: int, traverser: int, first: int, count: int, ordinal: int, "
                               "threads: int) -> ") +
                   kFoundSig)
                      .c_str()),
          "Walks `first` .. `first + count - 1` on a strategy table [sequences]: the traverser's information "
          "sets [N] and regrets [N, A]; the others' [M], their strategies [M, A] and weights [M]; the slots "
          "[K] "
          "of a baseline that were sampled and what they were worth to player 0 (or the traverser, with "
          "three "
          "and more); and the number of states visited.")
      .def(
          "episodes",
          [](const TreeWalks& self, const In<double>& best, const In<double>& average, double anticipation,
             std::uint64_t seed, std::uint64_t iteration, int games) {
            want_size("best", best.size(), self.tree->sequences());
            want_size("average", average.size(), self.tree->sequences());
            if (games < 1) throw std::invalid_argument("games: wanted at least 1");
            Episodes played;
            {
              nb::gil_scoped_release unlocked;
              played = play_episodes(self.game(nullptr, false), best.data(), average.data(), anticipation,
                                     seed, iteration, games);
            }
            return nb::make_tuple(
                to_numpy(std::move(played.game)), to_numpy(std::move(played.infoset)),
                to_numpy(std::move(played.column)), to_numpy(std::move(played.is_best)),
                to_numpy(std::move(played.returns), {std::size_t(games), std::size_t(self.tree->players)}),
                played.nodes);
          },
          "best"_a, "average"_a, "anticipation"_a, "seed"_a, "iteration"_a, "games"_a,
          nb::sig(
              "def episodes(self, best: numpy.typing.NDArray[numpy.float64], average: "
              "numpy.typing.NDArray[numpy.float64], anticipation: float, seed: int, iteration: int, games: "
              "int) -> tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.uint8], "
              "numpy.typing.NDArray[numpy.float64], int]"),
          "Whole games; every player plays `best` with the probability `anticipation`, else `average`. Game, "
          "information set, action and whether it was the best response [decisions]; returns [games, "
          "players]; "
          "states visited.")
      .def(
          "ask",
          [](const TreeWalks& self, const std::optional<In<double>>& baseline, bool stratified,
             std::uint64_t seed, std::uint64_t iteration, int traverser, std::uint64_t first,
             std::uint64_t count, std::uint64_t ordinal) {
            return std::make_unique<AskingWalks>(
                self, checked(self, baseline), stratified,
                self.range(seed, iteration, traverser, first, count, ordinal));
          },
          "baseline"_a.none(), "stratified"_a, "seed"_a, "iteration"_a, "traverser"_a, "first"_a, "count"_a,
          "ordinal"_a, nb::keep_alive<0, 1>(), "The same walks, which ask for strategies level by level.");
}

static void bind_buffers(nb::module_& m) {
  m.def(
      "reservoir",
      [](std::uint64_t seed, std::uint64_t stream, std::uint64_t seen, std::uint64_t count,
         std::uint64_t capacity) {
        if (capacity < 1) throw std::invalid_argument("capacity: wanted at least 1");
        std::vector<std::int64_t> rows, slots;
        {
          nb::gil_scoped_release unlocked;
          learn::reservoir(seed, stream, seen, count, capacity, rows, slots);
        }
        return nb::make_tuple(to_numpy(std::move(rows)), to_numpy(std::move(slots)));
      },
      "seed"_a, "stream"_a, "seen"_a, "count"_a, "capacity"_a,
      nb::sig("def reservoir(seed: int, stream: int, seen: int, count: int, capacity: int) -> "
              "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64]]"),
      "Which of the next `count` samples are kept, and in which slots; where a slot comes twice, the later "
      "one stays.");
  m.def(
      "moving_average",
      [](Io<double> table, const In<std::int64_t>& slots, const In<double>& values, double rate) {
        want_size("values", values.size(), slots.size());
        learn::moving_average(table.data(), table.size(), slots.data(), values.data(), slots.size(), rate);
      },
      "table"_a, "slots"_a, "values"_a, "rate"_a,
      "Moves numbers of a table towards values, one after the other.");
}

void bind_walks(nb::module_& m) {
  bind_asking(m);
  bind_tree_walks(m);
  bind_buffers(m);
}

}  // namespace zerosum::bind
