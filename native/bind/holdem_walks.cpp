// zerosum.native: sampled walks of hold'em that ask networks, and the features those see.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "zerosum/cfr/traversals.hpp"
#include "zerosum/games/holdem/view.hpp"
#include "zerosum/games/holdem/walk_game.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

// Walks that stop where they need a strategy.
class HoldemWalks {
 public:
  HoldemWalks(std::shared_ptr<const Rules> rules, bool baselines, std::uint64_t seed, std::uint64_t iteration,
              int traverser, std::uint64_t first, std::uint64_t count)
      : rules_(std::move(rules)),
        game_{*rules_, baselines},
        traversals_(game_, traverser),
        traverser_(traverser) {
    if (game_.actions > WalkGame::kWidest)
      throw RuleError("walks: a menu of " + std::to_string(game_.actions) + " actions, wanted at most " +
                      std::to_string(WalkGame::kWidest));
    if (traverser < 0 || traverser >= game_.players) throw std::invalid_argument("traverser: no such player");
    for (std::uint64_t k = 0; k < count; ++k) {
      CounterRng rng(seed, iteration, static_cast<std::uint64_t>(traverser), first + k);
      traversals_.begin(rng.bits(), 0);
    }
    asked_ = &traversals_.advance();
  }

  const WalkGame& game() const { return game_; }
  std::size_t asked() const { return asked_->size(); }
  const WalkGame::State& state(std::size_t k) const { return traversals_.state((*asked_)[k]); }

  void answer(const double* strategy, const double* baseline) {
    const std::vector<std::int32_t> records = *asked_;
    std::array<double, WalkGame::kWidest> shares{}, expected{};
    for (std::size_t r = 0; r < records.size(); ++r) {
      const WalkGame::State at = traversals_.state(records[r]);
      for (int k = 0; k < at.count; ++k) {
        const std::size_t place = r * static_cast<std::size_t>(game_.actions) + at.offered[k];
        shares[k] = strategy[place];
        if (baseline != nullptr) expected[k] = baseline[place];
      }
      traversals_.answer(records[r], shares.data(), baseline != nullptr ? expected.data() : nullptr);
    }
    asked_ = &traversals_.advance();
  }

  cfr::Found<WalkGame::State> finish() {
    cfr::Found<WalkGame::State> found;
    traversals_.finish(game_.baselines, found);
    return found;
  }
  int traverser() const { return traverser_; }

 private:
  std::shared_ptr<const Rules> rules_;
  WalkGame game_;
  cfr::Traversals<WalkGame> traversals_;
  int traverser_;
  const std::vector<std::int32_t>* asked_ = nullptr;
};

template <typename Get>
static nb::object rows_of(const WalkGame& game, std::size_t count, bool everyone, Get state_of, int seat) {
  const auto width = static_cast<std::size_t>(feature_count(game.rules, everyone));
  std::vector<float> rows(count * width);
  for (std::size_t k = 0; k < count; ++k) {
    const WalkGame::State& state = state_of(k);
    game.write(state, seat < 0 ? state.table.actor : seat, everyone, rows.data() + k * width);
  }
  return nb::cast(to_numpy(std::move(rows), {count, width}));
}

template <typename Get>
static nb::object legal_of(const WalkGame& game, std::size_t count, Get state_of) {
  const auto actions = static_cast<std::size_t>(game.actions);
  auto legal = std::make_unique<bool[]>(count * actions);
  for (std::size_t k = 0; k < count; ++k) {
    const WalkGame::State& state = state_of(k);
    for (int a = 0; a < state.count; ++a) legal[k * actions + state.offered[a]] = true;
  }
  return nb::cast(bools_to_numpy(std::move(legal), {count, actions}));
}

static nb::object pending(const HoldemWalks& self) {
  const std::size_t count = self.asked();
  if (count == 0) return nb::none();
  const auto at = [&](std::size_t k) -> const WalkGame::State& { return self.state(k); };
  std::vector<std::int32_t> actors(count);
  for (std::size_t k = 0; k < count; ++k) actors[k] = at(k).table.actor;
  // What a baseline sees is from the traverser's chair, whoever acts: it says what the traverser gets.
  const nb::object whole =
      self.game().baselines ? rows_of(self.game(), count, true, at, self.traverser()) : nb::none();
  return nb::make_tuple(to_numpy(std::move(actors)), rows_of(self.game(), count, false, at, -1),
                        legal_of(self.game(), count, at), whole);
}

