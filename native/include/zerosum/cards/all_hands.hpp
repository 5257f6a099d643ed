// Every hand on one board against a random hand: its exact equity, and the histogram over 50 bins of the
// equity it will have on the river.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/board.hpp"
#include "zerosum/cards/card.hpp"
#include "zerosum/cards/range_equity.hpp"

namespace zerosum::cards {

inline constexpr int kBins = 50;
inline constexpr std::uint32_t kPoints =
    2 * 990;  // a river hand scores two points for each opponent beaten, one for a tie

// Bin of a river equity points / kPoints: 50 e, rounded down, and the last bin holds e = 1 too.
constexpr int bin_of(std::uint32_t points) {
  return static_cast<int>(std::min<std::uint32_t>(kBins - 1, points * kBins / kPoints));
}

struct AllHands {
  std::array<std::uint32_t, kCombos> points{};  // summed over rivers
  std::array<std::uint32_t, kCombos> rivers{};  // how many rivers a hand can see; 0: not possible
  std::array<std::array<std::uint16_t, kBins>, kCombos> histogram{};  // how many rivers fall into each bin
};

namespace detail {

ZEROSUM_CLONES inline void add_rivers(const WeightedBoard* boards, std::size_t count, AllHands& all) {
  static constexpr std::array<std::uint8_t, kPoints + 1> kBinOf = [] {
    std::array<std::uint8_t, kPoints + 1> bins{};
    for (std::uint32_t points = 0; points <= kPoints; ++points)
      bins[points] = static_cast<std::uint8_t>(bin_of(points));
    return bins;
  }();
  std::array<std::uint32_t, kCombos> ones;
  ones.fill(1);
  Ranking ranking;
  for (std::size_t b = 0; b < count; ++b) {
    ranking.rank(boards[b].set);
    against_range(ranking, ones.data(), [&](int c, std::uint32_t below, std::uint32_t equal) {
      const std::uint32_t points = 2 * below + equal;
      all.points[c] += points;
      ++all.rivers[c];
      ++all.histogram[c][kBinOf[points]];
    });
  }
}

}  // namespace detail

// `board` is a set of three to five cards.
inline void all_hands(std::uint64_t board, int dealt, AllHands& all) {
  all = {};
  const auto boards = river_boards(board, dealt);
  detail::add_rivers(boards.data(), boards.size(), all);
}

}  // namespace zerosum::cards
