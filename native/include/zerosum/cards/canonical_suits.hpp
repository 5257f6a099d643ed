// Suits renamed so that hands and boards which differ only in the names of suits become the same cards. The
// suit with most cards on the board comes first, then the one with most in all, then by ranks on the board
// and in the hand; suits that agree in all of these are interchangeable, so nothing is lost and a renaming of
// suits changes nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "zerosum/cards/card.hpp"

namespace zerosum::cards {

// Two hole cards, then five of the board, what is missing being 52 or more: each card is replaced by its new
// name. The order of the cards stays.
template <typename Card>
inline void canonical_suits(Card* seven) {
  std::array<std::uint64_t, 4> board{}, hole{}, count{}, on_board{};
  for (int k = 0; k < 7; ++k) {
    const auto card = static_cast<int>(seven[k]);
    if (card >= kCards) continue;
    const auto suit = static_cast<std::size_t>(suit_of(card));
    (k < 2 ? hole : board)[suit] |= std::uint64_t{1} << rank_of(card);
    ++count[suit];
    if (k >= 2) ++on_board[suit];
  }
  std::array<std::uint64_t, 4> key{};
  for (std::size_t s = 0; s < 4; ++s) key[s] = on_board[s] << 32 | count[s] << 28 | board[s] << 13 | hole[s];
  std::array<int, 4> name{};
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t t = 0; t < 4; ++t) name[s] += key[t] > key[s] || (key[t] == key[s] && t < s);
  }
  for (int k = 0; k < 7; ++k) {
    const auto card = static_cast<int>(seven[k]);
    if (card < kCards)
      seven[k] = static_cast<Card>(rank_of(card) * 4 + name[static_cast<std::size_t>(suit_of(card))]);
  }
}

}  // namespace zerosum::cards
