// Exact equities of several ranges, hand by hand: on each river board every hand is ranked once, then every
// way of dealing each seat one of its hands, no card twice, is compared.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "zerosum/cards/evaluate.hpp"
#include "zerosum/cards/hands_equity.hpp"
#include "zerosum/cards/range_equity.hpp"
#include "zerosum/cards/weighted_hands.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cards {

__extension__ typedef unsigned __int128 Wide;

// What one hand of a seat got, weighted by the deals it was part of.
struct HandSums {
  Wide share = 0, wins = 0, ties = 0, weight = 0;

  void add(const HandSums& other) {
    share += other.share;
    wins += other.wins;
    ties += other.ties;
    weight += other.weight;
  }
};

class ManyRanges {
 public:
  using Sums = std::vector<std::vector<HandSums>>;  // [seats][hands]

  explicit ManyRanges(const std::vector<WeightedHands>& seats) : seats_(seats.size()) {
    for (std::size_t p = 0; p < seats.size(); ++p) {
      for (const auto& [hand, weight] : seats[p]) {
        const Combo combo = kCombo[hand];
        seats_[p].push_back({std::uint64_t{1} << combo.low | std::uint64_t{1} << combo.high,
                             card_set(combo.low) + card_set(combo.high), weight});
      }
    }
  }

  // How many hands are dealt on the way to every deal, or `most` where it is more.
  std::uint64_t steps(std::uint64_t board, std::uint64_t most) const {
    std::uint64_t found = 0;
    count_steps(0, cards_of(board), most, found);
    return std::min(found, most);
  }

  // Sums over boards; `is_stopped` is asked now and then.
  template <typename IsStopped>
  Sums run(const std::vector<WeightedBoard>& boards, int threads, IsStopped is_stopped) const {
    std::vector<Sums> parts(static_cast<std::size_t>(threads), empty());
    std::atomic<std::size_t> next{0};
    std::atomic<bool> stopped{false};
    on_threads(threads, [&](int thread) {
      Walk walk(*this, parts[static_cast<std::size_t>(thread)]);
      for (std::size_t b; !stopped && (b = next.fetch_add(1)) < boards.size();) {
        walk.run(boards[b]);
        if (thread == 0 && is_stopped()) stopped = true;
      }
    });
    for (std::size_t t = 1; t < parts.size(); ++t) {
      for (std::size_t p = 0; p < seats_.size(); ++p) {
        for (std::size_t h = 0; h < seats_[p].size(); ++h) parts[0][p][h].add(parts[t][p][h]);
      }
    }
    return parts[0];
  }

 private:
  struct Held {
    std::uint64_t cards;  // a bit each
    std::uint64_t set;
    std::uint64_t weight;
  };

  static std::uint64_t cards_of(std::uint64_t set) {
    std::uint64_t cards = 0;
    for (int card = 0; card < kCards; ++card) {
      if (set & card_set(card) & kRankBits) cards |= std::uint64_t{1} << card;
    }
    return cards;
  }

  Sums empty() const {
    Sums sums(seats_.size());
    for (std::size_t p = 0; p < seats_.size(); ++p) sums[p].resize(seats_[p].size());
    return sums;
  }

  void count_steps(std::size_t seat, std::uint64_t dead, std::uint64_t most, std::uint64_t& found) const {
    if (seat == seats_.size()) return;
    for (const Held& hand : seats_[seat]) {
      if (hand.cards & dead) continue;
      if (++found >= most) return;
      count_steps(seat + 1, dead | hand.cards, most, found);
    }
  }

  // One thread's work: a board at a time.
  class Walk {
   public:
    Walk(const ManyRanges& ranges, Sums& sums) : seats_(ranges.seats_), sums_(sums), live_(seats_.size()) {}

    void run(const WeightedBoard& board) {
      const std::uint64_t dead = cards_of(board.set);
      for (std::size_t p = 0; p < seats_.size(); ++p) {
        live_[p].clear();
        for (std::size_t h = 0; h < seats_[p].size(); ++h) {
          const Held& hand = seats_[p][h];
          if (hand.cards & dead) continue;
          live_[p].push_back({hand.cards, hand.weight, &sums_[p][h], evaluate<7>(board.set + hand.set)});
        }
      }
      deal(0, 0, board.weight, 0);
    }

   private:
    struct Live {
      std::uint64_t cards, weight;
      HandSums* sums;
      std::uint16_t value;
    };

    void deal(std::size_t seat, std::uint64_t dead, std::uint64_t weight, std::uint16_t best) {
      if (seat + 1 == seats_.size()) return last(dead, weight, best);
      for (const Live& hand : live_[seat]) {
        if (hand.cards & dead) continue;
        dealt_[seat] = &hand;
        deal(seat + 1, dead | hand.cards, weight * hand.weight, std::max(best, hand.value));
      }
    }

    // The last seat's hands at once: what the others get depends only on whether it loses, splits or wins.
    void last(std::uint64_t dead, std::uint64_t weight, std::uint16_t best) {
      const std::size_t others = seats_.size() - 1;
      std::uint64_t leaders = 0;
      for (std::size_t p = 0; p < others; ++p) leaders += dealt_[p]->value == best;
      const std::uint64_t split = kWholePot / (leaders + 1);
      std::uint64_t lost = 0, split_weight = 0, won = 0;
      for (const Live& hand : live_[others]) {
        if (hand.cards & dead) continue;
        const std::uint64_t here = weight * hand.weight;
        hand.sums->weight += here;
        if (hand.value < best) {
          lost += here;
        } else if (hand.value == best) {
          split_weight += here;
          hand.sums->ties += here;
          hand.sums->share += Wide{here} * split;
        } else {
          won += here;
          hand.sums->wins += here;
          hand.sums->share += Wide{here} * kWholePot;
        }
      }
      for (std::size_t p = 0; p < others; ++p) {
        HandSums& sums = *dealt_[p]->sums;
        sums.weight += Wide{lost} + split_weight + won;
        if (dealt_[p]->value != best) continue;
        sums.share += Wide{lost} * (kWholePot / leaders) + Wide{split_weight} * split;
        (leaders == 1 ? sums.wins : sums.ties) += lost;
        sums.ties += split_weight;
      }
    }

    const std::vector<std::vector<Held>>& seats_;
    Sums& sums_;
    std::vector<std::vector<Live>> live_;
    std::array<const Live*, kMostPlayers> dealt_{};
  };

  std::vector<std::vector<Held>> seats_;
};

}  // namespace zerosum::cards
