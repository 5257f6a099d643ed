// Hold'em for two to six as sampled walks see it: every state remembers the actions that led to it. What a
// walk finds is the same on average as without what follows, but surer. It ends where the traverser folds,
// since what is lost is known then. Where all betting is over, the board is dealt several times. And the luck
// of flop, turn and river, how much they changed the traverser's part of the pot if all showed down, is taken
// out of what it wins (as AIVAT does in matches, Burch et al. 2018).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/payoffs.hpp"
#include "zerosum/games/holdem/sixmax.hpp"
#include "zerosum/games/holdem/sixmax_equity.hpp"
#include "zerosum/random.hpp"

namespace zerosum::holdem {

struct SixMaxGame {
  static constexpr int kWidest = 8;     // actions of a menu: states are copied by the million
  static constexpr int kRunOuts = 12;   // boards for a hand that is all in
  static constexpr int kLuckRuns = 24;  // to tell how lucky a street was
  struct State {
    holdem::State table;
    History history;
    std::array<std::uint8_t, kWidest> offered{};
    std::uint8_t count = 0;
    std::uint8_t known = 5;  // cards of the board that lay when the betting ended
    float luck = 0.0f;       // of the traverser with the cards so far, in big blinds
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
    if (!s.table.is_in(player))
      return -static_cast<double>(s.table.put(rules, player) * kParts) / unit - s.luck;
    const int board = kBoardCards[rules.streets - 1];
    if (s.known >= board || s.table.one_left()) return won(s.table, player) - s.luck;
    holdem::State shown = s.table;
    double sum = 0.0;
    for_run_outs(s.table, s.known, kRunOuts, [&](const std::uint8_t* drawn) {
      std::copy_n(drawn, board - s.known, shown.card.begin() + 2 * players + s.known);
      sum += won(shown, player);
    });
    return sum / kRunOuts - s.luck;
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

  // Calls f with the rest of the board, drawn so many times, the first `known` cards of it lying already.
  template <typename F>
  void for_run_outs(const holdem::State& s, int known, int runs, F f) const {
    const int missing = kBoardCards[rules.streets - 1] - known;
    std::array<bool, cards::kCards> gone{};
    std::uint64_t key = static_cast<std::uint64_t>(known);
    for (int k = 0; k < 2 * players + known; ++k) gone[s.card[k]] = true;
    for (const std::uint8_t card : s.card) key = mix64(key + card);
    std::array<std::uint8_t, cards::kCards> left;
    int count = 0;
    for (std::uint8_t card = 0; card < cards::kCards; ++card) {
      if (!gone[card]) left[count++] = card;
    }
    CounterRng rng(key, 0, 0);
    for (int run = 0; run < runs; ++run) {
      for (int c = 0; c < missing; ++c) {
        const auto many = static_cast<std::uint64_t>(count - c);
        std::swap(left[c], left[static_cast<std::uint64_t>(c) + (((rng.bits() >> 32) * many) >> 32)]);
      }
      f(left.data());
    }
  }

  // The traverser's share of the pot if all who are in showed down, `known` cards of the board lying: drawn.
  double share(const holdem::State& s, int known) const {
    const auto hole = [&](int i) {
      return cards::card_set(s.card[2 * i]) + cards::card_set(s.card[2 * i + 1]);
    };
    std::array<std::uint64_t, kSixSeats> holes{};
    int others = 0;
    for (int i = 0; i < players; ++i) {
      if (i != traverser && s.is_in(i)) holes[others++] = hole(i);
    }
    std::uint64_t lying = 0;
    for (int k = 0; k < known; ++k) lying += cards::card_set(s.card[2 * players + k]);
    const int missing = 5 - known, runs = missing == 0 ? 1 : kLuckRuns;
    double sum = 0.0;
    for_run_outs(s, known, runs, [&](const std::uint8_t* drawn) {
      std::uint64_t board = lying;
      for (int c = 0; c < missing; ++c) board += cards::card_set(drawn[c]);
      std::array<std::uint16_t, kSixSeats> values{};
      for (int k = 0; k < others; ++k) values[k] = cards::evaluate<7>(board + holes[k]);
      sum += detail::share_won(cards::evaluate<7>(board + hole(traverser)), values, others);
    });
    return sum / runs;
  }

  // Deals what is due, counts its luck where betting goes on, and lists what may be done then.
  void settle(State& s) const {
    const int before = s.table.board_count(rules);
    const bool counts = s.table.actor == kDeal && s.table.dealt >= 2 * players && !s.table.run_out &&
                        rules.streets == kMostStreets && s.table.is_in(traverser);
    while (s.table.actor == kDeal) deal(rules, s.table, s.table.card[s.table.dealt]);
    if (counts) {
      const double gained = share(s.table, s.table.board_count(rules)) - share(s.table, before);
      s.luck += static_cast<float>(gained * static_cast<double>(s.table.pot) / big_blind(rules));
    }
    s.count = 0;
    if (actor(s) < 0) return;
    std::array<Chips, kMostActions> amounts;
    std::array<std::uint8_t, kMostActions + 1> offered;
    s.count = list_menu(rules, s.table, limits(rules, s.table), amounts.data(), offered.data());
    std::copy_n(offered.begin(), s.count, s.offered.begin());
  }
};

}  // namespace zerosum::holdem
