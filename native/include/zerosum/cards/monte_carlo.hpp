// Sampled equity of any ranges. Samples come in chunks whose luck follows from (seed, chunk), and are summed
// in whole numbers, so that neither threads nor their order can show in the result.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"
#include "zerosum/cards/hands_equity.hpp"
#include "zerosum/random.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cards {

// A player's hands: any two cards, or weighted pairs.
struct Seat {
  std::vector<std::uint16_t> combos;      // empty: any two cards
  std::vector<std::uint64_t> cumulative;  // [combos] sums of weights
};

struct SampledOutcome {
  Outcome outcome;
  std::uint64_t squares = 0;                               // sum of squared shares
  std::array<std::uint64_t, kCombos> shares{}, samples{};  // by the two cards held

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

  MonteCarlo(std::vector<Seat> seats, std::uint64_t board, int dealt, std::uint64_t seed)
      : seats_(std::move(seats)), board_(board), dealt_(dealt), seed_(seed) {}

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
  // Numbers below a bound, two from each draw of 64 bits.
  class Dealer {
   public:
    explicit Dealer(CounterRng rng) : rng_(rng) {}
    ZEROSUM_INLINE std::uint32_t below(std::uint32_t bound) {
      if (!half_) bits_ = rng_.bits();
      const auto part = static_cast<std::uint32_t>(half_ ? bits_ >> 32 : bits_);
      half_ = !half_;
      return static_cast<std::uint32_t>((std::uint64_t{part} * bound) >> 32);
    }
    ZEROSUM_INLINE int card(std::uint64_t& dead) {
      for (;;) {
        const std::uint32_t card = below(kCards);
        const std::uint64_t bit = kCardSets[card] & kRankBits;
        if (dead & bit) continue;
        dead |= bit;
        return static_cast<int>(card);
      }
    }

   private:
    CounterRng rng_;
    std::uint64_t bits_ = 0;
    bool half_ = false;
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
    Dealer dealer(CounterRng(seed_, chunk, 0));
    const int players = static_cast<int>(seats_.size());
    Deals deals;
    alignas(32) std::uint16_t values[kMostPlayers][kLanes];
    for (std::uint64_t done = 0; done < samples; done += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) {
        if (!deal(dealer, lane, deals)) return false;
      }
      for (int p = 0; p < players; ++p) evaluate_sixteen<7>(deals.sets[p], values[p]);
      const int lanes = static_cast<int>(std::min<std::uint64_t>(kLanes, samples - done));
      for (int lane = 0; lane < lanes; ++lane) count(values, deals, lane, players, sums);
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
      for (int p = 0; p < players && apart; ++p) {
        if (seats_[p].combos.empty()) continue;
        const std::uint16_t combo = draw(dealer, seats_[p]);
        const std::uint64_t hand = kCardSets[kCombo[combo].low] + kCardSets[kCombo[combo].high];
        apart = (dead & hand) == 0;
        dead |= hand & kRankBits;
        deals.sets[p][lane] = hand;
        deals.combos[p][lane] = combo;
      }
      if (apart) break;
    }
    for (int p = 0; p < players; ++p) {
      if (!seats_[p].combos.empty()) continue;
      const int first = dealer.card(dead), second = dealer.card(dead);
      deals.sets[p][lane] = kCardSets[first] + kCardSets[second];
      deals.combos[p][lane] = static_cast<std::uint16_t>(combo_index(first, second));
    }
    std::uint64_t board = board_;
    for (int k = dealt_; k < 5; ++k) board += kCardSets[dealer.card(dead)];
    for (int p = 0; p < players; ++p) deals.sets[p][lane] += board;
    return true;
  }

  ZEROSUM_INLINE std::uint16_t draw(Dealer& dealer, const Seat& seat) const {
    if (seat.combos.size() == 1) return seat.combos[0];
    const std::uint64_t ticket = dealer.below(static_cast<std::uint32_t>(seat.cumulative.back()));
    return seat.combos[std::upper_bound(seat.cumulative.begin(), seat.cumulative.end(), ticket) -
                       seat.cumulative.begin()];
  }

  ZEROSUM_INLINE static void count(const std::uint16_t (*values)[kLanes], const Deals& deals, int lane,
                                   int players, std::vector<SampledOutcome>& sums) {
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
      sums[p].shares[deals.combos[p][lane]] += won * share;
      ++sums[p].samples[deals.combos[p][lane]];
    }
  }

  std::vector<Seat> seats_;
  std::uint64_t board_;
  int dealt_;
  std::uint64_t seed_;
  std::vector<SampledOutcome> outcomes_;
};

}  // namespace zerosum::cards
