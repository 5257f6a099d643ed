// A hand of hold'em for two to ten seats: a small value that rules move forward. What may be raised follows
// the rules of the Tournament Directors Association as PokerKit (Kim 2023) reads them:
//  - a raise is at least as large as the largest bet or raise of the street, and as the smallest bet;
//  - an all-in for less does not reopen the betting to who has acted, unless several add up to a full raise;
//  - nobody raises whom nobody could call: the excess of the last bet over all others is given back.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/games/holdem/rules.hpp"

namespace zerosum::holdem {

inline constexpr int kDeal = -1, kOver = -2;   // instead of a seat
inline constexpr Chips kFold = -1, kCall = 0;  // above: bet or raise to so many chips on this street
inline constexpr std::uint8_t kNoCard = 52;
inline constexpr int kMostCards = 2 * kMostSeats + 5;

// What the seat to act may do.
struct Limits {
  bool fold = false, raise = false;
  Chips call = 0, low = 0, high = 0;  // low and high: raise to
};

struct State {
  std::array<Chips, kMostSeats> stack{}, bet{};  // behind; on this street
  Chips pot = 0, highest = 0;                    // all that was put in; the highest bet
  Chips last_raise = 0;                          // the largest of this street
  Chips short_raises = 0;                        // what all-ins for less have added up to since then
  std::uint16_t in = 0, able = 0;                // seats: not folded; with chips behind
  std::uint16_t waiting = 0, acted = 0;          // seats: still to act; acted since a full raise
  std::int8_t actor = kDeal;
  std::uint8_t street = 0, raises = 0, dealt = 0;
  bool run_out = false;  // nobody can bet any more
  // Two for each seat in turn, then the board; those beyond `dealt` nobody has seen.
  std::array<std::uint8_t, kMostCards> card{};

