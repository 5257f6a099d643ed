// zerosum.native: the rules of a hold'em table, checked as they come in.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "holdem.hpp"
#include "zerosum/games/holdem/rules.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

using SizeRow = std::tuple<int, std::int64_t, std::int64_t>;

static std::shared_ptr<const Rules> make_rules(
    const std::vector<Chips>& stacks, const std::vector<Chips>& blinds, const std::vector<Chips>& antes,
    const std::vector<Chips>& bets, const std::vector<int>& caps, bool limit, bool botzone,
    const std::string& odd, bool trim_antes, const std::vector<std::vector<SizeRow>>& sizes, bool all_in,
    int menu_cap) {
  auto rules = std::make_shared<Rules>();
  const std::size_t players = stacks.size(), streets = bets.size();
  if (players < 2 || players > kMostSeats) throw RuleError("rules: wanted 2 to 10 seats");
  if (streets < 2 || streets > kMostStreets) throw RuleError("rules: wanted 2 to 4 streets");
  want_size("blinds", blinds.size(), players);
  want_size("antes", antes.size(), players);
  want_size("caps", caps.size(), streets);
  want_size("menu", sizes.size(), streets);
  for (const auto& offered : sizes) {
    if (offered.size() + 3 > kMostActions)
      throw RuleError("rules: menu got " + std::to_string(offered.size()) + " sizes, wanted at most " +
                      std::to_string(kMostActions - 3));
  }
  rules->players = static_cast<int>(players);
  rules->streets = static_cast<int>(streets);
  rules->betting = limit ? Betting::kFixedLimit : Betting::kNoLimit;
  rules->order = botzone ? Order::kBotzone : Order::kStandard;
  rules->odd = odd_named(odd);
  rules->trim_antes = trim_antes;
  const auto within = [](const char* what, Chips chips, Chips least) {
    if (chips < least || chips > kMostChips) {
      throw RuleError(std::string("rules: ") + what + " got " + std::to_string(chips) + ", wanted " +
                      std::to_string(least) + " to " + std::to_string(kMostChips));
    }
    return chips;
  };
  for (std::size_t i = 0; i < players; ++i) {
    rules->stacks[i] = within("stack", stacks[i], 1);
    rules->blinds[i] = within("blind", blinds[i], -kMostChips);
    rules->antes[i] = within("ante", antes[i], 0);
  }
  for (std::size_t k = 0; k < streets; ++k) {
    rules->bets[k] = within("bet", bets[k], 1);
    rules->caps[k] = caps[k];
    std::vector<BetSize> offered;
    if (caps[k] < 0) throw RuleError("rules: caps got " + std::to_string(caps[k]) + ", wanted 0 or more");
    for (const auto& [kind, numerator, denominator] : sizes[k]) {
      if (kind < BetSize::kPot || kind > BetSize::kLeast || numerator < 1 || denominator < 1 ||
          numerator > kMostChips || denominator > kMostChips) {
        throw RuleError("rules: menu got a size (" + std::to_string(kind) + ", " + std::to_string(numerator) +
                        ", " + std::to_string(denominator) + "), wanted a kind 0 to 2 and a share above 0");
      }
      offered.push_back({static_cast<BetSize::Kind>(kind), numerator, denominator});
    }
    rules->menu.set(k, std::move(offered));
  }
  if (menu_cap < 0) throw RuleError("rules: menu cap got " + std::to_string(menu_cap) + ", wanted 0 or more");
  rules->menu.all_in = all_in;
  rules->menu.cap = menu_cap;
  return rules;
}

// What `holdem_rules` made the rules from.
using RulesArguments =
    std::tuple<std::vector<Chips>, std::vector<Chips>, std::vector<Chips>, std::vector<Chips>,
               std::vector<int>, bool, bool, std::string, bool, std::vector<std::vector<SizeRow>>, bool, int>;

static RulesArguments arguments_of(const Rules& rules) {
  std::vector<std::vector<SizeRow>> sizes;
  for (int k = 0; k < rules.streets; ++k) {
    sizes.emplace_back();
    for (const BetSize& size : rules.menu.sizes[k])
      sizes.back().emplace_back(size.kind, size.numerator, size.denominator);
  }
  const char* odd = rules.odd == OddChips::kExact   ? "exact"
                    : rules.odd == OddChips::kSeats ? "seats"
                                                    : "first";
  return RulesArguments(first(rules.stacks, rules.players), first(rules.blinds, rules.players),
                        first(rules.antes, rules.players), first(rules.bets, rules.streets),
                        first(rules.caps, rules.streets), rules.betting == Betting::kFixedLimit,
                        rules.order == Order::kBotzone, odd, rules.trim_antes, sizes, rules.menu.all_in,
                        rules.menu.cap);
}

void bind_holdem_rules(nb::module_& m) {
  nb::class_<Rules>(m, "HoldemRules", "What a table plays.")
      .def_prop_ro("players", [](const Rules& self) { return self.players; })
      .def_prop_ro(
          "all_in", [](const Rules& self) { return self.menu.all_in; }, "Whether the menu ends with it.")
      .def_prop_ro("actions", [](const Rules& self) { return self.menu.actions(); })
      .def(
          "__eq__",
          [](const Rules& self, nb::handle other) {
            return nb::isinstance<Rules>(other) && self == nb::cast<const Rules&>(other);
          },
          nb::is_operator(), "other"_a.none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Rules& self) { return self.players * 31 + self.stacks[0]; })
      .def("__getstate__", &arguments_of, nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def(
          "__setstate__",
          [](Rules& self, const RulesArguments& state) { new (&self) Rules(*std::apply(make_rules, state)); },
          nb::sig("def __setstate__(self, state: tuple[object, ...], /) -> None"));
  m.def(
      "holdem_rules",
      [](const std::vector<Chips>& stacks, const std::vector<Chips>& blinds, const std::vector<Chips>& antes,
         const std::vector<Chips>& bets, const std::vector<int>& caps, bool limit, bool botzone,
         const std::string& odd, bool trim_antes, const std::vector<std::vector<SizeRow>>& sizes, bool all_in,
         int menu_cap) {
        return std::const_pointer_cast<Rules>(make_rules(stacks, blinds, antes, bets, caps, limit, botzone,
                                                         odd, trim_antes, sizes, all_in, menu_cap));
      },
      "stacks"_a, "blinds"_a, "antes"_a, "bets"_a, "caps"_a, "limit"_a, "botzone"_a, "odd"_a, "trim_antes"_a,
      "sizes"_a, "all_in"_a, "menu_cap"_a,
      "Seats and streets are counted by the lists; sizes are (0 pot | 1 times | 2 least, numerator, "
      "denominator).");
}

}  // namespace zerosum::bind
