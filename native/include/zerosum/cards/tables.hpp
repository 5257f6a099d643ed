// The tables of all hands on all canonical flops or turns, a row for each canonical (hole, board).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "zerosum/cards/all_hands.hpp"
#include "zerosum/cards/card.hpp"
#include "zerosum/cards/isomorphism.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cards {

// Fills rows of `points` [rows] and `histogram` [rows, 50] for the canonical boards first .. last - 1 of
// three or four cards. Threads may meet in a row, with the same numbers: a hand and its mirror image on a
// board that is its own.
template <typename Count>
void fill_tables(int board_cards, std::uint64_t first, std::uint64_t last, int threads, std::uint32_t* points,
                 Count* histogram) {
  const HandIndexer boards({board_cards}), hands({2, board_cards});
  std::atomic<std::uint64_t> next{first};
  on_threads(threads, [&](int) {
    const auto all = std::make_unique<AllHands>();
    for (std::uint64_t index; (index = next.fetch_add(1)) < last;) {
      std::array<std::uint8_t, 7> cards{};
      boards.hand(index, cards.data() + 2);
      std::uint64_t set = 0;
      for (int k = 0; k < board_cards; ++k) set += card_set(cards[2 + k]);
      all_hands(set, board_cards, *all);
      for (int c = 0; c < kCombos; ++c) {
        if (all->rivers[c] == 0) continue;
        cards[0] = kCombo[c].low;
        cards[1] = kCombo[c].high;
        const std::uint64_t row = hands.index(cards.data());
        __atomic_store_n(points + row, all->points[c], __ATOMIC_RELAXED);
        Count* bins = histogram + row * kBins;
        for (int b = 0; b < kBins; ++b) {
          __atomic_store_n(bins + b, static_cast<Count>(all->histogram[c][b]), __ATOMIC_RELAXED);
        }
      }
    }
  });
}

}  // namespace zerosum::cards
