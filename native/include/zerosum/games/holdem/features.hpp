// What a seat of hold'em sees as a row of numbers, for two to ten seats: cards, and the state of the betting
// seen from its chair. With `everyone` the others' cards are in it too: what a baseline may know, and a
// player may not.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/card.hpp"
#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

// Bits for one's own cards, the board and the street; raises of every street; five numbers; six for each
// seat.
inline int feature_count(const Rules& rules, bool everyone) {
  return 2 * cards::kCards + 2 * kMostStreets + 5 + 6 * rules.players +
         (everyone ? cards::kCards * (rules.players - 1) : 0);
}

// `raises` counts those of every street so far.
inline void write_features(const Rules& rules, const State& s, int seat,
                           const std::array<std::uint8_t, kMostStreets>& raises, bool everyone, float* row) {
  float* out = std::fill_n(row, feature_count(rules, everyone), 0.0f) - feature_count(rules, everyone);
  const auto mark = [&](std::uint8_t card) {
    if (card < cards::kCards) out[card] = 1.0f;
  };
  mark(s.card[2 * seat]);
  mark(s.card[2 * seat + 1]);
  out += cards::kCards;
  for (int k = 0; k < 5; ++k) mark(s.board(rules, k));
  out += cards::kCards;
  out[s.street] = 1.0f;
  out += kMostStreets;
  for (int k = 0; k < kMostStreets; ++k) out[k] = std::min(raises[k], std::uint8_t{6}) / 3.0f;
  out += kMostStreets;
  double all = 1.0;
  for (int i = 0; i < rules.players; ++i) all += static_cast<double>(rules.stacks[i]);
  const auto share = [&](Chips chips) { return static_cast<float>(static_cast<double>(chips) / all); };
  const Chips owed = s.highest - s.bet[seat];
  *out++ = share(s.pot);
  *out++ = share(owed);
  *out++ = static_cast<float>(static_cast<double>(owed) / std::max(1.0, static_cast<double>(s.pot + owed)));
  *out++ = share(s.last_raise);
  *out++ = s.actor == seat ? 1.0f : 0.0f;
  for (int k = 0; k < rules.players; ++k) {
    const int i = (seat + k) % rules.players;
    *out++ = share(s.stack[i]);
    *out++ = share(s.bet[i]);
    *out++ = s.is_in(i) ? 1.0f : 0.0f;
    *out++ = (s.able >> i & 1) != 0 ? 1.0f : 0.0f;
    *out++ = (s.acted >> i & 1) != 0 ? 1.0f : 0.0f;
    *out++ = i == 0 ? 1.0f : 0.0f;  // where the blinds are
  }
  for (int k = 1; everyone && k < rules.players; ++k, out += cards::kCards) {
    const int i = (seat + k) % rules.players;
    mark(s.card[2 * i]);
    mark(s.card[2 * i + 1]);
  }
}

}  // namespace zerosum::holdem
