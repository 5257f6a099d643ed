// What a bot plays: the settings of a policy. `zerosum export --to cpp` writes these from the policy, and
// where wanted the weights with them.
#pragma once

#include "zerosum/games/holdem/rules.hpp"

namespace zerosum::bots {

inline constexpr const char* kPolicy = "heads-up no-limit hold'em";
inline constexpr double kDenoiseBelow = 0.03;

inline holdem::Rules table_rules() {
  holdem::Rules rules;
  rules.stacks = {20000, 20000};
  rules.blinds = {100, 50};
  rules.bets = {100, 100, 100, 100};
  for (std::size_t k = 0; k < 4; ++k) {
    rules.menu.set(k, {{holdem::BetSize::kPot, 1, 2}, {holdem::BetSize::kPot, 1, 1}});
  }
  rules.menu.cap = 2;
  return rules;
}

// Packed weights in base 64; none: they are read from files.
inline constexpr const char* kCardModel = "";
inline constexpr const char* kCFRNet = "";

}  // namespace zerosum::bots
