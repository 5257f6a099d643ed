// zerosum.native: sampled walks of heads-up hold'em whose networks read cards once a deal, and what those
// networks read.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "zerosum/games/holdem/heads_up_walk.hpp"
#include "zerosum/games/holdem/view.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

inline constexpr int kMostHands = 1024;

// Walks that stop where they need a strategy.
class HeadsUpWalks {
 public:
  using Node = HeadsUpWalk::Node;

  HeadsUpWalks(std::shared_ptr<const Rules> rules, bool history, std::uint64_t seed, std::uint64_t iteration,
               int traverser, std::uint64_t first, std::uint64_t count, int hands)
      : rules_(checked(std::move(rules), traverser, hands)),
        walk_(*rules_, traverser, hands),
        history_(history),
        hands_(hands) {
    for (std::uint64_t k = 0; k < count; ++k) {
      CounterRng rng(seed, iteration, static_cast<std::uint64_t>(traverser), first + k);
      walk_.begin(rng.bits());
    }
    asked_ = &walk_.advance();
  }

  const HeadsUpWalk& walk() const { return walk_; }
  const HandsAsked& asked() const { return *asked_; }
  int hands() const { return hands_; }
  std::size_t width() const {
    return static_cast<std::size_t>(history_ ? history_count(walk_.actions()) : kEnvNumbers);
  }

  void write(const Node& node, float* row) const {
    const int seat = node.table.actor;
    if (history_)
      write_history(*rules_, node.table, node.history, seat, node.offered.data(), node.count, row);
    else
      write_env(node.table, seat, row);
  }

  void answer(const double* strategy) {
    walk_.answer(strategy);
    asked_ = &walk_.advance();
  }

  HandsFound finish() { return walk_.finish(static_cast<std::size_t>(std::max(1, hands_ / kToldOf))); }

 private:
  static constexpr int kToldOf = 4;  // one in so many hands of the other seat's decisions is told

  static std::shared_ptr<const Rules> checked(std::shared_ptr<const Rules> rules, int traverser, int hands) {
    if (rules->players != 2 || rules->streets != kMostStreets)
      throw RuleError("walks: wanted two players and four streets");
    if (rules->menu.actions() > HeadsUpWalk::kWidest)
      throw RuleError("walks: a menu of " + std::to_string(rules->menu.actions()) +
                      " actions, wanted at most " + std::to_string(HeadsUpWalk::kWidest));
    if (traverser < 0 || traverser > 1) throw std::invalid_argument("traverser: no such player");
    if (hands < 1 || hands > kMostHands)
      throw std::invalid_argument("hands: got " + std::to_string(hands) + ", wanted 1 to " +
                                  std::to_string(kMostHands));
    return rules;
  }

  std::shared_ptr<const Rules> rules_;
  HeadsUpWalk walk_;
  bool history_;
  int hands_;
  const HandsAsked* asked_ = nullptr;
};

// What decisions look like: the rows of their cards [B], the betting [B, F] and what is legal [B, A].
static nb::tuple seen(const HeadsUpWalks& self, const HandsAsked& rows) {
  const std::size_t count = rows.node.size(), width = self.width();
  const std::size_t actions = static_cast<std::size_t>(self.walk().actions());
  std::vector<float> betting(count * width);
  auto legal = std::make_unique<bool[]>(count * actions);
  for (std::size_t k = 0; k < count; ++k) {
    const HeadsUpWalk::Node& node = self.walk().node(rows.node[k]);
    float* row = betting.data() + k * width;
    if (k > 0 && rows.node[k] == rows.node[k - 1])  // the hands of a node see the same betting
      std::copy_n(row - width, width, row);
    else
      self.write(node, row);
    for (std::size_t a = 0; a < node.count; ++a) legal[k * actions + node.offered[a]] = true;
  }
  return nb::make_tuple(to_numpy(std::vector<std::int32_t>(rows.cards)),
                        to_numpy(std::move(betting), {count, width}),
                        bools_to_numpy(std::move(legal), {count, actions}));
}

static nb::object pending(const HeadsUpWalks& self) {
  if (self.asked().node.empty()) return nb::none();
  return seen(self, self.asked());
}