  bool is_in(int seat) const { return in >> seat & 1; }
  bool one_left() const { return (in & (in - 1)) == 0; }
  bool street_is_over() const { return (waiting == 0) | one_left(); }
  // Over the whole hand.
  Chips put(const Rules& rules, int seat) const { return rules.stacks[seat] - stack[seat]; }
  int board_count(const Rules& rules) const { return std::max(0, int{dealt} - 2 * rules.players); }
  std::uint8_t board(const Rules& rules, int k) const {
    return k < board_count(rules) ? card[2 * rules.players + k] : kNoCard;
  }
};

namespace detail {

inline void pay(State& s, int seat, Chips amount) {
  const Chips behind = s.stack[seat] - amount, bet = s.bet[seat] + amount;
  s.able |= static_cast<std::uint16_t>(1 << seat);
  if (behind == 0) s.able ^= static_cast<std::uint16_t>(1 << seat);
  s.highest = std::max(s.highest, bet);
  s.pot += amount;
  s.stack[seat] = behind;
  s.bet[seat] = bet;
}

// What a bet exceeds every other by goes back.
inline void return_uncalled(const Rules& rules, State& s) {
  int top = 0;  // the seats with the highest bet
  for (int i = 0; i < rules.players; ++i) top |= (s.bet[i] == s.highest) << i;
  if ((top & (top - 1)) != 0) return;
  Chips second = 0;
  for (int i = 0; i < rules.players; ++i) second = std::max(second, s.bet[i] == s.highest ? 0 : s.bet[i]);
  pay(s, __builtin_ctz(static_cast<unsigned>(top)), second - s.highest);
}

// The first seat of `seats` from `from` on, around the table.
inline int next_seat(std::uint32_t seats, int from) {
  return __builtin_ctz((seats >> from << from) | seats << 16) & 15;
}

inline void end_street(const Rules& rules, State& s) {
  return_uncalled(rules, s);
  s.bet.fill(0);
  s.highest = 0;
  s.waiting = 0;
  if (s.one_left() || s.street + 1 == rules.streets) {
    s.actor = kOver;
    return;
  }
  const auto able = s.in & s.able;
  s.run_out = (able & (able - 1)) == 0;
  ++s.street;
  s.actor = kDeal;
}

// Who acts first before the flop comes after the highest blind.
inline int opener(const Rules& rules, const State& s) {
  if (rules.order == Order::kBotzone) return 0;
  int highest = 0;
  const auto posted = [&](int i) {
    return rules.blinds[i] < 0 ? -s.bet[i] : rules.blinds[i] > 0 ? s.bet[i] : 0;
  };
  for (int i = 1; i < rules.players; ++i) {
    if (posted(i) >= posted(highest)) highest = i;
  }
  return highest + 1 < rules.players ? highest + 1 : 0;
}

// Nobody acts who has nothing behind, or nothing that someone else could match.
inline void open_betting(const Rules& rules, State& s) {
  Chips first = 0, second = 0;
  for (int i = 0; i < rules.players; ++i) {
    const Chips all = s.is_in(i) ? s.bet[i] + s.stack[i] : 0;
    second = std::max(second, std::min(first, all));
    first = std::max(first, all);
  }
  for (int i = 0; i < rules.players; ++i) {
    s.waiting |= static_cast<std::uint16_t>((s.in & s.able) & (second > s.bet[i]) << i);
  }
  if (s.waiting == 0) return end_street(rules, s);
  const int actor = next_seat(s.waiting, opener(rules, s));
  if ((s.waiting & (s.waiting - 1)) == 0 && s.bet[actor] >= s.highest) return end_street(rules, s);
  s.actor = static_cast<std::int8_t>(actor);
}

inline void begin_street(const Rules& rules, State& s) {
  s.last_raise = s.short_raises = 0;
  s.raises = 0;
  s.acted = s.waiting = 0;
  if (s.street == 0) return open_betting(rules, s);
  s.waiting = s.in & s.able;  // two or more, or the board would be run out
  s.actor = static_cast<std::int8_t>(next_seat(s.waiting, 0));
}

}  // namespace detail

// Antes and blinds are posted; the hole cards are to be dealt.
inline State start(const Rules& rules) {
  State s;
  s.card.fill(kNoCard);
  s.in = static_cast<std::uint16_t>((1 << rules.players) - 1);
  for (int i = 0; i < rules.players; ++i) {
    s.stack[i] = rules.stacks[i];
    detail::pay(s, i, std::min(rules.antes[i], s.stack[i]));
  }
  if (rules.trim_antes) detail::return_uncalled(rules, s);
  s.bet.fill(0);
  s.highest = 0;
  for (int i = 0; i < rules.players; ++i) {
    const Chips blind = rules.blinds[i] < 0 ? -rules.blinds[i] : rules.blinds[i];
    detail::pay(s, i, std::min(blind, s.stack[i]));
  }
  return s;
}

// The next card: two for each seat in turn, then the board.
inline void deal(const Rules& rules, State& s, std::uint8_t card) {
  const int holes = 2 * rules.players;
  s.card[s.dealt++] = card;
  if (s.dealt < holes || s.dealt - holes < kBoardCards[s.street]) return;
  if (!s.run_out) {
    detail::begin_street(rules, s);
  } else if (s.street + 1 == rules.streets) {
    s.actor = kOver;
  } else {
    ++s.street;
  }
}

// Whether someone else could call a raise of the actor.
inline bool is_callable(const State& s) {
  for (int others = s.in & s.able & ~(1 << s.actor); others != 0; others &= others - 1) {
    const int i = __builtin_ctz(static_cast<unsigned>(others));
    if (s.stack[i] + s.bet[i] > s.highest) return true;
  }
  return false;
}

inline Limits limits(const Rules& rules, const State& s) {
  const int p = s.actor;
  const Chips stack = s.stack[p], owed = s.highest - s.bet[p];
  Limits found;
  found.fold = owed > 0;
  found.call = std::min(stack, owed);
  if (found.call < s.last_raise) return found;  // an all-in for less is all there is to call
  if (rules.caps[s.street] > 0 && s.raises >= rules.caps[s.street]) return found;
  if (s.short_raises > 0 && s.short_raises < s.last_raise && (s.acted >> p & 1)) return found;
  if (stack <= owed || !is_callable(s)) return found;
  const Chips all = stack + s.bet[p];
  found.raise = true;
  found.low = std::min(all, s.highest + std::max(s.last_raise, rules.bets[s.street]));
  found.high = rules.betting == Betting::kFixedLimit ? found.low : all;
  return found;
}

inline bool is_legal(const Limits& may, Chips action) {
  if (action == kFold) return may.fold;
  if (action == kCall) return true;
  return may.raise && action >= may.low && action <= may.high;
}

// A legal action of the actor, without what follows from it. Returns the chips that were added.
inline Chips bet(State& s, Chips action) {
  const int p = s.actor;
  const auto bit = static_cast<std::uint16_t>(1 << p);
  s.waiting &= static_cast<std::uint16_t>(~bit);
  s.acted |= bit;
  if (action == kFold) {
    s.in &= static_cast<std::uint16_t>(~bit);
    return 0;
  }
  const Chips owed = s.highest - s.bet[p];
  if (action == kCall) {
    const Chips added = std::min(s.stack[p], owed);
    detail::pay(s, p, added);
    return added;
  }
  const Chips raised = action - s.highest, added = owed + raised;
  detail::pay(s, p, added);
  s.waiting = static_cast<std::uint16_t>(s.in & s.able & ~bit);
  if (raised >= s.last_raise) s.acted = bit;
  s.last_raise = std::max(s.last_raise, raised);
  if (s.raises < 255) ++s.raises;
  s.short_raises = s.able & bit ? 0 : s.short_raises + raised;
  if (s.short_raises >= s.last_raise) s.short_raises = 0;
  return added;
}

// Whose turn is next; the actor's again where the street is over.
inline std::int8_t next_actor(const State& s) {
  return static_cast<std::int8_t>(detail::next_seat(s.street_is_over() ? 1U << s.actor : s.waiting, s.actor));
}

// The next seat's turn, or the end of the street.
inline void pass_on(const Rules& rules, State& s) {
  if (s.street_is_over()) return detail::end_street(rules, s);
  s.actor = next_actor(s);
}

// A legal action of the actor, and whose turn it is then. Returns the chips that were added.
inline Chips act(const Rules& rules, State& s, Chips action) {
  const Chips added = bet(s, action);
  pass_on(rules, s);
  return added;
}

}  // namespace zerosum::holdem
