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
#include "zerosum/cards/decks.hpp"
#include "zerosum/cards/evaluate.hpp"
#include "zerosum/cards/hands_equity.hpp"
#include "zerosum/cards/weighted_hands.hpp"
#include "zerosum/random.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cards {

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
  static constexpr int kMostTries = 100'000;  // of sixteen deals

  // An empty seat holds any two cards. With `by_hand`, shares are also kept by the two cards held.
  // Hands are pairs of cards by number.
  MonteCarlo(const std::vector<WeightedHands>& seats, std::uint64_t board, int dealt, std::uint64_t seed,
             bool by_hand)
      : board_(board), dealt_(dealt), seed_(seed), by_hand_(by_hand) {
    std::uint64_t dead = board & kRankBits;  // by the board and by hands that are certain
    for (const auto& seat : seats) {
      if (seat.size() != 1) continue;
      possible_ &= (dead & sets_of(seat[0].first)) == 0;
      dead |= sets_of(seat[0].first);
    }
    std::array<int, kCards> card_itself{}, place{};
    for (int card = 0; card < kCards; ++card) {
      card_itself[card] = card;
      place[card] = left_;
      if (card_set(card) & dead) {
        certain_.take_above(CardLanes{} + static_cast<std::int16_t>(card));
      } else {
        ++left_;
      }
    }
    for (const auto& seat : seats) {
      WeightedHands hands;
      const auto& number = seat.size() == 1 ? card_itself : place;
      for (const auto& [combo, weight] : seat) {
        if (seat.size() > 1 && (sets_of(combo) & dead) != 0) continue;
        hands.emplace_back(number[kCombo[combo].low] | number[kCombo[combo].high] << 8, weight);
      }
      possible_ &= seat.empty() || !hands.empty();
      ranges_ += seat.size() > 1;
      seats_.emplace_back(hands);
      is_range_.push_back(seat.size() > 1);
    }
  }

  // False where the ranges hardly ever leave each other a hand. `is_stopped` is asked now and then, on the
  // calling thread.
  template <typename IsStopped>
  bool run(std::uint64_t samples, int threads, IsStopped is_stopped) {
    std::atomic<std::uint64_t> next{0};
    std::atomic<bool> possible{possible_};
    const std::uint64_t chunks = (samples + kChunk - 1) / kChunk;
    std::vector<std::vector<SampledOutcome>> parts(static_cast<std::size_t>(std::max(threads, 1)),
                                                   std::vector<SampledOutcome>(seats_.size()));
    on_threads(static_cast<int>(parts.size()), [&](int thread) {
      for (std::uint64_t chunk; possible && (chunk = next.fetch_add(1)) < chunks;) {
        const std::uint64_t size = std::min(kChunk, samples - chunk * kChunk);
        if (!run_chunk(*this, chunk, size, parts[static_cast<std::size_t>(thread)])) possible = false;
        if (thread == 0 && is_stopped()) possible = false;
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
  // Sixteen cards, and their bits: the rank's, and the suit's in half bytes.
  struct Dealt {
    CardLanes card;
    Lanes rank, suit;

    Dealt() = default;
    explicit ZEROSUM_INLINE Dealt(CardLanes number)
        : card(number), rank(shifted_one(number >> 2)), suit(shifted_one((number & 3) << 2)) {}
  };

  // Sixteen samples: two cards for each player, and those of the board that were not given.
  struct Deals {
    Dealt low[kMostPlayers], high[kMostPlayers], board[5];
  };

  static constexpr std::uint64_t sets_of(int combo) {
    return (card_set(kCombo[combo].low) | card_set(kCombo[combo].high)) & kRankBits;
  }

  // How many cards there are of each rank, and of each suit in half bytes.
  struct Held {
    Planes<Lanes> planes;
    Lanes suits;

    static ZEROSUM_INLINE Held all(std::uint64_t set) {
      const auto one =
          Planes<std::uint32_t>::of(ranks_in(set, 0), ranks_in(set, 1), ranks_in(set, 2), ranks_in(set, 3));
      std::uint32_t suits = 0;
      for (int suit = 0; suit < 4; ++suit)
        suits |= static_cast<std::uint32_t>((set >> (16 * suit + 13)) & 7) << (4 * suit);
      const Lanes zero{};
      return {{zero + static_cast<std::uint16_t>(one.ones), zero + static_cast<std::uint16_t>(one.twos),
               zero + static_cast<std::uint16_t>(one.fours)},
              zero + static_cast<std::uint16_t>(suits)};
    }
    ZEROSUM_INLINE Held plus(const Dealt& card) const { return {planes.plus(card.rank), suits + card.suit}; }
  };

  ZEROSUM_CLONES static bool run_chunk(const MonteCarlo& self, std::uint64_t chunk, std::uint64_t samples,
                                       std::vector<SampledOutcome>& sums) {
    return self.run_chunk_body(chunk, samples, sums);
  }

  ZEROSUM_INLINE bool run_chunk_body(std::uint64_t chunk, std::uint64_t samples,
                                     std::vector<SampledOutcome>& sums) const {
    LaneRng rng(CounterRng(seed_, chunk, 0));
    const int players = static_cast<int>(seats_.size());
    const Held given = Held::all(board_);
    Deals deals;
    for (int p = 0; p < players; ++p) {
      if (is_range_[p] || seats_[p].is_random()) continue;
      deals.low[p] = Dealt(CardLanes{} + static_cast<std::int16_t>(seats_[p].first() & 0xff));
      deals.high[p] = Dealt(CardLanes{} + static_cast<std::int16_t>(seats_[p].first() >> 8));
    }
    alignas(32) std::uint16_t values[kMostPlayers][kLanes];
    std::array<Outcome, 2> pair{};
    for (std::uint64_t done = 0; done < samples; done += kLanes) {
      if (!deal(rng, deals)) return false;
      Held board = given;
      for (int k = 0; k < 5 - dealt_; ++k) board = board.plus(deals.board[k]);
      for (int p = 0; p < players; ++p)
        evaluate_hands(board.plus(deals.low[p]).plus(deals.high[p]), deals, p, values[p]);
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

  // Sixteen samples: the ranges' hands; then any two cards for the others; then the board. Drawn are places
  // among the cards that are not certain. Hands that are certain stay as they are.
  ZEROSUM_INLINE bool deal(LaneRng& rng, Deals& deals) const {
    const int players = static_cast<int>(seats_.size());
    alignas(32) std::uint16_t hands[kMostPlayers][kLanes];
    if (!draw_hands(rng, hands)) return false;
    SixteenDraws taken(left_);
    for (int p = 0; p < players; ++p) {
      if (!is_range_[p]) continue;
      Lanes packed;
      __builtin_memcpy(&packed, hands[p], sizeof packed);
      const auto low = reinterpret_cast<CardLanes>(packed & std::uint16_t{0xff}),
                 high = reinterpret_cast<CardLanes>(packed >> 8);
      if (ranges_ == 1) {
        taken.take_above(low);
        taken.take_above(high);
      } else {
        taken.take(low);
        taken.take(high);
      }
      deals.low[p] = Dealt(certain_.skip(low));
      deals.high[p] = Dealt(certain_.skip(high));
    }
    for (;;) {
      SixteenDraws left = taken;
      const auto next = [&]() __attribute__((always_inline)) {
        const CardLanes place = left.draw(rng);
        left.take(place);
        return Dealt(certain_.skip(place));
      };
      for (int p = 0; p < players; ++p) {
        if (!seats_[p].is_random()) continue;
        deals.low[p] = next();
        deals.high[p] = next();
      }
      for (int k = 0; k < 5 - dealt_; ++k) deals.board[k] = next();
      if (left.is_fair()) return true;
    }
  }

  // The hands of the ranges, the lower place first; those of several ranges are drawn until they share no
  // card.
  ZEROSUM_INLINE bool draw_hands(LaneRng& rng, std::uint16_t (*hands)[kLanes]) const {
    const auto draw = [&](int p) __attribute__((always_inline)) {
      for (int half = 0; half < kLanes; half += 8) {
        const LaneRng::Words words = rng.bits();
        std::uint32_t bits[8];
        __builtin_memcpy(bits, &words, sizeof bits);
        for (int k = 0; k < 8; ++k) hands[p][half + k] = seats_[p].draw(bits[k]);
      }
    };
    const int players = static_cast<int>(seats_.size());
    if (ranges_ <= 1) {
      for (int p = 0; p < players; ++p) {
        if (is_range_[p]) draw(p);
      }
      return true;
    }
    std::uint16_t accepted[kMostPlayers][kLanes];
    int found = 0;
    for (int tries = 0; found < kLanes; ++tries) {
      if (tries == kMostTries) return false;
      for (int p = 0; p < players; ++p) {
        if (is_range_[p]) draw(p);
      }
      for (int lane = 0; lane < kLanes && found < kLanes; ++lane) {
        std::uint64_t dead = 0;
        bool apart = true;
        for (int p = 0; p < players; ++p) {
          if (!is_range_[p]) continue;
          const std::uint16_t hand = hands[p][lane];
          const std::uint64_t cards = std::uint64_t{1} << (hand & 0xff) | std::uint64_t{1} << (hand >> 8);
          apart &= (dead & cards) == 0;
          dead |= cards;
          accepted[p][found] = hand;
        }
        found += apart;
      }
    }
    __builtin_memcpy(hands, accepted, sizeof accepted);
    return true;
  }

  ZEROSUM_INLINE void evaluate_hands(const Held& held, const Deals& deals, int player,
                                     std::uint16_t* values) const {
    const Lanes found = number_lanes(rank_planes<7>(held.planes));
    __builtin_memcpy(values, &found, sizeof found);
    // Five of a suit and three more carry into the top bit of its half byte.
    const Lanes five = (held.suits + std::uint16_t{0x3333}) & std::uint16_t{0x8888};
    typedef std::uint64_t Words __attribute__((vector_size(32)));
    const Words any = reinterpret_cast<Words>(five);
    if ((any[0] | any[1] | any[2] | any[3]) == 0) return;
    for (int word = 0; word < 4; ++word) {
      for (std::uint64_t bits = any[word]; bits != 0;) {
        const int within = __builtin_ctzll(bits) / 16, lane = 4 * word + within;
        bits &= ~(std::uint64_t{0xffff} << (16 * within));
        std::uint64_t set =
            board_ + kCardSets[deals.low[player].card[lane]] + kCardSets[deals.high[player].card[lane]];
        for (int k = 0; k < 5 - dealt_; ++k) set += kCardSets[deals.board[k].card[lane]];
        values[lane] = flush_value(set);
      }
    }
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
      const int combo = combo_index(deals.low[p].card[lane], deals.high[p].card[lane]);
      sums[p].shares[combo] += won * share;
      ++sums[p].samples[combo];
    }
  }

  std::vector<Seat> seats_;
  std::uint64_t board_;
  int dealt_;
  std::uint64_t seed_;
  bool by_hand_;
  bool possible_ = true;
  std::vector<char> is_range_;    // [seats] whether more than one hand was given
  int ranges_ = 0;                // how many are
  SixteenDraws certain_{kCards};  // with the board and the hands that are certain taken
  int left_ = 0;                  // cards that are not certain
  std::vector<SampledOutcome> outcomes_;
};

}  // namespace zerosum::cards
