// zerosum.native: sampled walks of hold'em for two to six that ask networks with the 261-number encoding.
#include "zerosum/games/holdem/sixmax_walks.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sixmax.hpp"
#include "zerosum/cfr/traversals.hpp"

namespace zerosum::bind {

using namespace nb::literals;

// Walks that stop where they need a strategy.
class SixMaxWalks {
 public:
  SixMaxWalks(std::shared_ptr<const Rules> rules, std::uint64_t seed, std::uint64_t iteration, int traverser,
              std::uint64_t first, std::uint64_t count)
      : rules_(std::move(rules)), game_{*rules_, traverser}, traversals_(game_, traverser) {
    want_six(*rules_);
    if (game_.actions > SixMaxGame::kWidest)
      throw RuleError("walks: a menu of " + std::to_string(game_.actions) + " actions, wanted at most " +
                      std::to_string(SixMaxGame::kWidest));
    if (traverser < 0 || traverser >= game_.players) throw std::invalid_argument("traverser: no such player");
    for (std::uint64_t k = 0; k < count; ++k) {
      CounterRng rng(seed, iteration, static_cast<std::uint64_t>(traverser), first + k);
      traversals_.begin(rng.bits(), 0);
    }
    asked_ = &traversals_.advance();
  }

  const SixMaxGame& game() const { return game_; }
  std::size_t asked() const { return asked_->size(); }
  const SixMaxGame::State& state(std::size_t k) const { return traversals_.state((*asked_)[k]); }

  void answer(const double* strategy, const double* explore) {
    const std::vector<std::int32_t> records = *asked_;
    std::array<double, SixMaxGame::kWidest> shares{};
    for (std::size_t r = 0; r < records.size(); ++r) {
      SixMaxGame::State& at = traversals_.state(records[r]);
      const double* row = strategy + r * static_cast<std::size_t>(game_.actions);
      if (at.table.actor == game_.traverser)
        game_.prune(at, row, explore + (row - strategy), traversals_.luck(records[r]));
      for (int k = 0; k < at.count; ++k) shares[k] = row[at.offered[k]];
      traversals_.answer(records[r], shares.data(), nullptr);
    }
    asked_ = &traversals_.advance();
  }

  cfr::Found<SixMaxGame::State> finish() {
    cfr::Found<SixMaxGame::State> found;
    traversals_.finish(false, found);
    return found;
  }

 private:
  std::shared_ptr<const Rules> rules_;
  SixMaxGame game_;
  cfr::Traversals<SixMaxGame> traversals_;
  const std::vector<std::int32_t>* asked_ = nullptr;
};

template <typename Get>
static nb::object rows_of(const SixMaxGame& game, std::size_t count, Get state_of) {
  std::vector<SixMaxRow> rows(count);
  for (std::size_t k = 0; k < count; ++k) rows[k] = game.row(state_of(k));
  return nb::cast(as_bytes(std::move(rows)));
}

template <typename Get>
static nb::object legal_of(const SixMaxGame& game, std::size_t count, Get state_of) {
  const auto actions = static_cast<std::size_t>(game.actions);
  auto legal = std::make_unique<bool[]>(count * actions);
  for (std::size_t k = 0; k < count; ++k) {
    const SixMaxGame::State& state = state_of(k);
    for (int a = 0; a < state.count; ++a) legal[k * actions + state.offered[a]] = true;
  }
  return nb::cast(bools_to_numpy(std::move(legal), {count, actions}));
}

static nb::object pending(const SixMaxWalks& self) {
  const std::size_t count = self.asked();
  if (count == 0) return nb::none();
  const auto at = [&](std::size_t k) -> const SixMaxGame::State& { return self.state(k); };
  std::vector<std::int32_t> actors(count);
  for (std::size_t k = 0; k < count; ++k) actors[k] = at(k).table.actor;
  return nb::make_tuple(to_numpy(std::move(actors)), rows_of(self.game(), count, at),
                        legal_of(self.game(), count, at));
}

static nb::tuple samples(SixMaxWalks& self, bool strategies) {
  if (self.asked() > 0) throw std::invalid_argument("samples: walks are still waiting");
  auto found = self.finish();
  const SixMaxGame& game = self.game();
  const auto actions = static_cast<std::size_t>(game.actions);
  if (!strategies) {
    found.others_at.clear();
    found.strategy.clear();
    found.weight.clear();
  }
  const std::size_t rows = found.at.size(), others = found.others_at.size();
  const auto at = [&](std::size_t k) -> const SixMaxGame::State& { return found.at[k]; };
  const auto others_at = [&](std::size_t k) -> const SixMaxGame::State& { return found.others_at[k]; };
  return nb::make_tuple(
      rows_of(game, rows, at), legal_of(game, rows, at), to_numpy(std::move(found.regret), {rows, actions}),
      rows_of(game, others, others_at), legal_of(game, others, others_at),
      to_numpy(std::move(found.strategy), {others, actions}), to_numpy(std::move(found.weight)), found.nodes);
}

void bind_sixmax_walks(nb::module_& m) {
  nb::class_<SixMaxWalks>(m, "SixMaxWalks",
                          "External-sampling walks of hold'em for two to six that advance together and stop "
                          "where they need a strategy; payoffs are in big blinds.")
      .def(nb::init<std::shared_ptr<const Rules>, std::uint64_t, std::uint64_t, int, std::uint64_t,
                    std::uint64_t>(),
           "rules"_a, "seed"_a, "iteration"_a, "traverser"_a, "first"_a, "count"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("pending", &pending,
           nb::sig("def pending(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.bool_]] | None"),
           "Who acts [B], the rows they see [B, 184], what is legal [B, A]; None once all walks have ended.")
      .def(
          "answer",
          [](SixMaxWalks& self, const In2<double>& strategy, const In2<double>& explore) {
            const auto fits = [&](const In2<double>& rows) {
              return rows.shape(0) == self.asked() &&
                     rows.shape(1) == static_cast<std::size_t>(self.game().actions);
            };
            if (!fits(strategy) || !fits(explore))
              throw std::invalid_argument("answer: wanted a row for each that was asked");
            nb::gil_scoped_release unlocked;
            self.answer(strategy.data(), explore.data());
          },
          "strategy"_a, "explore"_a,
          "[B, A] strategies; what the traverser's never takes is tried with its chance in `explore` [B, A], "
          "and "
          "left out of what is legal in the samples otherwise.")
      .def("samples", &samples, "strategies"_a,
           nb::sig("def samples(self, strategies: bool) -> tuple[numpy.typing.NDArray[numpy.uint8], "
                   "numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.bool_], "
                   "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], int]"),
           "The traverser's rows [N, 184], legal actions and regrets [N, A]; with `strategies` the others' "
           "rows [M, 184], legal actions, strategies [M, A] and weights [M]; and the number of states "
           "visited.");
}

}  // namespace zerosum::bind
