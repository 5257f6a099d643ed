// Sampled equity of any ranges. Samples come in chunks whose luck follows from (seed, chunk), and are summed
// in whole numbers, so that neither threads nor their order can show in the result.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"
#include "zerosum/cards/hands_equity.hpp"
#include "zerosum/random.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cards {

// A player's hands: any two cards, or weighted pairs, drawn by Walker's alias method (1977): one slot at
// random, which stands for itself below its limit and for another hand above.
struct Seat {
  struct Slot {
    std::uint64_t limit;
    std::uint64_t hand, other_hand;  // sets of cards
    std::uint16_t combo, other_combo;
  };
  std::vector<Slot> slots;  // empty: any two cards
  std::uint64_t whole = 1;  // limits are out of this

  Seat() = default;
  explicit Seat(const std::vector<std::pair<int, std::uint64_t>>& weighted) {
    const std::uint64_t count = weighted.size();
    std::uint64_t total = 0;
    for (const auto& [combo, weight] : weighted) total += weight;
    whole = total;  // a slot holds total / count; all weights are scaled by count
    std::vector<std::uint64_t> left;
    std::vector<std::size_t> small, large;
    for (const auto& [combo, weight] : weighted) {
      const std::uint64_t hand = kCardSets[kCombo[combo].low] + kCardSets[kCombo[combo].high];
      slots.push_back(
          {total, hand, hand, static_cast<std::uint16_t>(combo), static_cast<std::uint16_t>(combo)});
      left.push_back(weight * count);
      (left.back() < total ? small : large).push_back(left.size() - 1);
    }
    while (!small.empty() && !large.empty()) {
      const std::size_t poor = small.back(), rich = large.back();
      small.pop_back();
      slots[poor].limit = left[poor];
      slots[poor].other_hand = slots[rich].hand;
      slots[poor].other_combo = slots[rich].combo;
      left[rich] -= total - left[poor];
      if (left[rich] < total) {
        large.pop_back();
        small.push_back(rich);
      }
    }
  }
};

struct SampledOutcome {
  Outcome outcome;
  std::uint64_t squares = 0;                               // sum of squared shares
  std::array<std::uint64_t, kCombos> shares{}, samples{};  // by the two cards held, where asked for

  void add(const SampledOutcome& other) {
    outcome.share += other.outcome.share;
    outcome.wins += other.outcome.wins;
    outcome.ties += other.outcome.ties;
    squares += other.squares;
    for (int c = 0; c < kCombos; ++c) {
      shares[c] += other.shares[c];
      samples[c] += other.samples[c];
    }
  }
};

class MonteCarlo {
 public:
  static constexpr std::uint64_t kChunk = 4096;
  static constexpr int kMostTries = 100'000;

  // With `by_hand`, shares are also kept by the two cards held.
  MonteCarlo(std::vector<Seat> seats, std::uint64_t board, int dealt, std::uint64_t seed, bool by_hand)
      : seats_(std::move(seats)), board_(board), dealt_(dealt), seed_(seed), by_hand_(by_hand) {
    std::uint64_t dead = board & kRankBits;  // cards that nobody else can be dealt
    for (const Seat& seat : seats_) {
      if (seat.slots.size() == 1) dead |= seat.slots[0].hand & kRankBits;
    }
    for (int card = 0; card < kCards; ++card) {
      if ((card_set(card) & dead) == 0) deck_[deck_size_++] = static_cast<std::uint8_t>(card);
    }
  }

