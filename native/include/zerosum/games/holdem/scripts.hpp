// Players who follow a simple script: opponents to try things against, and yardsticks. A script looks at its
// own cards, the board and the chips, and gives the engine's action.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/evaluate.hpp"
#include "zerosum/cards/versus_random.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

enum class Script : std::uint8_t {
  kRandom,           // any number of the menu alike
  kCall,             // always
  kFold,             // checks where that is free
  kAllIn,            // whenever it may
  kPot,              // bets the pot whenever it may
  kTightAggressive,  // few hands, and bets them
  kLoosePassive,     // many hands, and calls with them
  kEquity,           // bets by the chance to win against a random hand
};
inline constexpr std::array<const char*, 8> kScriptNames = {
    "random", "call", "fold", "all-in", "pot", "tight-aggressive", "loose-passive", "equity"};

namespace detail {

template <int kCount>
double share_beaten(std::uint64_t hero, std::uint64_t board) {
  const std::uint16_t mine = cards::evaluate<kCount>(hero + board);
  const std::uint64_t dead = hero + board;
  std::array<std::uint64_t, cards::kCards> left;
  int count = 0;
  for (int card = 0; card < cards::kCards; ++card) {
    if ((dead & cards::card_set(card) & cards::kRankBits) == 0) left[count++] = cards::card_set(card);
  }
  int points = 0;
  for (int a = 1; a < count; ++a) {
    for (int b = 0; b < a; ++b) {
      const std::uint16_t theirs = cards::evaluate<kCount>(board + left[a] + left[b]);
      points += (mine > theirs) + (mine >= theirs);
    }
  }
  return points / static_cast<double>(count * (count - 1));
}

}  // namespace detail

// How good a hand is, 0 to 1. Before the flop an estimate from its ranks; later the chance to win against a
// random hand, exactly, or as if no more cards came.
inline double strength(const Rules& rules, const State& s, int seat, bool with_cards_to_come) {
  const std::uint8_t first = s.card[2 * seat], second = s.card[2 * seat + 1];
  const int cards = s.board_count(rules);
  if (cards == 0) {
    const int high = std::max(cards::rank_of(first), cards::rank_of(second)),
              low = std::min(cards::rank_of(first), cards::rank_of(second));
    if (high == low) return 0.5 + 0.35 * (high + 1) / 13;
    return 0.32 + 0.22 * high / 12 + 0.11 * low / 12 +
           0.03 * (cards::suit_of(first) == cards::suit_of(second)) + 0.02 * (high - low <= 2);
  }
  const std::uint64_t hero = cards::card_set(first) + cards::card_set(second);
  std::uint64_t board = 0;
  for (int k = 0; k < cards; ++k) board += cards::card_set(s.board(rules, k));
  if (cards == 5 || with_cards_to_come) {
    const cards::Versus found = cards::VersusRandom(hero, board, cards).run();
    return (static_cast<double>(found.wins) + static_cast<double>(found.ties) / 2) /
           static_cast<double>(found.total);
  }
  return cards == 3 ? detail::share_beaten<5>(hero, board) : detail::share_beaten<6>(hero, board);
}

// Raises by a share of the pot after calling, as far as the rules allow; calls where they allow none.
inline Chips raise_pots(const State& s, const Limits& may, double pots) {
  if (!may.raise) return kCall;
  const double wanted = pots * static_cast<double>(s.pot + may.call);
  return std::min(may.high, std::max(may.low, s.highest + static_cast<Chips>(wanted)));
}

// What a call costs as a share of the pot after it.
inline double call_price(const State& s, const Limits& may) {
  return static_cast<double>(may.call) / static_cast<double>(std::max<Chips>(1, s.pot + may.call));
}

// Script::kEquity with a hand that is so good.
inline Chips equity_action(const Rules& rules, const State& s, double good, double uniform) {
  const Limits may = limits(rules, s);
  if (good > 0.6 && s.raises < 3 && uniform < good) return raise_pots(s, may, 2 * good - 0.7);
  return good > call_price(s, may) || !may.fold ? kCall : kFold;
}

// What a script does for the actor, with a number from [0, 1) where luck is needed.
inline Chips script_action(Script script, const Rules& rules, const State& s, double uniform) {
  const Limits may = limits(rules, s);
  const Chips fold = may.fold ? kFold : kCall;
  const double price = call_price(s, may);
  switch (script) {
    case Script::kRandom: {
      std::array<Chips, kMostActions> actions;
      std::array<std::uint8_t, kMostActions> offered;
      const int count = list_menu(rules, s, may, actions.data(), offered.data());
      return actions[offered[std::min(count - 1, static_cast<int>(uniform * count))]];
    }
    case Script::kCall:
      return kCall;
    case Script::kFold:
      return fold;
    case Script::kAllIn:
      return may.raise ? may.high : kCall;
    case Script::kPot:
      return raise_pots(s, may, 1.0);
    case Script::kTightAggressive: {
      const int others = __builtin_popcount(s.in) - 2;
      const double good = strength(rules, s, s.actor, false) - 0.03 * others;
      if (good > 0.65 && s.raises < 3) return raise_pots(s, may, 0.5 + 0.5 * uniform);
      return good > 0.52 && good > price + 0.05 ? kCall : fold;
    }
    case Script::kLoosePassive: {
      const double good = strength(rules, s, s.actor, false);
      if (good > 0.9 && uniform < 0.3) return raise_pots(s, may, 0.5);
      return good > price - 0.05 || good > 0.45 ? kCall : fold;
    }
    case Script::kEquity:
      return equity_action(rules, s, strength(rules, s, s.actor, true), uniform);
  }
  return fold;
}

}  // namespace zerosum::holdem
