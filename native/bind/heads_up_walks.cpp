// zerosum.native: sampled walks of heads-up hold'em whose networks read cards once a deal, and what those
// networks read.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "zerosum/cfr/traversals.hpp"
#include "zerosum/games/holdem/heads_up_walk.hpp"
#include "zerosum/games/holdem/view.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

// Walks that stop where they need a strategy.
class HeadsUpWalks {
 public:
  using State = HeadsUpWalkGame::State;

  HeadsUpWalks(std::shared_ptr<const Rules> rules, bool history, std::uint64_t seed, std::uint64_t iteration,
               int traverser, std::uint64_t first, std::uint64_t count)
      : rules_(std::move(rules)), game_(*rules_), traversals_(game_, traverser), history_(history) {
    if (rules_->players != 2) throw RuleError("walks: wanted two players");
    if (game_.actions > HeadsUpWalkGame::kWidest)
      throw RuleError("walks: a menu of " + std::to_string(game_.actions) + " actions, wanted at most " +
                      std::to_string(HeadsUpWalkGame::kWidest));
    if (traverser < 0 || traverser > 1) throw std::invalid_argument("traverser: no such player");
    game_.deals.reserve(count);
    for (std::uint64_t k = 0; k < count; ++k) {
      CounterRng rng(seed, iteration, static_cast<std::uint64_t>(traverser), first + k);
      traversals_.begin(rng.bits(), 0);
    }
    asked_ = &traversals_.advance();
  }

  const HeadsUpWalkGame& game() const { return game_; }
  std::size_t asked() const { return asked_->size(); }
  const State& state(std::size_t k) const { return traversals_.state((*asked_)[k]); }
  std::size_t width() const {
    return static_cast<std::size_t>(history_ ? history_count(game_.actions) : kEnvNumbers);
  }

  void write(const State& s, float* row) const {
    const int seat = s.table.actor;
    if (history_)
      write_history(*rules_, s.table, s.history, seat, s.offered.data(), s.count, row);
    else
      write_env(s.table, seat, row);
  }

  void answer(const double* strategy) {
    const std::vector<std::int32_t> records = *asked_;
    std::array<double, HeadsUpWalkGame::kWidest> shares{};
    for (std::size_t r = 0; r < records.size(); ++r) {
      const State& at = traversals_.state(records[r]);
      for (std::size_t k = 0; k < at.count; ++k)
        shares[k] = strategy[r * static_cast<std::size_t>(game_.actions) + at.offered[k]];
      traversals_.answer(records[r], shares.data(), nullptr);
    }
    asked_ = &traversals_.advance();
  }

  cfr::Found<State> finish() {
    cfr::Found<State> found;
    traversals_.finish(false, found);
    return found;
  }

 private:
  std::shared_ptr<const Rules> rules_;
  HeadsUpWalkGame game_;
  cfr::Traversals<HeadsUpWalkGame> traversals_;
  bool history_;
  const std::vector<std::int32_t>* asked_ = nullptr;
};

// What decisions look like: the rows of their cards [B], the betting [B, F] and what is legal [B, A].
template <typename Get>
static nb::tuple seen(const HeadsUpWalks& self, std::size_t count, Get state_of) {
  const std::size_t width = self.width(), actions = static_cast<std::size_t>(self.game().actions);
  std::vector<std::int32_t> cards(count);
  std::vector<float> betting(count * width);
  auto legal = std::make_unique<bool[]>(count * actions);
  for (std::size_t k = 0; k < count; ++k) {
    const HeadsUpWalks::State& state = state_of(k);
    cards[k] = self.game().card_row(state);
    self.write(state, betting.data() + k * width);
    for (std::size_t a = 0; a < state.count; ++a) legal[k * actions + state.offered[a]] = true;
  }
  return nb::make_tuple(to_numpy(std::move(cards)), to_numpy(std::move(betting), {count, width}),
                        bools_to_numpy(std::move(legal), {count, actions}));
}

static nb::object pending(const HeadsUpWalks& self) {
  if (self.asked() == 0) return nb::none();
  return seen(self, self.asked(), [&](std::size_t k) -> const HeadsUpWalks::State& { return self.state(k); });
}

static nb::object shown(const HeadsUpWalks& self) {
  const auto& deals = self.game().deals;
  std::vector<std::int64_t> rows(deals.size() * 2 * kMostStreets * 7);
  std::size_t at = 0;
  for (const HeadsUpDeal& deal : deals) {
    for (int seat = 0; seat < 2; ++seat) {
      for (int street = 0; street < kMostStreets; ++street, at += 7)
        deal.show(seat, street, rows.data() + at);
    }
  }
  return nb::cast(to_numpy(std::move(rows), {deals.size() * 2 * kMostStreets, std::size_t{7}}));
}

