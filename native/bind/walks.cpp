// zerosum.native: sampled walks whose finds are learnt from, and where the samples go.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "compiled_tree.hpp"
#include "zerosum/cfr/deals.hpp"
#include "zerosum/cfr/episodes.hpp"
#include "zerosum/cfr/futures.hpp"
#include "zerosum/cfr/traversals.hpp"
#include "zerosum/cfr/tree_walks.hpp"
#include "zerosum/learn/reservoir.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::cfr;

template <typename T>
using Io = nb::ndarray<T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using TreeFound = Found<std::int32_t>;

template <typename T>
static void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Several threads' finds as one, in the order of the walks.
static TreeFound joined(std::vector<TreeFound> parts) {
  TreeFound all = std::move(parts.front());
  for (std::size_t k = 1; k < parts.size(); ++k) {
    append(all.at, parts[k].at);
    append(all.regret, parts[k].regret);
    append(all.others_at, parts[k].others_at);
    append(all.strategy, parts[k].strategy);
    append(all.weight, parts[k].weight);
    append(all.sampled_at, parts[k].sampled_at);
    append(all.sampled, parts[k].sampled);
    append(all.value, parts[k].value);
    all.nodes += parts[k].nodes;
  }
  return all;
}

static constexpr const char* kFoundSig =
    "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], "
    "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64], "
    "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int64], "
    "numpy.typing.NDArray[numpy.float64], int]";

static nb::tuple to_python(const TreeGame& game, int traverser, TreeFound found) {
  const auto actions = static_cast<std::size_t>(game.actions);
  const auto infosets = [&](std::vector<std::int32_t> nodes) {
    for (std::int32_t& node : nodes) node = game.tree.nodes[node].index;
    return nodes;
  };
  std::vector<std::int64_t> slots(found.sampled_at.size());
  const bool flip = game.players == 2 && traverser == 1;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    slots[k] =
        static_cast<std::int64_t>(game.slot(game.child(found.sampled_at[k], found.sampled[k]), traverser));
    if (flip) found.value[k] = -found.value[k];
  }
  const std::size_t rows = found.at.size(), others = found.others_at.size();
  return nb::make_tuple(
      to_numpy(infosets(std::move(found.at))), to_numpy(std::move(found.regret), {rows, actions}),
      to_numpy(infosets(std::move(found.others_at))), to_numpy(std::move(found.strategy), {others, actions}),
      to_numpy(std::move(found.weight)), to_numpy(std::move(slots)), to_numpy(std::move(found.value)),
      found.nodes);
}

// What walks of a compiled game need to know, checked.
struct TreeWalks {
  std::shared_ptr<const Tree> tree;
  int actions;
  std::uint64_t deals;
  std::vector<std::int32_t> future;  // [nodes]
  std::size_t futures = 0;

  TreeWalks(const CompiledTree& compiled, int actions, const In<std::int32_t>& situation)
      : tree(compiled.tree), actions(actions) {
    if (!compiled.form) throw std::invalid_argument("this tree has a fault");
    want_size("situation", situation.size(), tree->infosets());
    for (const Node& node : tree->nodes) {
      for (int k = 0; node.actor >= 0 && k < node.children; ++k) {
        if (tree->action[node.first_child + k] < 0 || tree->action[node.first_child + k] >= actions)
          throw std::invalid_argument("walks: an action has a larger number");
      }
    }
    deals = count_deals(*tree);
    future = number_futures(*tree, situation.data());
    for (const std::int32_t number : future) futures = std::max(futures, std::size_t(number) + 1);
  }

  std::size_t slots() const { return futures * (tree->players == 2 ? 1 : tree->players); }

  TreeGame game(const std::optional<In<double>>& baseline, bool stratified) const {
    if (baseline) want_size("baseline", baseline->size(), slots());
    if (stratified && deals == 0) throw std::invalid_argument("the deals of this game cannot be numbered");
    return {*tree, actions, baseline ? baseline->data() : nullptr, future, futures, stratified ? deals : 0};
  }

  WalkRange range(std::uint64_t seed, std::uint64_t iteration, int traverser, std::uint64_t first,
                  std::uint64_t count, std::uint64_t ordinal) const {
    if (traverser < 0 || traverser >= tree->players) throw std::invalid_argument("traverser: no such player");
    return {seed, iteration, first, count, ordinal, traverser};
  }
};

// Walks that stop where they need a strategy.
class AskingWalks {
 public:
  AskingWalks(const TreeWalks& walks, const std::optional<In<double>>& baseline, bool stratified,
              const WalkRange& range)
      : tree_(walks.tree), range_(range) {
    if (baseline) table_ = to_vector(*baseline);
    game_.emplace(walks.game(baseline, stratified));
    if (baseline) game_->table = table_.data();
    traversals_.emplace(*game_, range.traverser);
    for (std::uint64_t k = 0; k < range.count; ++k) begin_walk(*traversals_, range, k, game_->deals);
    asked_ = &traversals_->advance();
  }

