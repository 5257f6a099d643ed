// A short list of actions instead of every size: what spec'd players, tables and networks choose from.
#pragma once

#include <cstdint>

#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

inline constexpr int kMenuFold = 0, kMenuCall = 1, kMenuSizes = 2;

// The amount to raise to, rounded down; it may not be legal.
inline Chips size_amount(const Rules& rules, const State& s, const BetSize& size) {
  const Chips highest = s.highest;
  switch (size.kind) {
    case BetSize::kPot:
      return highest + (s.pot + highest - s.bet[s.actor]) * size.numerator / size.denominator;
    case BetSize::kTimes:
      return std::max(highest, rules.bets[s.street]) * size.numerator / size.denominator;
    default:
      return highest + rules.bets[s.street];
  }
}

// The engine's action for a number of the menu; kIllegal where it is not offered here.
inline constexpr Chips kIllegal = -2;
inline Chips menu_action(const Rules& rules, const State& s, const Limits& may, int number) {
  if (number == kMenuFold) return may.fold ? kFold : kIllegal;
  if (number == kMenuCall) return kCall;
  const Menu& menu = rules.menu;
  const int size = number - kMenuSizes;
  if (!may.raise || size < 0 || number >= menu.actions()) return kIllegal;
  if (menu.all_in && number == menu.actions() - 1) return may.high;
  if (size >= static_cast<int>(menu.sizes[s.street].size())) return kIllegal;
  const BetSize& wanted = menu.sizes[s.street][size];
  if (wanted.kind == BetSize::kFixed) return may.low;
  if (menu.cap > 0 && s.raises >= menu.cap) return kIllegal;
  const Chips to = size_amount(rules, s, wanted);
  return to >= may.low && to < may.high ? to : kIllegal;
}

}  // namespace zerosum::holdem
