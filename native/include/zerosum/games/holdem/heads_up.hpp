// What the networks of heads-up hold'em read of the betting: five numbers of now for the plain network, and
// for the one that remembers also what was raised on every street, by whom and how far.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

inline constexpr int kEnvNumbers = 5;
inline constexpr int kStreetNumbers = 6;
inline constexpr int kNowNumbers = 4;
inline constexpr double kEnvChips = 20000.0;

// Of every street: who raised how often, who raised last and by what share of the pot after calling, and the
// pot it began with.
struct BettingHistory {
  std::array<std::array<std::uint8_t, 2>, kMostStreets> raises{};
  std::array<std::int8_t, kMostStreets> last{-1, -1, -1, -1};
  std::array<float, kMostStreets> share{};
  std::array<float, kMostStreets> pot{};  // in chips; 0 for streets to come

  // `before` is the state in which a legal action is taken.
  void add(const State& before, Chips action) {
    if (pot[before.street] == 0.0f) begin(before);
    if (action <= 0) return;
    const auto seat = static_cast<std::size_t>(before.actor);
    const Chips after_call = before.pot + before.highest - before.bet[seat];
    if (raises[before.street][seat] < 255) ++raises[before.street][seat];
    last[before.street] = before.actor;
    share[before.street] =
        static_cast<float>(static_cast<double>(action - before.highest) / static_cast<double>(after_call));
  }
  // Notes the pot of a street on which nobody has acted.
  void begin(const State& s) { pot[s.street] = static_cast<float>(s.pot); }
};

inline int history_count(int actions) {
  return kEnvNumbers + kNowNumbers + actions + kMostStreets * kStreetNumbers;
}

// The pot, both stacks, the street and the position.
inline void write_env(const State& s, int seat, float* out) {
  const std::array<double, kEnvNumbers> numbers = {
      static_cast<double>(s.pot) / kEnvChips, static_cast<double>(s.stack[0]) / kEnvChips,
      static_cast<double>(s.stack[1]) / kEnvChips, s.street / 3.0, static_cast<double>(seat)};
  for (const double number : numbers) *out++ = static_cast<float>(number);
}

// Chips on a scale on which doubling counts the same at any size: 0 for none, about 1 for 400 big blinds.
inline float log_chips(const Rules& rules, double chips) {
  const double big = static_cast<double>(*std::max_element(rules.blinds.begin(), rules.blinds.end()));
  return static_cast<float>(std::log1p(chips / big) / std::log(401.0));
}

// Those five, four more of now, what is legal, and six of every street; seen from `seat`.
inline void write_history(const Rules& rules, const State& s, const BettingHistory& history, int seat,
                          const std::uint8_t* offered, int count, float* out) {
  write_env(s, seat, out);
  out += kEnvNumbers;
  const double owed = static_cast<double>(s.highest - s.bet[seat]);
  const double behind = static_cast<double>(std::min(s.stack[0], s.stack[1]));
  const double pot = static_cast<double>(s.pot);
  *out++ = static_cast<float>(owed / std::max(1.0, pot + owed));
  *out++ = log_chips(rules, pot);
  *out++ = log_chips(rules, owed);
  *out++ = static_cast<float>(std::log1p(behind / std::max(1.0, pot)) / std::log(101.0));
  const int actions = rules.menu.actions();
  std::fill_n(out, actions, 0.0f);
  for (int k = 0; k < count; ++k) out[offered[k]] = 1.0f;
  out += actions;
  for (std::size_t street = 0; street < kMostStreets; ++street, out += kStreetNumbers) {
    std::fill_n(out, kStreetNumbers, 0.0f);
    if (static_cast<int>(street) > s.street) continue;
    const float began = history.pot[street] == 0.0f ? static_cast<float>(s.pot) : history.pot[street];
    const int last = history.last[street];
    out[0] = 1.0f;
    out[1] = std::min<float>(history.raises[street][static_cast<std::size_t>(seat)], 4.0f) / 2.0f;
    out[2] = std::min<float>(history.raises[street][static_cast<std::size_t>(1 - seat)], 4.0f) / 2.0f;
    out[3] = last < 0 ? 0.0f : last == seat ? 1.0f : -1.0f;
    out[4] = std::min(history.share[street], 4.0f) / 2.0f;
    out[5] = log_chips(rules, static_cast<double>(began));
  }
}

}  // namespace zerosum::holdem
