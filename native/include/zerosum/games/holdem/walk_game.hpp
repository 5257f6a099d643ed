// Hold'em as sampled walks see it: the deck of a walk lies in order, so chance has no states of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/features.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/payoffs.hpp"
#include "zerosum/games/holdem/state.hpp"
#include "zerosum/random.hpp"

namespace zerosum::holdem {

struct WalkGame {
  static constexpr int kWidest = 8;  // actions of a menu: states are copied by the million
  struct State {
    holdem::State table;
    std::array<std::uint8_t, kMostStreets> raises{};
    std::array<std::uint8_t, kWidest> offered{};
    std::uint8_t count = 0;
  };
  static constexpr int kChance = kDeal;
  static constexpr int kTerminal = kOver;

  const Rules& rules;
  bool baselines;  // whether answers bring them
  int players = rules.players;
  int actions = rules.menu.actions();
  double unit = static_cast<double>(*std::max_element(rules.blinds.begin(), rules.blinds.end())) * kParts;

  State root(std::uint64_t key) const {
    State first;
    first.table = start(rules);
    cards::shuffle(CounterRng(key, 0, 0), first.table.card.data(), 2 * players + 5);
    settle(first);
    return first;
  }
  int actor(const State& s) const { return s.table.actor; }
  int children(const State& s) const { return s.count; }
  int column(const State& s, int k) const { return s.offered[k]; }
  State child(const State& s, int k) const {
    State next = s;
    const Chips action = menu_action(rules, s.table, limits(rules, s.table), s.offered[k]);
    if (action > 0 && next.raises[s.table.street] < 255) ++next.raises[s.table.street];
    act(rules, next.table, action);
    settle(next);
    return next;
  }
  // In big blinds.
  double payoff(const State& s, int player) const {
    return static_cast<double>(payoffs(rules, s.table, OddChips::kExact)[player]) / unit;
  }
  int sample(const State&, double, std::uint64_t&) const { return 0; }
  double chance(const State&, int) const { return 1.0; }
  bool has_baseline() const { return false; }
  double baseline(const State&, int, int) const { return 0.0; }
  void write(const State& s, int seat, bool everyone, float* row) const {
    write_features(rules, s.table, seat, s.raises, everyone, row);
  }

 private:
  // Deals what is due, and lists what may be done then.
  void settle(State& s) const {
    while (s.table.actor == kDeal) deal(rules, s.table, s.table.card[s.table.dealt]);
    s.count = 0;
    if (s.table.actor < 0) return;
    std::array<Chips, kMostActions> amounts;
    std::array<std::uint8_t, kMostActions + 1> offered;
    s.count = list_menu(rules, s.table, limits(rules, s.table), amounts.data(), offered.data());
    std::copy_n(offered.begin(), s.count, s.offered.begin());
  }
};

}  // namespace zerosum::holdem