static nb::tuple samples(HoldemWalks& self) {
  if (self.asked() > 0) throw std::invalid_argument("samples: walks are still waiting");
  auto found = self.finish();
  const WalkGame& game = self.game();
  const auto actions = static_cast<std::size_t>(game.actions);
  const std::size_t rows = found.at.size(), others = found.others_at.size(), sampled = found.sampled.size();
  const auto at = [&](std::size_t k) -> const WalkGame::State& { return found.at[k]; };
  const auto others_at = [&](std::size_t k) -> const WalkGame::State& { return found.others_at[k]; };
  const auto sampled_at = [&](std::size_t k) -> const WalkGame::State& { return found.sampled_at[k]; };
  for (std::size_t k = 0; k < sampled; ++k) {
    found.sampled[k] = game.column(found.sampled_at[k], found.sampled[k]);
  }
  return nb::make_tuple(
      rows_of(game, rows, false, at, -1), legal_of(game, rows, at),
      to_numpy(std::move(found.regret), {rows, actions}), rows_of(game, others, false, others_at, -1),
      legal_of(game, others, others_at), to_numpy(std::move(found.strategy), {others, actions}),
      to_numpy(std::move(found.weight)), rows_of(game, sampled, true, sampled_at, self.traverser()),
      to_numpy(std::move(found.sampled)), to_numpy(std::move(found.value)), found.nodes);
}

void bind_holdem_walks(nb::module_& m) {
  nb::class_<HoldemWalks>(
      m, "HoldemWalks",
      "External-sampling walks of hold'em that advance together and stop where they need a "
      "strategy; payoffs are in big blinds.")
      .def(nb::init<std::shared_ptr<const Rules>, bool, std::uint64_t, std::uint64_t, int, std::uint64_t,
                    std::uint64_t>(),
           "rules"_a, "baselines"_a, "seed"_a, "iteration"_a, "traverser"_a, "first"_a, "count"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("pending", &pending,
           nb::sig("def pending(self) -> tuple[numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_], "
                   "numpy.typing.NDArray[numpy.float32] | None] | None"),
           "Who acts [B], what they see [B, F], what is legal [B, A], and with baselines everything there is "
           "to "
           "see [B, H]; None once all walks have ended.")
      .def(
          "answer",
          [](HoldemWalks& self, const In2<double>& strategy, const std::optional<In2<double>>& baseline) {
            const auto fits = [&](const In2<double>& rows) {
              return rows.shape(0) == self.asked() &&
                     rows.shape(1) == static_cast<std::size_t>(self.game().actions);
            };
            if (!fits(strategy) || (baseline && !fits(*baseline)))
              throw std::invalid_argument("answer: wanted a row for each that was asked");
            if (baseline.has_value() != self.game().baselines)
              throw std::invalid_argument("answer: wanted baselines just where they were asked for");
            nb::gil_scoped_release unlocked;
            self.answer(strategy.data(), baseline ? baseline->data() : nullptr);
          },
          "strategy"_a, "baseline"_a.none())
      .def("samples", &samples,
           nb::sig("def samples(self) -> tuple[numpy.typing.NDArray[numpy.float32], "
                   "numpy.typing.NDArray[numpy.bool_], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_], "
                   "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.float64], int]"),
           "The traverser's features [N, F], legal actions and regrets [N, A]; the others' features [M, F], "
           "legal "
           "actions, strategies [M, A] and weights [M]; with baselines all that was sampled [K, H], its "
           "action [K] "
           "and worth [K]; and the number of states visited.");
  m.def(
      "holdem_feature_counts",
      [](const Rules& rules) {
        return nb::make_tuple(feature_count(rules, false), feature_count(rules, true));
      },
      "rules"_a, nb::sig("def holdem_feature_counts(rules: HoldemRules) -> tuple[int, int]"),
      "How many numbers a seat's features are, and a baseline's.");
  m.def(
      "holdem_features",
      [](const nb::list& views) {
        std::vector<float> rows;
        std::size_t width = 0;
        for (std::size_t k = 0; k < views.size(); ++k) {
          const View& view = nb::cast<const View&>(views[k]);
          const Rules& rules = view.hand().rules();
          std::array<std::uint8_t, kMostStreets> raises{};
          for (const Event& event : view.hand().events()) {
            if (event.seat >= 0 && event.action > 0) ++raises[event.street];
          }
          const auto count = static_cast<std::size_t>(feature_count(rules, false));
          if (k > 0 && count != width) throw RuleError("features: views of different tables");
          width = count;
          rows.resize(rows.size() + count);
          write_features(rules, view.hand().state(), view.seat(), raises, false, rows.data() + k * count);
        }
        return to_numpy(std::move(rows), {views.size(), width});
      },
      "views"_a,
      nb::sig("def holdem_features(views: list[HoldemView]) -> numpy.typing.NDArray[numpy.float32]"),
      "[B, F] what each view's seat sees.");
}

}  // namespace zerosum::bind
