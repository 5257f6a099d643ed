// Exact equity of known hands, two to ten of them: every way the board can come, sixteen last cards at a
// time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"

namespace zerosum::cards {

inline constexpr int kMostPlayers = 10;
inline constexpr std::uint64_t kWholePot =
    2520;  // divisible by every number of winners, so that shares are whole

// What one player got, summed over boards: shares of the pot in 1/2520, and how often it won alone or split.
struct Outcome {
  std::uint64_t share = 0, wins = 0, ties = 0;
};

class HandsEquity {
 public:
  // `hands` are sets of two cards, `board` a set of `dealt` cards.
  HandsEquity(const std::vector<std::uint64_t>& hands, std::uint64_t board, int dealt)
      : players_(static_cast<int>(hands.size())),
        board_(board),
        missing_(5 - dealt),
        outcomes_(hands.size()) {
    std::uint64_t dead = board & kRankBits;  // without the counts, which hold no more than seven cards
    for (int p = 0; p < players_; ++p) {
      hands_[p] = hands[p];
      dead |= hands[p] & kRankBits;
    }
    for (int card = 0; card < kCards; ++card) {
      if (dead & card_set(card)) continue;
      for (int suit = 0; suit < 4; ++suit) {
        ranks_[suit][deck_] = static_cast<std::uint16_t>(suit == suit_of(card) ? 1 << rank_of(card) : 0);
      }
      cards_[deck_++] = card_set(card);
    }
  }

  void run() {
    if (missing_ == 0) {
      count_one(board_);
    } else {
      extend(board_, 0, missing_);
    }
  }

  std::uint64_t boards() const { return boards_; }
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  void extend(std::uint64_t set, int from, int more) {
    if (more == 1) return last_card(set, from);
    for (int k = from; k + more <= deck_; ++k) extend(set + cards_[k], k + 1, more - 1);
  }

  void last_card(std::uint64_t set, int from) { last_card_of(*this, set, from); }

  ZEROSUM_CLONES static void last_card_of(HandsEquity& self, std::uint64_t set, int from) {
    self.last_card_body(set, from);
  }

  ZEROSUM_INLINE void last_card_body(std::uint64_t set, int from) {
    for (int k = from; k < deck_; k += kLanes) {
      const int lanes = std::min(kLanes, deck_ - k);
      alignas(32) std::uint16_t values[kMostPlayers][kLanes];
      for (int p = 0; p < players_; ++p) evaluate_with(set + hands_[p], k, lanes, values[p]);
      boards_ += static_cast<std::uint64_t>(lanes);
      if (players_ == 2) {
        count_two(values, lanes);
      } else {
        count_many(values, lanes);
      }
    }
  }

  // Six cards and each of sixteen last ones.
  ZEROSUM_INLINE void evaluate_with(std::uint64_t six, int k, int lanes, std::uint16_t* values) const {
    Lanes suits[4];
    for (int suit = 0; suit < 4; ++suit) {
      Lanes last;
      __builtin_memcpy(&last, ranks_[suit].data() + k, sizeof last);
      suits[suit] = last | static_cast<std::uint16_t>(ranks_in(six, suit));
    }
    const auto planes = Planes<Lanes>::of(suits[0], suits[1], suits[2], suits[3]);
    const Lanes found = number_lanes(rank_planes<7>(planes));
    __builtin_memcpy(values, &found, sizeof found);
    const std::uint64_t near = ((six >> 13) & 0x0007000700070007ULL) + 0x0004000400040004ULL;  // four or more
    if ((near & 0x0008000800080008ULL) == 0) return;
    for (int lane = 0; lane < lanes; ++lane) {
      const std::uint64_t seven = six + cards_[k + lane];
      if (has_flush(seven)) values[lane] = flush_value(seven);
    }
  }

  ZEROSUM_INLINE void count_two(const std::uint16_t (*values)[kLanes], int lanes) {
    std::uint64_t first = 0, second = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      first += values[0][lane] > values[1][lane];
      second += values[1][lane] > values[0][lane];
    }
    const std::uint64_t both = static_cast<std::uint64_t>(lanes) - first - second;
    add(0, first, both, 2);
    add(1, second, both, 2);
  }

  ZEROSUM_INLINE void count_many(const std::uint16_t (*values)[kLanes], int lanes) {
    for (int lane = 0; lane < lanes; ++lane) {
      std::uint16_t best = 0;
      for (int p = 0; p < players_; ++p) best = std::max(best, values[p][lane]);
      int winners = 0;
      for (int p = 0; p < players_; ++p) winners += values[p][lane] == best;
      for (int p = 0; p < players_; ++p) {
        if (values[p][lane] == best) add(p, winners == 1, winners > 1, winners);
      }
    }
  }

  ZEROSUM_INLINE void add(int player, std::uint64_t wins, std::uint64_t ties, int winners) {
    Outcome& outcome = outcomes_[player];
    outcome.wins += wins;
    outcome.ties += ties;
    outcome.share += wins * kWholePot + ties * (kWholePot / winners);
  }

  void count_one(std::uint64_t set) {
    std::uint16_t values[kMostPlayers][kLanes];
    for (int p = 0; p < players_; ++p) values[p][0] = evaluate<7>(set + hands_[p]);
    count_many(values, 1);
    boards_ = 1;
  }

  int players_, deck_ = 0;
  std::uint64_t board_;
  int missing_;
  std::vector<Outcome> outcomes_;
  std::uint64_t boards_ = 0;
  std::array<std::uint64_t, kMostPlayers> hands_{};
  std::array<std::uint64_t, kCards + kLanes> cards_{};
  std::array<std::array<std::uint16_t, kCards + kLanes>, 4>
      ranks_{};  // [suit, deck] the card's rank bit in its suit
};

}  // namespace zerosum::cards
