// How good the cards of a row are, by drawing what is not known: lessons for networks that begin with no idea
// of cards.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/evaluate.hpp"
#include "zerosum/games/holdem/sixmax.hpp"
#include "zerosum/random.hpp"

namespace zerosum::holdem {

namespace detail {

inline std::uint16_t value_of(std::uint64_t set, int count) {
  return count == 5   ? cards::evaluate<5>(set)
         : count == 6 ? cards::evaluate<6>(set)
                      : cards::evaluate<7>(set);
}

// What one wins of a pot for which others show `values`.
template <typename Values>
float share_won(std::uint16_t mine, const Values& values, int others) {
  int ties = 1;
  for (int k = 0; k < others; ++k) {
    if (values[k] > mine) return 0.0f;
    ties += values[k] == mine;
  }
  return 1.0f / static_cast<float>(ties);
}

}  // namespace detail

// Chances to win: against one random hand; against all who are still in; against one if no more cards came
// (before the flop: as the first).
inline std::array<float, 3> draw_equities(const SixMaxRow& row, int samples, CounterRng rng) {
  std::array<bool, cards::kCards> gone{};
  std::uint64_t own = 0, board = 0;
  int known = 0;
  for (std::size_t k = 0; k < row.card.size(); ++k) {
    if (row.card[k] >= cards::kCards) continue;
    gone[row.card[k]] = true;
    (k < 2 ? own : board) += cards::card_set(row.card[k]);
    known += k >= 2;
  }
  std::array<std::uint8_t, cards::kCards> left;
  int count = 0;
  for (std::uint8_t card = 0; card < cards::kCards; ++card) {
    if (!gone[card]) left[count++] = card;
  }
  const int others = std::max(1, __builtin_popcount(row.active)), drawn = 2 * others + 5 - known;
  std::array<float, 3> sum{};
  for (int s = 0; s < samples; ++s) {
    for (int c = 0; c < drawn; ++c) {
      const auto many = static_cast<std::uint64_t>(count - c);
      std::swap(left[c], left[static_cast<std::uint64_t>(c) + (((rng.bits() >> 32) * many) >> 32)]);
    }
    std::uint64_t whole = board;
    for (int c = 2 * others; c < drawn; ++c) whole += cards::card_set(left[c]);
    std::array<std::uint16_t, kSixSeats> values{};
    for (int k = 0; k < others; ++k) {
      const std::uint64_t hole = cards::card_set(left[2 * k]) + cards::card_set(left[2 * k + 1]);
      values[k] = detail::value_of(whole + hole, 7);
      if (k > 0) continue;
      const float now =
          known < 3
              ? 0.0f
              : detail::share_won(detail::value_of(own + board, 2 + known),
                                  std::array<std::uint16_t, 1>{detail::value_of(board + hole, 2 + known)}, 1);
      sum[2] += now;
    }
    const std::uint16_t mine = detail::value_of(own + whole, 7);
    const float one = detail::share_won(mine, values, 1);
    sum[0] += one;
    sum[1] += detail::share_won(mine, values, others);
    if (known < 3) sum[2] += one;
  }
  for (float& part : sum) part /= static_cast<float>(samples);
  return sum;
}

}  // namespace zerosum::holdem