static nb::tuple samples(HeadsUpWalks& self) {
  if (self.asked() > 0) throw std::invalid_argument("samples: walks are still waiting");
  auto found = self.finish();
  const std::size_t actions = static_cast<std::size_t>(self.game().actions);
  const std::size_t rows = found.at.size(), others = found.others_at.size();
  const auto own = seen(self, rows, [&](std::size_t k) -> const HeadsUpWalks::State& { return found.at[k]; });
  const auto other =
      seen(self, others, [&](std::size_t k) -> const HeadsUpWalks::State& { return found.others_at[k]; });
  return nb::make_tuple(own, to_numpy(std::move(found.regret), {rows, actions}), other,
                        to_numpy(std::move(found.strategy), {others, actions}), found.nodes);
}

static nb::object history_of(const nb::list& views) {
  std::vector<float> rows;
  std::size_t width = 0;
  for (std::size_t k = 0; k < views.size(); ++k) {
    const View& view = nb::cast<const View&>(views[k]);
    const Rules& rules = view.hand().rules();
    if (rules.players != 2) throw RuleError("inputs: wanted views of heads-up hold'em");
    BettingHistory history;
    State replayed = start(rules);
    for (const Event& event : view.hand().events()) {
      if (event.seat < 0) {
        deal(rules, replayed, static_cast<std::uint8_t>(event.action));
      } else {
        history.add(replayed, event.action);
        act(rules, replayed, event.action);
      }
    }
    std::array<std::uint8_t, kMostActions> offered;
    const int count = view.hand().state().actor >= 0 ? view.hand().legal(offered) : 0;
    width = static_cast<std::size_t>(history_count(rules.menu.actions()));
    rows.resize((k + 1) * width);
    write_history(rules, view.hand().state(), history, view.seat(), offered.data(), count,
                  rows.data() + k * width);
  }
  return nb::cast(to_numpy(std::move(rows), {views.size(), width}));
}

#define ZEROSUM_SEEN                                                               \
  "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float32], " \
  "numpy.typing.NDArray[numpy.bool_]]"

void bind_heads_up_walks(nb::module_& m) {
  nb::class_<HeadsUpWalks>(
      m, "HeadsUpWalks",
      "External-sampling walks of heads-up hold'em that advance together and stop where they need "
      "a strategy; payoffs are in big blinds, all-ins are worth their equity.")
      .def(nb::init<std::shared_ptr<const Rules>, bool, std::uint64_t, std::uint64_t, int, std::uint64_t,
                    std::uint64_t>(),
           "rules"_a, "history"_a, "seed"_a, "iteration"_a, "traverser"_a, "first"_a, "count"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("cards", &shown, nb::sig("def cards(self) -> numpy.typing.NDArray[numpy.int64]"),
           "[walks * 2 * 4, 7] the cards of each walk, seat and street, suits renamed, 52 where missing.")
      .def("pending", &pending, nb::sig("def pending(self) -> " ZEROSUM_SEEN " | None"),
           "The row of each actor's cards [B], the betting [B, F] and what is legal [B, A]; None once all "
           "walks have "
           "ended.")
      .def(
          "answer",
          [](HeadsUpWalks& self, const In2<double>& strategy) {
            if (strategy.shape(0) != self.asked() ||
                strategy.shape(1) != static_cast<std::size_t>(self.game().actions))
              throw std::invalid_argument("answer: wanted a row for each that was asked");
            nb::gil_scoped_release unlocked;
            self.answer(strategy.data());
          },
          "strategy"_a)
      .def("samples", &samples,
           nb::sig("def samples(self) -> tuple[" ZEROSUM_SEEN
                   ", numpy.typing.NDArray[numpy.float64], " ZEROSUM_SEEN
                   ", numpy.typing.NDArray[numpy.float64], int]"),
           "The traverser's decisions as `pending` gives them and their regrets [N, A]; the other player's "
           "and their "
           "strategies [M, A]; and the number of states visited.");
  m.def("heads_up_history", &history_of, "views"_a,
        nb::sig("def heads_up_history(views: list[HoldemView]) -> numpy.typing.NDArray[numpy.float32]"),
        "[B, F] what each view's seat sees of the betting, its history included.");
  m.def("heads_up_history_count", &history_count, "actions"_a, "How many numbers that is.");
}

}  // namespace zerosum::bind
