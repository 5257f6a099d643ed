// A short list of actions instead of every size: what spec'd players, tables and networks choose from.
#pragma once

#include <cstdint>

#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

inline constexpr int kMenuFold = 0, kMenuCall = 1, kMenuSizes = 2;

// Any pot times less than this fits into 64 bits.
inline constexpr std::int64_t kSmallShare = std::int64_t{1} << 18;
__extension__ typedef __int128 Wide;

// The amount to raise to, rounded down; it may not be legal.
inline Chips size_amount(const Rules& rules, const State& s, const BetSize& size) {
  const bool of_pot = size.kind == BetSize::kPot;
  const Chips unit = of_pot ? s.pot + s.highest - s.bet[s.actor] : std::max(s.highest, rules.bets[s.street]);
  const Chips raised = size.numerator < kSmallShare
                           ? unit * size.numerator / size.denominator
                           : static_cast<Chips>(std::min<Wide>(Wide{unit} * size.numerator / size.denominator,
                                                               kMostSeats * kMostChips));
  return (of_pot ? s.highest : 0) + raised;
}

inline constexpr Chips kIllegal = -2;

// The engine's action for a size, a raise being legal; kIllegal where it is too small, or not short of
// all-in.
inline Chips sized_action(const Rules& rules, const State& s, const Limits& may, const BetSize& size) {
  if (size.kind == BetSize::kLeast) return may.low < may.high || !rules.menu.all_in ? may.low : kIllegal;
  if (rules.menu.cap > 0 && s.raises >= rules.menu.cap) return kIllegal;
  const Chips to = size_amount(rules, s, size);
  return to >= may.low && to < may.high ? to : kIllegal;
}

// The engine's action for a number of the menu; kIllegal where it is not offered here.
inline Chips menu_action(const Rules& rules, const State& s, const Limits& may, int number) {
  const Menu& menu = rules.menu;
  const auto& sizes = menu.sizes[s.street];
  if (number == kMenuFold) return may.fold ? kFold : kIllegal;
  if (number == kMenuCall) return kCall;
  if (!may.raise) return kIllegal;
  if (menu.all_in && number == menu.actions() - 1) return may.high;
  const int size = number - kMenuSizes;
  return size >= 0 && size < static_cast<int>(sizes.size()) ? sized_action(rules, s, may, sizes[size])
                                                            : kIllegal;
}

// The same for every number at once, and the numbers that are offered. Returns how many are.
inline std::uint8_t list_menu(const Rules& rules, const State& s, const Limits& may, Chips* actions,
                              std::uint8_t* offered) {
  const Menu& menu = rules.menu;
  const int count = menu.actions();
  actions[kMenuFold] = may.fold ? kFold : kIllegal;
  actions[kMenuCall] = kCall;
  offered[0] = kMenuFold;
  offered[may.fold] = kMenuCall;
  int found = 1 + may.fold;
  if (!may.raise) {
    for (int k = kMenuSizes; k < count; ++k) actions[k] = kIllegal;
    return static_cast<std::uint8_t>(found);
  }
  int k = kMenuSizes;
  for (const BetSize& size : menu.sizes[s.street]) {
    const Chips action = sized_action(rules, s, may, size);
    actions[k] = action;
    offered[found] = static_cast<std::uint8_t>(k++);
    found += action != kIllegal;
  }
  for (; k < count; ++k) actions[k] = kIllegal;
  if (menu.all_in) {
    actions[count - 1] = may.high;
    offered[found++] = static_cast<std::uint8_t>(count - 1);
  }
  return static_cast<std::uint8_t>(found);
}

}  // namespace zerosum::holdem
