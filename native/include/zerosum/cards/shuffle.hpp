// A deck in an order that depends on a stream of random numbers alone.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "zerosum/cards/card.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cards {

inline constexpr std::array<std::uint8_t, kCards> kDeck = [] {
  std::array<std::uint8_t, kCards> deck{};
  for (int card = 0; card < kCards; ++card) deck[card] = static_cast<std::uint8_t>(card);
  return deck;
}();

// The first `count` cards of the shuffled deck (Fisher and Yates).
inline void shuffle(CounterRng rng, std::uint8_t* drawn, int count) {
  auto deck = kDeck;
  for (int k = 0; k < count; ++k) {
    const auto left = static_cast<std::uint64_t>(kCards - k);
    const std::uint64_t other = static_cast<std::uint64_t>(k) + (((rng.bits() >> 32) * left) >> 32);
    drawn[k] = deck[other];
    deck[other] = deck[k];
  }
}

}  // namespace zerosum::cards
