// zerosum.native: hold'em players who follow a script, and matches of many hands at once.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "zerosum/games/holdem/hand.hpp"
#include "zerosum/games/holdem/match.hpp"
#include "zerosum/games/holdem/view.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

static std::optional<Script> script_named(const std::string& name) {
  for (std::size_t k = 0; k < kScriptNames.size(); ++k) {
    if (name == kScriptNames[k]) return static_cast<Script>(k);
  }
  return std::nullopt;
}

static void want_hand(const Match& match, std::int64_t hand) {
  if (hand < 0 || static_cast<std::size_t>(hand) >= match.size()) {
    throw RuleError("hand: got " + std::to_string(hand) + ", wanted 0 to " +
                    std::to_string(match.size() - 1));
  }
}

static Hand hand_of(const std::shared_ptr<Rules>& rules, const Match& match, std::size_t hand) {
  Hand replayed(rules, match.state(hand).card.data(), static_cast<std::size_t>(2 * rules->players + 5));
  for (Chips action : match.actions(hand)) replayed = replayed.with_action(action);
  return replayed;
}

// [hands, players] from a function of a hand that gives a number for each player.
template <typename Get>
static Out<double> by_player(const Match& match, int threads, Get get) {
  const auto players = static_cast<std::size_t>(match.rules().players);
  std::vector<double> values(match.size() * players);
  {
    nb::gil_scoped_release unlocked;
    on_threads(threads, [&](int thread) {
      const auto k = static_cast<std::size_t>(thread), all = static_cast<std::size_t>(threads);
      for (std::size_t h = match.size() * k / all; h < match.size() * (k + 1) / all; ++h) {
        const auto parts = get(h);
        for (std::size_t p = 0; p < players; ++p)
          values[h * players + p] = static_cast<double>(parts[p]) / static_cast<double>(kParts);
      }
    });
  }
  return to_numpy(std::move(values), {match.size(), players});
}

// A match and the rules that Python shares with it.
struct SharedMatch {
  std::shared_ptr<Rules> rules;
  int threads;
  Match match;
};

