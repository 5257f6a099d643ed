// Who gets what: pots by how much each seat has put in, and the best hand for each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/evaluate.hpp"
#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

// Winnings are counted in this many parts of a chip, so that any pot divides among up to ten.
inline constexpr Chips kParts = 2520;

struct Pot {
  Chips amount = 0;
  std::uint16_t seats = 0;  // who may win it
};

struct Pots {
  std::array<Pot, kMostSeats + 1> pot;
  int count = 0;
};

// The main pot first. What is bet on this street is in no pot yet, but lets its owner win.
inline Pots pots(const Rules& rules, const State& s) {
  std::array<Chips, kMostSeats> collected{}, pending{};
  Chips amount = 0;
  for (int i = 0; i < rules.players; ++i) {
    const Chips ante = rules.trim_antes ? 0 : std::min(rules.antes[i], rules.stacks[i]);
    collected[i] = s.put(rules, i) - s.bet[i] - ante;
    pending[i] = s.put(rules, i) - ante;
    amount += ante;  // antes that are not trimmed lie in the middle, whoever they came from
  }
  std::array<Chips, kMostSeats> levels = collected;
  std::sort(levels.begin(), levels.begin() + rules.players);
  Pots found;
  Chips before = 0;
  for (int k = 0; k < rules.players; ++k) {
    const Chips level = levels[k];
    if (k > 0 && level == levels[k - 1]) continue;
    std::uint16_t seats = 0;
    for (int i = 0; i < rules.players; ++i) {
      if (collected[i] >= level) amount += level - before;
      if (pending[i] >= level && s.is_in(i)) seats |= static_cast<std::uint16_t>(1 << i);
    }
    if (seats == 0 && found.count > 0) {  // only who has folded put in so much, by an ante of their own
      found.pot[found.count - 1].amount += amount;
      amount = 0;
    }
    while (found.count > 0 && found.pot[found.count - 1].seats == seats)
      amount += found.pot[--found.count].amount;
    if (amount > 0) found.pot[found.count++] = {amount, seats};
    amount = 0;
    before = level;
  }
  return found;
}

// The value of two hole cards and a board of so many cards.
inline std::uint16_t value_on(int board_cards, std::uint64_t set) {
  return board_cards == 3   ? cards::evaluate<5>(set)
         : board_cards == 4 ? cards::evaluate<6>(set)
                            : cards::evaluate<7>(set);
}

inline std::uint16_t hand_value(const Rules& rules, const State& s, int seat) {
  const int cards = kBoardCards[rules.streets - 1];
  std::uint64_t set = cards::card_set(s.card[2 * seat]) + cards::card_set(s.card[2 * seat + 1]);
  for (int k = 0; k < cards; ++k) set += cards::card_set(s.card[2 * rules.players + k]);
  return value_on(cards, set);
}

// Whether everyone left has put in the same, and nobody more: the usual case, and the quick one.
inline bool is_one_pot(const Rules& rules, const State& s) {
  const Chips level = s.put(rules, __builtin_ctz(s.in));
  bool one = rules.trim_antes;
  for (int i = 0; i < rules.players; ++i) {
    const Chips put = s.put(rules, i);
    one &= (put <= level) & (!s.is_in(i) | (put >= level));
  }
  return one;
}

using HandValues = std::array<std::uint16_t, kMostSeats>;

// The seats with the best hand for a pot.
inline std::uint16_t winners_of(const Pot& pot, const HandValues& value) {
  std::uint16_t best = 0, seats = 0;
  for (int i = 0; i < kMostSeats; ++i) {
    if ((pot.seats >> i & 1) == 0 || value[i] < best) continue;
    seats = static_cast<std::uint16_t>((value[i] == best ? seats : 0) | 1 << i);
    best = value[i];
  }
  return seats;
}

// Hands that win nothing are gone before the pots are counted, as in PokerKit: pots that then belong to the
// same seats are one.
inline void join_pots(Pots& all, const HandValues& value) {
  std::uint16_t winning = 0;
  for (int k = 0; k < all.count; ++k) winning |= winners_of(all.pot[k], value);
  Pots joined;
  for (int k = 0; k < all.count; ++k) {
    const auto seats = static_cast<std::uint16_t>(all.pot[k].seats & winning);
    if (joined.count > 0 && joined.pot[joined.count - 1].seats == seats) {
      joined.pot[joined.count - 1].amount += all.pot[k].amount;
    } else {
      joined.pot[joined.count++] = {all.pot[k].amount, seats};
    }
  }
  all = joined;
}

// What each seat has won or lost in 1/kParts of a chip, the hand being over.
inline std::array<Chips, kMostSeats> payoffs(const Rules& rules, const State& s, OddChips odd) {
  std::array<Chips, kMostSeats> won{};
  for (int i = 0; i < rules.players; ++i) won[i] = -kParts * s.put(rules, i);
  if (s.one_left()) {
    won[__builtin_ctz(s.in)] += kParts * s.pot;
    return won;
  }
  HandValues value{};
  for (int i = 0; i < rules.players; ++i) {
    if (s.is_in(i)) value[i] = hand_value(rules, s, i);
  }
  Pots all;
  if (is_one_pot(rules, s)) {
    all.pot[all.count++] = {s.pot, s.in};
  } else {
    all = pots(rules, s);
  }
  if (odd == OddChips::kFirst) join_pots(all, value);
  for (int k = 0; k < all.count; ++k) {
    const auto [amount, seats] = Pot{all.pot[k].amount, winners_of(all.pot[k], value)};
    const Chips winners = __builtin_popcount(seats);
    Chips rest = odd == OddChips::kExact ? 0 : amount % winners;
    const Chips share = odd == OddChips::kExact ? kParts * amount / winners : kParts * (amount / winners);
    for (int i = 0; i < rules.players; ++i) {
      if ((seats >> i & 1) == 0) continue;
      const Chips more = odd == OddChips::kFirst ? rest : std::min<Chips>(rest, 1);
      won[i] += share + kParts * more;
      rest -= more;
    }
  }
  return won;
}

}  // namespace zerosum::holdem
