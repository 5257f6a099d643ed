// Exact equity of every hand of one range against another: board by board, all hands ranked at once, and
// hands that share a card taken out by counting what each card is in.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "zerosum/cards/board.hpp"
#include "zerosum/cards/card.hpp"
#include "zerosum/cards/isomorphism.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::cards {

// Sums over boards for one hand: the weight of theirs that it beats, ties with, and meets at all.
struct Tally {
  std::array<std::uint64_t, kCombos> beats{}, ties{}, meets{};

  void add(const Tally& other) {
    for (int c = 0; c < kCombos; ++c) {
      beats[c] += other.beats[c];
      ties[c] += other.ties[c];
      meets[c] += other.meets[c];
    }
  }
};

struct WeightedBoard {
  std::uint64_t set;
  std::uint64_t weight;
};

// Every river board that contains `board` (a set of `dealt` cards).
inline std::vector<WeightedBoard> river_boards(std::uint64_t board, int dealt) {
  std::vector<WeightedBoard> boards{{board, 1}};
  std::vector<int> last{-1};
  for (; dealt < 5; ++dealt) {
    std::vector<WeightedBoard> longer;
    std::vector<int> newest;
    for (std::size_t k = 0; k < boards.size(); ++k) {
      for (int card = last[k] + 1; card < kCards; ++card) {
        if (board & card_set(card) & kRankBits) continue;
        longer.push_back({boards[k].set + card_set(card), 1});
        newest.push_back(card);
      }
    }
    boards = std::move(longer);
    last = std::move(newest);
  }
  return boards;
}

// One board of each kind that suits alone tell apart, weighted by how many there are: enough where both
// ranges are the same in every suit.
inline std::vector<WeightedBoard> canonical_boards(int cards) {
  const HandIndexer indexer({cards});
  std::vector<WeightedBoard> boards(indexer.size());
  for (std::uint64_t index = 0; index < indexer.size(); ++index) {
    std::array<std::uint8_t, 5> hand{};
    indexer.hand(index, hand.data());
    std::array<int, 4> names{0, 1, 2, 3};
    std::vector<std::uint64_t> seen;
    do {
      std::uint64_t set = 0;
      for (int k = 0; k < cards; ++k) set += card_set(rank_of(hand[k]) * 4 + names[suit_of(hand[k])]);
      seen.push_back(set);
    } while (std::next_permutation(names.begin(), names.end()));
    boards[index].set = seen.front();
    std::sort(seen.begin(), seen.end());
    boards[index].weight = static_cast<std::uint64_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
  }
  return boards;
}

namespace detail {

ZEROSUM_CLONES inline void tally_boards(const WeightedBoard* boards, std::size_t count,
                                        const std::uint32_t* mine, const std::uint32_t* theirs,
                                        Tally& tally) {
  Ranking ranking;
  for (std::size_t b = 0; b < count; ++b) {
    ranking.rank(boards[b].set);
    Holding all;
    for (int k = 0; k < ranking.count; ++k) all.add(ranking.combo[k], theirs[ranking.combo[k]]);
    const std::uint64_t weight = boards[b].weight;
    against_range(ranking, theirs, [&](int c, std::uint32_t below, std::uint32_t equal) {
      if (mine[c] == 0) return;
      tally.beats[c] += weight * below;
      tally.ties[c] += weight * equal;
      tally.meets[c] += weight * all.apart_from(c, theirs[c]);
    });
  }
}

}  // namespace detail

// [1326] weights of my hands (only zero or not matters) against [1326] weights of theirs, over the given
// boards; `is_stopped` is asked now and then.
template <typename IsStopped>
Tally tally_range(const std::vector<WeightedBoard>& boards, const std::uint32_t* mine,
                  const std::uint32_t* theirs, int threads, IsStopped is_stopped) {
  constexpr std::size_t kChunk = 64;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::vector<Tally> parts(static_cast<std::size_t>(std::max(threads, 1)));
  on_threads(static_cast<int>(parts.size()), [&](int thread) {
    for (std::size_t from; !stopped && (from = next.fetch_add(kChunk)) < boards.size();) {
      const std::size_t count = std::min(kChunk, boards.size() - from);
      detail::tally_boards(boards.data() + from, count, mine, theirs,
                           parts[static_cast<std::size_t>(thread)]);
      if (thread == 0 && is_stopped()) stopped = true;
    }
  });
  for (std::size_t t = 1; t < parts.size(); ++t) parts[0].add(parts[t]);
  return parts[0];
}

}  // namespace zerosum::cards
