// A few hands of each of many river boards, with their exact points against a random hand: to learn from.
#pragma once

#include <array>
#include <cstdint>

#include "zerosum/cards/all_hands.hpp"
#include "zerosum/cards/board.hpp"
#include "zerosum/cards/card.hpp"
#include "zerosum/cards/range_equity.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cards {

// `hands` different pairs of hole cards on a board of five cards, drawn by the stream: their combos and
// points.
ZEROSUM_CLONES inline void river_rows(std::uint64_t board, std::uint64_t dealt, int hands, CounterRng rng,
                                      std::uint16_t* combos, std::uint16_t* points) {
  std::array<std::uint32_t, kCombos> ones;
  ones.fill(1);
  std::array<std::uint16_t, kCombos> all{}, possible{};
  Ranking ranking;
  ranking.rank(board);
  against_range(ranking, ones.data(), [&](int c, std::uint32_t below, std::uint32_t equal) {
    all[static_cast<std::size_t>(c)] = static_cast<std::uint16_t>(2 * below + equal);
  });
  std::size_t count = 0;
  for (std::size_t c = 0; c < kCombos; ++c) {
    const bool free = ((dealt >> kCombo[c].low | dealt >> kCombo[c].high) & 1) == 0;
    if (free) possible[count++] = static_cast<std::uint16_t>(c);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(hands); ++k) {
    const std::size_t other = k + static_cast<std::size_t>(((rng.bits() >> 32) * (count - k)) >> 32);
    std::swap(possible[k], possible[other]);
    combos[k] = possible[k];
    points[k] = all[possible[k]];
  }
}

}  // namespace zerosum::cards