// Cards of each walk, seat, street and hand.
template <typename Show>
static nb::object cards_of(const HeadsUpWalks& self, Show show) {
  const auto& deals = self.walk().deals();
  const std::size_t count = deals.size() * 2 * kMostStreets * static_cast<std::size_t>(self.hands());
  std::vector<std::int64_t> rows(count * 7);
  std::int64_t* row = rows.data();
  for (const HeadsUpDeal& deal : deals) {
    for (int seat = 0; seat < 2; ++seat) {
      for (int street = 0; street < kMostStreets; ++street) {
        for (int hand = 0; hand < self.hands(); ++hand, row += 7) show(deal, seat, street, hand, row);
      }
    }
  }
  return nb::cast(to_numpy(std::move(rows), {count, std::size_t{7}}));
}

static nb::object shown(const HeadsUpWalks& self) {
  return cards_of(self, [](const HeadsUpDeal& deal, int seat, int street, int hand, std::int64_t* row) {
    deal.show(seat, street, hand, row);
  });
}

static nb::object dealt(const HeadsUpWalks& self) {
  return cards_of(self, [](const HeadsUpDeal& deal, int seat, int street, int hand, std::int64_t* row) {
    deal.seen(seat, street, hand, row);
  });
}

static nb::tuple samples(HeadsUpWalks& self) {
  if (!self.asked().node.empty()) throw std::invalid_argument("samples: walks are still waiting");
  HandsFound found;
  {
    nb::gil_scoped_release unlocked;
    found = self.finish();
  }
  const std::size_t actions = static_cast<std::size_t>(self.walk().actions());
  const std::size_t rows = found.own.node.size(), others = found.others.node.size();
  return nb::make_tuple(seen(self, found.own), to_numpy(std::move(found.regret), {rows, actions}),
                        to_numpy(std::move(found.weight)), seen(self, found.others),
                        to_numpy(std::move(found.strategy), {others, actions}),
                        to_numpy(std::move(found.others_weight)), self.walk().decisions());
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
      "External-sampling walks of heads-up hold'em, each with many hands of both seats, that advance "
      "together "
      "and stop where they need a strategy; payoffs are in big blinds, all-ins are worth their equity.")
      .def(nb::init<std::shared_ptr<const Rules>, bool, std::uint64_t, std::uint64_t, int, std::uint64_t,
                    std::uint64_t, int>(),
           "rules"_a, "history"_a, "seed"_a, "iteration"_a, "traverser"_a, "first"_a, "count"_a, "hands"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def(
          "cards", &shown, nb::sig("def cards(self) -> numpy.typing.NDArray[numpy.int64]"),
          "[walks * 2 * 4 * hands, 7] the cards of each walk, seat, street and hand, suits renamed, 52 where "
          "missing.")
      .def("dealt", &dealt, nb::sig("def dealt(self) -> numpy.typing.NDArray[numpy.int64]"),
           "The same with the suits that they have.")
      .def("pending", &pending, nb::sig("def pending(self) -> " ZEROSUM_SEEN " | None"),
           "The row of each hand's cards [B], the betting [B, F] and what is legal [B, A]; None once all "
           "walks "
           "have ended.")
      .def(
          "answer",
          [](HeadsUpWalks& self, const In2<double>& strategy) {
            if (strategy.shape(0) != self.asked().node.size() ||
                strategy.shape(1) != static_cast<std::size_t>(self.walk().actions()))
              throw std::invalid_argument("answer: wanted a row for each that was asked");
            nb::gil_scoped_release unlocked;
            self.answer(strategy.data());
          },
          "strategy"_a)
      .def("samples", &samples,
           nb::sig("def samples(self) -> tuple[" ZEROSUM_SEEN
                   ", numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float32], " ZEROSUM_SEEN
                   ", numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float32], int]"),
           "The traverser's decisions as `pending` gives them, their regrets [N, A] and how much each counts "
           "[N]; the same of some of the other seat's decisions, with strategies [M, A]; and how many "
           "decisions "
           "were answered.");
  m.def("heads_up_history", &history_of, "views"_a,
        nb::sig("def heads_up_history(views: list[HoldemView]) -> numpy.typing.NDArray[numpy.float32]"),
        "[B, F] what each view's seat sees of the betting, its history included.");
  m.def("heads_up_history_count", &history_count, "actions"_a, "How many numbers that is.");
}

}  // namespace zerosum::bind