  // False where the ranges hardly ever leave each other a hand.
  bool run(std::uint64_t samples, int threads) {
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> possible{true};
    const std::uint64_t chunks = (samples + kChunk - 1) / kChunk;
    std::vector<std::vector<SampledOutcome>> parts(static_cast<std::size_t>(std::max(threads, 1)),
                                                   std::vector<SampledOutcome>(seats_.size()));
    on_threads(static_cast<int>(parts.size()), [&](int thread) {
      for (std::uint64_t chunk; possible && (chunk = next.fetch_add(1)) < chunks;) {
        const std::uint64_t size = std::min(kChunk, samples - chunk * kChunk);
        if (!run_chunk(*this, chunk, size, parts[static_cast<std::size_t>(thread)])) possible = false;
      }
    });
    outcomes_.assign(seats_.size(), {});
    for (const auto& part : parts) {
      for (std::size_t p = 0; p < seats_.size(); ++p) outcomes_[p].add(part[p]);
    }
    return possible;
  }

  const std::vector<SampledOutcome>& outcomes() const { return outcomes_; }

 private:
  // Cards from the deck, two from each draw of 64 bits.
  class Dealer {
   public:
    Dealer(CounterRng rng, const std::uint8_t* deck, std::uint32_t size)
        : rng_(rng), deck_(deck), size_(size) {}

    std::uint64_t bits() { return rng_.bits(); }

    // Two different cards that are not dead.
    ZEROSUM_INLINE Combo two(std::uint64_t& dead) {
      for (;;) {
        const std::uint64_t bits = rng_.bits();
        const std::uint8_t a = deck_[scale(bits >> 32)], b = deck_[scale(bits & 0xffffffff)];
        const std::uint64_t sets = kCardSets[a] | kCardSets[b];
        if ((a == b) | ((dead & sets) != 0)) continue;
        dead |= sets & kRankBits;
        return {a, b};
      }
    }
    ZEROSUM_INLINE int one(std::uint64_t& dead) {
      for (;;) {
        const std::uint8_t card = deck_[scale(rng_.bits() >> 32)];
        if (dead & kCardSets[card]) continue;
        dead |= kCardSets[card] & kRankBits;
        return card;
      }
    }

   private:
    ZEROSUM_INLINE std::uint64_t scale(std::uint64_t part) const { return (part * size_) >> 32; }

    CounterRng rng_;
    const std::uint8_t* deck_;
    std::uint32_t size_;
  };

  // Sixteen samples: what each player holds, with the board and without.
  struct Deals {
    alignas(32) std::uint64_t sets[kMostPlayers][kLanes];
    std::uint16_t combos[kMostPlayers][kLanes];
  };

  ZEROSUM_CLONES static bool run_chunk(const MonteCarlo& self, std::uint64_t chunk, std::uint64_t samples,
                                       std::vector<SampledOutcome>& sums) {
    return self.run_chunk_body(chunk, samples, sums);
  }

