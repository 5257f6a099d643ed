// Hold'em for two to six as sampled walks see it: every state remembers the actions that led to it. Two
// things make a walk cheaper without changing what it finds on average: it ends where the traverser folds,
// since what is lost is known then; and where all betting is over, the board is dealt several times.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/payoffs.hpp"
#include "zerosum/games/holdem/sixmax.hpp"
#include "zerosum/random.hpp"

namespace zerosum::holdem {

struct SixMaxGame {
  static constexpr int kWidest = 8;    // actions of a menu: states are copied by the million
  static constexpr int kRunOuts = 12;  // boards for a hand that is all in
  struct State {
    holdem::State table;
    History history;
    std::array<std::uint8_t, kWidest> offered{};
    std::uint8_t count = 0;
    std::uint8_t known = 5;  // cards of the board that lay when the betting ended
  };
  static constexpr int kChance = kDeal;
  static constexpr int kTerminal = kOver;

  const Rules& rules;
  int traverser;
  int players = rules.players;
  int actions = rules.menu.actions();
  double unit = big_blind(rules) * kParts;

  State root(std::uint64_t key) const {
    State first;
    first.table = start(rules);
    cards::shuffle(CounterRng(key, 0, 0), first.table.card.data(), 2 * players + 5);
    settle(first);
    return first;
  }
  int actor(const State& s) const { return s.table.is_in(traverser) ? s.table.actor : kTerminal; }
  int children(const State& s) const { return s.count; }
  int column(const State& s, int k) const { return s.offered[k]; }
  State child(const State& s, int k) const {
    State next = s;
    const Chips action = menu_action(rules, s.table, limits(rules, s.table), s.offered[k]);
    add_action(rules, s.table, action, next.history);
    act(rules, next.table, action);
    if (next.table.run_out) next.known = static_cast<std::uint8_t>(kBoardCards[s.table.street]);
    settle(next);
    return next;
  }
  // Leaves out actions that `strategy`, a row over the menu, never takes, but for those that luck takes up
  // with their chance in `explore`: what they would be worth has no part in what the state is worth.
  void prune(State& s, const double* strategy, const double* explore, std::uint64_t luck) const {
    const int count = s.count;
    s.count = 0;
    for (int k = 0; k < count; ++k) {
      const std::uint8_t action = s.offered[k];
      const bool tried = strategy[action] > 0.0 ||
                         zerosum::unit(mix64(luck ^ (0xa5a5 + std::uint64_t{action}))) < explore[action];
      if (tried) s.offered[s.count++] = action;
    }
  }
  // In big blinds.
  double payoff(const State& s, int player) const {
    if (!s.table.is_in(player)) return -static_cast<double>(s.table.put(rules, player) * kParts) / unit;
    const int board = kBoardCards[rules.streets - 1];
    if (s.known >= board || s.table.one_left()) return won(s.table, player);
    holdem::State shown = s.table;
    std::array<std::uint8_t, cards::kCards> left;
    const int count = cards_left(s, left);
    std::uint64_t key = 0;
    for (const std::uint8_t card : s.table.card) key = mix64(key + card);
    CounterRng rng(key, s.known, 0);
    double sum = 0.0;
    for (int run = 0; run < kRunOuts; ++run) {
      for (int c = 0; c < board - s.known; ++c) {
        const auto many = static_cast<std::uint64_t>(count - c);
        std::swap(left[c], left[static_cast<std::uint64_t>(c) + (((rng.bits() >> 32) * many) >> 32)]);
        shown.card[2 * players + s.known + c] = left[c];
      }
      sum += won(shown, player);
    }
    return sum / kRunOuts;
  }
  int sample(const State&, double, std::uint64_t&) const { return 0; }
  double chance(const State&, int) const { return 1.0; }
  bool has_baseline() const { return false; }
  double baseline(const State&, int, int) const { return 0.0; }
  // What the actor sees, suits named by how much they matter.
  SixMaxRow row(const State& s) const {
    SixMaxRow seen = see(rules, s.table, s.table.actor, s.history);
    name_suits(seen);
    return seen;
  }

 private:
  double won(const holdem::State& s, int player) const {
    return static_cast<double>(payoffs(rules, s, OddChips::kExact)[player]) / unit;
  }

  int cards_left(const State& s, std::array<std::uint8_t, cards::kCards>& left) const {
    std::array<bool, cards::kCards> gone{};
    for (int k = 0; k < 2 * players + s.known; ++k) gone[s.table.card[k]] = true;
    int count = 0;
    for (std::uint8_t card = 0; card < cards::kCards; ++card) {
      if (!gone[card]) left[count++] = card;
    }
    return count;
  }

  // Deals what is due, and lists what may be done then.
  void settle(State& s) const {
    while (s.table.actor == kDeal) deal(rules, s.table, s.table.card[s.table.dealt]);
    s.count = 0;
    if (actor(s) < 0) return;
    std::array<Chips, kMostActions> amounts;
    std::array<std::uint8_t, kMostActions + 1> offered;
    s.count = list_menu(rules, s.table, limits(rules, s.table), amounts.data(), offered.data());
    std::copy_n(offered.begin(), s.count, s.offered.begin());
  }
};

}  // namespace zerosum::holdem