void bind_holdem_match(nb::module_& m) {
  m.def(
      "script_names", [] { return std::vector<std::string>(kScriptNames.begin(), kScriptNames.end()); },
      "The scripted players.");
  m.def(
      "script_action",
      [](const std::string& name, const View& view, double uniform) {
        const auto script = script_named(name);
        if (!script) throw RuleError("script: got '" + name + "'");
        if (view.hand().actor() != view.seat()) throw RuleError("script: the seat is not to act");
        return script_action(*script, view.hand().rules(), view.hand().state(), uniform);
      },
      "name"_a, "view"_a, "uniform"_a,
      "What a scripted player does: -1 fold, 0 check or call, else raise to.");
  m.def(
      "equity_strength",
      [](const View& view) { return strength(view.hand().rules(), view.hand().state(), view.seat(), true); },
      "view"_a, "How good the script equity finds a hand.");
  m.def(
      "equity_action",
      [](const View& view, double good, double uniform) {
        if (view.hand().actor() != view.seat()) throw RuleError("script: the seat is not to act");
        return equity_action(view.hand().rules(), view.hand().state(), good, uniform);
      },
      "view"_a, "good"_a, "uniform"_a, "What the script equity does with a hand that is so good.");
  nb::class_<SharedMatch>(m, "HoldemMatch",
                          "Many hands between the same players; each deal is played in every seating.")
      .def(
          "__init__",
          [](SharedMatch* self, std::shared_ptr<Rules> rules, const std::vector<std::string>& scripts,
             std::uint64_t seed, std::uint64_t first, std::size_t deals, std::size_t rotations, int threads) {
            want_size("scripts", scripts.size(), static_cast<std::size_t>(rules->players));
            if (deals < 1 || rotations < 1 || rotations > scripts.size() || threads < 1) {
              throw RuleError("match: wanted deals, threads, and one to as many rotations as players");
            }
            Match::Players players;
            for (const auto& name : scripts) {
              players.push_back(script_named(name));
              if (!name.empty() && !players.back()) throw RuleError("script: got '" + name + "'");
            }
            nb::gil_scoped_release unlocked;
            new (self) SharedMatch{rules, threads,
                                   Match(rules, std::move(players), seed, first, deals, rotations, threads)};
          },
          "rules"_a, "scripts"_a, "seed"_a, "first"_a, "deals"_a, "rotations"_a, "threads"_a,
          "An empty script is a player that is asked. Player p sits in seat (p + rotation) % players.")
      .def("__len__", [](const SharedMatch& self) { return self.match.size(); })
      .def(
          "waiting_for",
          [](const SharedMatch& self, int player) {
            const auto found = self.match.waiting_for(player);
            return to_numpy(std::vector<std::int64_t>(found.begin(), found.end()));
          },
          "player"_a, "[W] the hands that wait for a player.")
      .def(
          "luck",
          [](const SharedMatch& self, const In<std::int64_t>& hands) {
            std::vector<double> luck;
            for (std::size_t k = 0; k < hands.size(); ++k) {
              want_hand(self.match, hands.data()[k]);
              luck.push_back(self.match.luck(static_cast<std::size_t>(hands.data()[k])));
            }
            return to_numpy(std::move(luck));
          },
          "hands"_a, "[W] a number from [0, 1) for the next action of each hand.")
      .def(
          "hand",
          [](const SharedMatch& self, std::int64_t hand) {
            want_hand(self.match, hand);
            return hand_of(self.rules, self.match, static_cast<std::size_t>(hand));
          },
          "hand"_a, "One hand with its history.")
      .def(
          "seat",
          [](const SharedMatch& self, std::int64_t hand, int player) {
            want_hand(self.match, hand);
            return self.match.seat_of(static_cast<std::size_t>(hand), player);
          },
          "hand"_a, "player"_a, "Where a player sits.")
      .def(
          "answer",
          [](SharedMatch& self, const In<std::int64_t>& hands, const In<std::int64_t>& actions) {
            want_size("actions", actions.size(), hands.size());
            for (std::size_t k = 0; k < hands.size(); ++k) {
              want_hand(self.match, hands.data()[k]);
              const auto hand = static_cast<std::size_t>(hands.data()[k]);
              if (!self.match.answer(hand, actions.data()[k])) {
                throw RuleError("hand " + std::to_string(hand) + ": action " +
                                std::to_string(actions.data()[k]) + " is not legal there");
              }
            }
            nb::gil_scoped_release unlocked;
            self.match.advance();
          },
          "hands"_a, "actions"_a, "What the asked player does in each; the scripts go on from there.")
      .def_prop_ro(
          "won",
          [](const SharedMatch& self) {
            return by_player(self.match, self.threads, [&](std::size_t h) { return self.match.won(h); });
          },
          nb::rv_policy::move, "[hands, players] chips, every hand being over.")
      .def(
          "expected",
          [](const SharedMatch& self, int samples) {
            if (samples < 1) throw RuleError("expected: wanted at least one board");
            return by_player(self.match, self.threads,
                             [&](std::size_t h) { return self.match.expected(h, samples); });
          },
          "samples"_a, "The same averaged over the boards that could still have come when the betting ended.")
      .def(
          "luck_of",
          [](const SharedMatch& self, int player, int samples) {
            if (samples < 1 || player < 0 || player > 1 || self.rules->players != 2)
              throw RuleError("luck: wanted heads-up, player 0 or 1, and boards");
            std::vector<double> values(self.match.size() * Match::kLucks);
            {
              nb::gil_scoped_release unlocked;
              on_threads(self.threads, [&](int thread) {
                const auto k = static_cast<std::size_t>(thread), all = static_cast<std::size_t>(self.threads);
                for (std::size_t h = self.match.size() * k / all; h < self.match.size() * (k + 1) / all;
                     ++h) {
                  const auto luck = self.match.luck_of(h, player, samples);
                  std::copy(luck.begin(), luck.end(),
                            values.begin() + static_cast<std::ptrdiff_t>(h * luck.size()));
                }
              });
            }
            return to_numpy(std::move(values), {self.match.size(), Match::kLucks});
          },
          "player"_a, "samples"_a,
          "Heads-up: [hands, 7] how lucky a player was, measured in ways that are nothing on average.")
      .def_prop_ro(
          "showdowns",
          [](const SharedMatch& self) {
            std::vector<std::uint8_t> shown(self.match.size());
            for (std::size_t h = 0; h < shown.size(); ++h) shown[h] = self.match.went_to_showdown(h);
            return to_numpy(std::move(shown));
          },
          nb::rv_policy::move, "[hands] 1 where hands were compared.")
      .def_prop_ro(
          "counts",
          [](const SharedMatch& self) {
            const auto players = static_cast<std::size_t>(self.rules->players);
            std::vector<std::int64_t> sums(players * kMostStreets * 3);
            for (std::size_t h = 0; h < self.match.size(); ++h) {
              for (std::size_t p = 0; p < players; ++p) {
                for (std::size_t street = 0; street < kMostStreets; ++street) {
                  for (std::size_t kind = 0; kind < 3; ++kind)
                    sums[(p * kMostStreets + street) * 3 + kind] += self.match.counts(h, p)[street][kind];
                }
              }
            }
            return to_numpy(std::move(sums), {players, std::size_t{kMostStreets}, std::size_t{3}});
          },
          nb::rv_policy::move, "[players, streets, 3] folds, calls, raises.");
}

}  // namespace zerosum::bind