  const std::vector<std::int32_t>& asked() const { return *asked_; }
  const TreeGame& game() const { return *game_; }
  int traverser() const { return range_.traverser; }
  int infoset(std::int32_t record) const { return tree_->nodes[traversals_->state(record)].index; }

  void answer(const double* rows) {
    const std::vector<std::int32_t> records = *asked_;
    std::vector<double> strategy;
    for (std::size_t r = 0; r < records.size(); ++r, rows += game_->actions) {
      const std::int32_t node = traversals_->state(records[r]);
      strategy.resize(static_cast<std::size_t>(game_->children(node)));
      for (int k = 0; k < game_->children(node); ++k) strategy[k] = rows[game_->column(node, k)];
      traversals_->answer(records[r], strategy.data(), nullptr);
    }
    asked_ = &traversals_->advance();
  }

  TreeFound samples() {
    TreeFound found;
    traversals_->finish(game_->table != nullptr, found);
    return found;
  }

 private:
  std::shared_ptr<const Tree> tree_;
  WalkRange range_;
  std::vector<double> table_;
  std::optional<TreeGame> game_;
  std::optional<Traversals<TreeGame>> traversals_;
  const std::vector<std::int32_t>* asked_ = nullptr;
};

static void bind_asking(nb::module_& m) {
  nb::class_<AskingWalks>(m, "AskingWalks",
                          "Walks that advance together and stop where they need a strategy.")
      .def(
          "pending",
          [](const AskingWalks& self) -> std::optional<Out<std::int32_t>> {
            if (self.asked().empty()) return std::nullopt;
            std::vector<std::int32_t> infosets;
            infosets.reserve(self.asked().size());
            for (const std::int32_t record : self.asked()) infosets.push_back(self.infoset(record));
            return to_numpy(std::move(infosets));
          },
          nb::sig("def pending(self) -> numpy.typing.NDArray[numpy.int32] | None"),
          "[B] information sets whose strategies are needed, or None once all walks have ended.")
      .def(
          "answer",
          [](AskingWalks& self, const In2<double>& strategy) {
            if (strategy.shape(0) != self.asked().size() ||
                strategy.shape(1) != static_cast<std::size_t>(self.game().actions))
              throw std::invalid_argument("answer: wanted a row for each information set that was asked");
            nb::gil_scoped_release unlocked;
            self.answer(strategy.data());
          },
          "strategy"_a, "[B, A] probabilities for what was pending.")
      .def(
          "samples",
          [](AskingWalks& self) {
            if (!self.asked().empty()) throw std::invalid_argument("samples: walks are still waiting");
            return to_python(self.game(), self.traverser(), self.samples());
          },
          nb::sig((std::string("def samples(self) -> ") + kFoundSig).c_str()), "As `TreeWalks.run`.");
}

static void bind_tree_walks(nb::module_& m) {
  nb::class_<TreeWalks>(m, "TreeWalks",
                        "External-sampling walks of a compiled game; rows are [actions] wide.")
      .def(nb::init<const CompiledTree&, int, const In<std::int32_t>&>(), "tree"_a, "actions"_a,
           "situation"_a)
      .def_ro("deals", &TreeWalks::deals, "How many deals there are, or 0 where they cannot be numbered.")
      .def_prop_ro("slots", &TreeWalks::slots, "How many numbers a baseline has.")
      .def(
          "run",
          [](const TreeWalks& self, const In<double>& strategy, const std::optional<In<double>>& baseline,
             bool stratified, std::uint64_t seed, std::uint64_t iteration, int traverser, std::uint64_t first,
             std::uint64_t count, std::uint64_t ordinal, int threads) {
            want_size("strategy", strategy.size(), self.tree->sequences());
            if (threads < 1) throw std::invalid_argument("threads: wanted at least 1");
            const TreeGame game = self.game(baseline, stratified);
            const WalkRange range = self.range(seed, iteration, traverser, first, count, ordinal);
            TreeFound found;
            {
              nb::gil_scoped_release unlocked;
              found = joined(walk_on_table(game, strategy.data(), range, threads));
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
              played = play_episodes(self.game(std::nullopt, false), best.data(), average.data(),
                                     anticipation, seed, iteration, games);
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
                self, baseline, stratified, self.range(seed, iteration, traverser, first, count, ordinal));
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
        for (std::size_t k = 0; k < slots.size(); ++k) {
          const std::int64_t slot = slots.data()[k];
          if (slot < 0 || slot >= static_cast<std::int64_t>(table.size()))
            throw std::invalid_argument("slots: outside the table");
          table.data()[slot] += rate * (values.data()[k] - table.data()[slot]);
        }
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
