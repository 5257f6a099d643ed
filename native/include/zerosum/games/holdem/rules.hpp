// What a table plays: seats, chips, blinds, antes and how one may bet. Seats are numbered in the order of
// acting after the flop: seat 0 is the small blind and the last seat the button; heads-up the button posts
// the small blind, so seat 0 is the big blind.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace zerosum::holdem {

using Chips = std::int64_t;

inline constexpr int kMostSeats = 10;
inline constexpr int kMostStreets = 4;
inline constexpr int kMostActions = 64;  // of a menu
inline constexpr Chips kMostChips = Chips{1} << 40;
inline constexpr std::array<int, kMostStreets> kBoardCards = {0, 3, 4, 5};

enum class Betting : std::uint8_t { kNoLimit, kFixedLimit };
// Botzone's small blind acts first on every street.
enum class Order : std::uint8_t { kStandard, kBotzone };
// A pot that does not divide: split exactly; one chip each from the first seat on; or, pots of the same
// winners being joined, all to the first seat.
enum class OddChips : std::uint8_t { kExact, kSeats, kFirst };

// A size of bet that a menu offers: a share of the pot after calling, a multiple of the bet faced, or the
// least that is allowed.
struct BetSize {
  enum Kind : std::uint8_t { kPot, kTimes, kLeast } kind;
  std::int64_t numerator, denominator;

  bool operator==(const BetSize& other) const {
    return kind == other.kind && numerator == other.numerator && denominator == other.denominator;
  }
};

// What a player with a menu may do: 0 fold, 1 check or call, then a bet of each size, and last all-in.
struct Menu {
  std::array<std::vector<BetSize>, kMostStreets> sizes;
  int width = 0;  // the most sizes on a street
  bool all_in = true;
  int cap = 0;  // sized raises only while fewer than this many were made on the street; 0: no cap

  void set(std::size_t street, std::vector<BetSize> offered) {
    width = std::max(width, static_cast<int>(offered.size()));
    sizes[street] = std::move(offered);
  }
  int actions() const { return 2 + width + all_in; }
  bool operator==(const Menu& other) const {
    return sizes == other.sizes && all_in == other.all_in && cap == other.cap;
  }
};

struct Rules {
  int players = 2;
  int streets = 4;
  Betting betting = Betting::kNoLimit;
  Order order = Order::kStandard;
  OddChips odd = OddChips::kExact;
  bool trim_antes = true;  // whether what an ante exceeds all others by is given back
  std::array<Chips, kMostSeats> stacks{}, blinds{}, antes{};  // a negative blind is posted out of turn
  std::array<Chips, kMostStreets> bets{};                     // the smallest bet, or the only one
  std::array<int, kMostStreets> caps{};                       // the most raises on a street; 0: any number
  Menu menu;

  bool operator==(const Rules& o) const {
    return players == o.players && streets == o.streets && betting == o.betting && order == o.order &&
           odd == o.odd && trim_antes == o.trim_antes && stacks == o.stacks && blinds == o.blinds &&
           antes == o.antes && bets == o.bets && caps == o.caps && menu == o.menu;
  }
};

}  // namespace zerosum::holdem
