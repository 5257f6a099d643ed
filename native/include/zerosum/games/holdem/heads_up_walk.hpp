// Heads-up hold'em as sampled walks see it when networks read its cards: each walk is one deal, whose cards
// are shown to a network once for each seat and street. Where nobody can bet any more, the hand is worth its
// equity: over all boards from the flop on, over a sample of them before it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "zerosum/cards/canonical_suits.hpp"
#include "zerosum/cards/evaluate.hpp"
#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/heads_up.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/payoffs.hpp"
#include "zerosum/games/holdem/state.hpp"
#include "zerosum/random.hpp"

namespace zerosum::holdem {

// Two hands and the board that comes.
struct HeadsUpDeal {
  static constexpr int kRunOuts = 200;  // boards drawn before the flop
  std::array<std::uint8_t, 9> card{};
  std::uint64_t key = 0;
  std::array<double, 3> equity{-1.0, -1.0,
                               -1.0};  // seat 0's with no board, a flop, a turn; -1: not known yet

  // `street` 0 to 2.
  double share(int street) {
    const auto at = static_cast<std::size_t>(street);
    if (equity[at] < 0.0) equity[at] = street == 0 ? drawn() : counted(kBoardCards[at]);
    return equity[at];
  }

  // Where a network finds them: the hole cards of a seat and the board of a street, suits renamed.
  void show(int seat, int street, std::int64_t* seven) const {
    for (int k = 0; k < 2; ++k) seven[k] = card[static_cast<std::size_t>(2 * seat + k)];
    for (int k = 0; k < 5; ++k)
      seven[2 + k] = k < kBoardCards[static_cast<std::size_t>(street)] ? card[static_cast<std::size_t>(4 + k)]
                                                                       : std::int64_t{kNoCard};
    cards::canonical_suits(seven);
  }

 private:
  std::uint64_t hand(std::size_t seat) const {
    return cards::card_set(card[2 * seat]) + cards::card_set(card[2 * seat + 1]);
  }
  static double score(std::uint64_t mine, std::uint64_t theirs, std::uint64_t board) {
    const auto a = cards::evaluate<7>(mine + board), b = cards::evaluate<7>(theirs + board);
    return a > b ? 1.0 : a == b ? 0.5 : 0.0;
  }
  // Over all boards that begin with `shown` cards: one or two are to come.
  double counted(int shown) const {
    std::uint64_t board = 0;
    std::array<bool, cards::kCards> gone{};
    for (int k = 0; k < 4 + shown; ++k) {
      const auto one = card[static_cast<std::size_t>(k)];
      gone[one] = true;
      if (k >= 4) board += cards::card_set(one);
    }
    double sum = 0.0;
    int boards = 0;
    for (int a = 0; a < cards::kCards; ++a) {
      if (gone[static_cast<std::size_t>(a)]) continue;
      if (shown == 4) {
        sum += score(hand(0), hand(1), board + cards::card_set(a));
        ++boards;
        continue;
      }
      for (int b = 0; b < a; ++b) {
        if (gone[static_cast<std::size_t>(b)]) continue;
        sum += score(hand(0), hand(1), board + cards::card_set(a) + cards::card_set(b));
        ++boards;
      }
    }
    return sum / boards;
  }
  // Over boards drawn from the deal's own luck.
  double drawn() const {
    std::array<std::uint8_t, cards::kCards> left{};
    std::size_t count = 0;
    for (std::uint8_t c = 0; c < cards::kCards; ++c) {
      if (std::find(card.begin(), card.begin() + 4, c) == card.begin() + 4) left[count++] = c;
    }
    CounterRng rng(key, 1, 0);
    double sum = 0.0;
    for (int n = 0; n < kRunOuts; ++n) {
      std::uint64_t board = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        const std::size_t other = k + static_cast<std::size_t>(((rng.bits() >> 32) * (count - k)) >> 32);
        std::swap(left[k], left[other]);
        board += cards::card_set(left[k]);
      }
      sum += score(hand(0), hand(1), board);
    }
    return sum / kRunOuts;
  }
};

struct HeadsUpWalkGame {
  static constexpr int kWidest = 8;
  struct State {
    holdem::State table;
    BettingHistory history;
    std::array<std::uint8_t, kWidest> offered{};
    std::uint8_t count = 0;
    std::int8_t all_in = -1;  // the street on which betting ended for good, before the river
    std::int32_t deal = 0;
  };
  static constexpr int kChance = kDeal;
  static constexpr int kTerminal = kOver;

  explicit HeadsUpWalkGame(const Rules& given) : rules(given) {}

  const Rules& rules;
  int players = 2;
  int actions = rules.menu.actions();
  double unit = static_cast<double>(*std::max_element(rules.blinds.begin(), rules.blinds.end()));
  mutable std::vector<HeadsUpDeal> deals;

  State root(std::uint64_t key) const {
    State first;
    first.table = start(rules);
    first.deal = static_cast<std::int32_t>(deals.size());
    HeadsUpDeal& deal = deals.emplace_back();
    deal.key = key;
    cards::shuffle(CounterRng(key, 0, 0), deal.card.data(), 9);
    std::copy(deal.card.begin(), deal.card.end(), first.table.card.begin());
    settle(first);
    return first;
  }
  int actor(const State& s) const { return s.table.actor; }
  int children(const State& s) const { return s.count; }
  int column(const State& s, int k) const { return s.offered[static_cast<std::size_t>(k)]; }
  State child(const State& s, int k) const {
    State next = s;
    const Chips action =
        menu_action(rules, s.table, limits(rules, s.table), s.offered[static_cast<std::size_t>(k)]);
    next.history.add(s.table, action);
    act(rules, next.table, action);
    settle(next);
    return next;
  }
  // In big blinds.
  double payoff(const State& s, int player) const {
    if (s.all_in < 0) {
      const auto won = payoffs(rules, s.table, OddChips::kExact);
      return static_cast<double>(won[static_cast<std::size_t>(player)]) / (unit * kParts);
    }
    const double first = deals[static_cast<std::size_t>(s.deal)].share(s.all_in);
    const double share = player == 0 ? first : 1.0 - first;
    return (share * static_cast<double>(s.table.pot) - static_cast<double>(s.table.put(rules, player))) /
           unit;
  }
  int sample(const State&, double, std::uint64_t&) const { return 0; }
  double chance(const State&, int) const { return 1.0; }
  bool has_baseline() const { return false; }
  double baseline(const State&, int, int) const { return 0.0; }

  // Where the cards that the actor sees are among those shown: by deal, seat and street.
  std::int32_t card_row(const State& s) const {
    return (s.deal * 2 + s.table.actor) * kMostStreets + s.table.street;
  }

 private:
  void settle(State& s) const {
    if (s.table.actor == kDeal && s.table.run_out && rules.streets == kMostStreets)
      s.all_in = static_cast<std::int8_t>(s.table.street - 1);
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