  ZEROSUM_INLINE bool run_chunk_body(std::uint64_t chunk, std::uint64_t samples,
                                     std::vector<SampledOutcome>& sums) const {
    Dealer dealer(CounterRng(seed_, chunk, 0), deck_.data(), deck_size_);
    const int players = static_cast<int>(seats_.size());
    Deals deals;
    alignas(32) std::uint16_t values[kMostPlayers][kLanes];
    std::array<Outcome, 2> pair{};
    for (std::uint64_t done = 0; done < samples; done += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) {
        if (!deal(dealer, lane, deals)) return false;
      }
      for (int p = 0; p < players; ++p) evaluate_sixteen<7>(deals.sets[p], values[p]);
      const int lanes = static_cast<int>(std::min<std::uint64_t>(kLanes, samples - done));
      if (players == 2 && !by_hand_) {
        count_pair(values, lanes, pair);
        continue;
      }
      for (int lane = 0; lane < lanes; ++lane) count(values, deals, lane, players, sums);
    }
    for (int p = 0; p < 2; ++p) {
      sums[p].outcome.wins += pair[p].wins;
      sums[p].outcome.ties += pair[p].ties;
      sums[p].outcome.share += kWholePot * pair[p].wins + kWholePot / 2 * pair[p].ties;
      sums[p].squares += kWholePot * kWholePot * pair[p].wins + kWholePot * kWholePot / 4 * pair[p].ties;
    }
    return true;
  }

  // One sample: the ranges' hands, drawn until they share no card; then any two cards for the others; then
  // the board.
  ZEROSUM_INLINE bool deal(Dealer& dealer, int lane, Deals& deals) const {
    const int players = static_cast<int>(seats_.size());
    std::uint64_t dead = 0;
    for (int tries = 0;; ++tries) {
      if (tries == kMostTries) return false;
      dead = board_ & kRankBits;
      bool apart = true;
      for (int p = 0; p < players; ++p) {
        const Seat& seat = seats_[p];
        if (seat.slots.empty()) continue;
        const std::uint64_t bits = seat.slots.size() == 1 ? 0 : dealer.bits();
        const Seat::Slot& slot = seat.slots[((bits >> 32) * seat.slots.size()) >> 32];
        const bool itself = (((bits & 0xffffffff) * seat.whole) >> 32) < slot.limit;
        const std::uint64_t hand = itself ? slot.hand : slot.other_hand;
        apart &= (dead & hand) == 0;
        dead |= hand & kRankBits;
        deals.sets[p][lane] = hand;
        deals.combos[p][lane] = itself ? slot.combo : slot.other_combo;
      }
      if (apart) break;
    }
    for (int p = 0; p < players; ++p) {
      if (!seats_[p].slots.empty()) continue;
      const Combo cards = dealer.two(dead);
      deals.sets[p][lane] = kCardSets[cards.low] + kCardSets[cards.high];
      deals.combos[p][lane] = static_cast<std::uint16_t>(combo_index(cards.low, cards.high));
    }
    std::uint64_t board = board_;
    int missing = 5 - dealt_;
    for (; missing >= 2; missing -= 2) {
      const Combo cards = dealer.two(dead);
      board += kCardSets[cards.low] + kCardSets[cards.high];
    }
    if (missing == 1) board += kCardSets[dealer.one(dead)];
    for (int p = 0; p < players; ++p) deals.sets[p][lane] += board;
    return true;
  }

  ZEROSUM_INLINE static void count_pair(const std::uint16_t (*values)[kLanes], int lanes,
                                        std::array<Outcome, 2>& pair) {
    std::uint32_t first = 0, second = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      first += values[0][lane] > values[1][lane];
      second += values[1][lane] > values[0][lane];
    }
    pair[0].wins += first;
    pair[1].wins += second;
    pair[0].ties += static_cast<std::uint32_t>(lanes) - first - second;
    pair[1].ties += static_cast<std::uint32_t>(lanes) - first - second;
  }

  ZEROSUM_INLINE void count(const std::uint16_t (*values)[kLanes], const Deals& deals, int lane, int players,
                            std::vector<SampledOutcome>& sums) const {
    std::uint16_t best = 0;
    for (int p = 0; p < players; ++p) best = std::max(best, values[p][lane]);
    int winners = 0;
    for (int p = 0; p < players; ++p) winners += values[p][lane] == best;
    const std::uint64_t share = kWholePot / winners;
    for (int p = 0; p < players; ++p) {
      const std::uint64_t won = values[p][lane] == best;
      sums[p].outcome.wins += won & (winners == 1);
      sums[p].outcome.ties += won & (winners > 1);
      sums[p].outcome.share += won * share;
      sums[p].squares += won * share * share;
      if (!by_hand_) continue;
      sums[p].shares[deals.combos[p][lane]] += won * share;
      ++sums[p].samples[deals.combos[p][lane]];
    }
  }

  std::vector<Seat> seats_;
  std::uint64_t board_;
  int dealt_;
  std::uint64_t seed_;
  bool by_hand_;
  std::array<std::uint8_t, kCards> deck_{};
  std::uint32_t deck_size_ = 0;
  std::vector<SampledOutcome> outcomes_;
};

}  // namespace zerosum::cards
