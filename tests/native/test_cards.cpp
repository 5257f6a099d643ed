// The card headers without Python: small versions of the tests in tests/unit/cards, for the sanitizers.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "zerosum/cards/all_hands.hpp"
#include "zerosum/cards/enumerate.hpp"
#include "zerosum/cards/evaluate_rows.hpp"
#include "zerosum/cards/hands_equity.hpp"
#include "zerosum/cards/isomorphism.hpp"
#include "zerosum/cards/many_ranges.hpp"
#include "zerosum/cards/monte_carlo.hpp"
#include "zerosum/cards/range_equity.hpp"
#include "zerosum/cards/versus_random.hpp"

using namespace zerosum;
using namespace zerosum::cards;

static std::vector<std::uint8_t> deal(std::mt19937& rng, int count) {
  std::vector<std::uint8_t> deck(kCards);
  std::iota(deck.begin(), deck.end(), std::uint8_t{0});
  std::shuffle(deck.begin(), deck.end(), rng);
  deck.resize(static_cast<std::size_t>(count));
  return deck;
}

static std::uint64_t set_of(const std::vector<std::uint8_t>& cards) {
  std::uint64_t set = 0;
  for (std::uint8_t card : cards) set += card_set(card);
  return set;
}

static void test_evaluation() {
  std::mt19937 rng(1);
  std::vector<std::uint8_t> rows;
  for (int k = 0; k < 1000; ++k) {
    const auto hand = deal(rng, 7);
    rows.insert(rows.end(), hand.begin(), hand.end());
  }
  std::vector<std::uint16_t> values(1000);
  CHECK(evaluate_rows(rows.data(), 1000, 7, values.data()) == 1000);
  for (int k = 0; k < 1000; ++k) {
    const std::uint64_t seven = read_set<7>(rows.data() + 7 * k);
    std::uint16_t best = 0;
    for (int a = 0; a < 7; ++a) {
      for (int b = 0; b < a; ++b) {
        best = std::max(best, evaluate<5>(seven - card_set(rows[7 * k + a]) - card_set(rows[7 * k + b])));
      }
    }
    CHECK(values[k] == best);
    CHECK(evaluate<7>(seven) == best);
  }
  rows[7 * 500 + 3] = rows[7 * 500];
  CHECK(evaluate_rows(rows.data(), 1000, 7, values.data()) == 500);
  rows[7 * 499] = 52;
  CHECK(evaluate_rows(rows.data(), 1000, 7, values.data()) == 499);
}

static void test_smaller_hands() {
  std::mt19937 rng(5);
  for (int size : {5, 6}) {
    std::vector<std::uint8_t> rows;
    for (int k = 0; k < 500; ++k) {
      const auto hand = deal(rng, size);
      rows.insert(rows.end(), hand.begin(), hand.end());
    }
    std::vector<std::uint16_t> values(500);
    CHECK(evaluate_rows(rows.data(), 500, size, values.data()) == 500);
    for (int k = 0; k < 500; ++k) {
      const std::vector<std::uint8_t> hand(rows.begin() + size * k, rows.begin() + size * (k + 1));
      std::uint16_t best = 0;
      for (std::uint8_t left_out : hand) {
        const std::uint64_t set = set_of(hand);
        best = std::max(best, size == 5 ? evaluate<5>(set) : evaluate<5>(set - card_set(left_out)));
      }
      CHECK(values[k] == best);
    }
  }
}

static void test_boards() {
  std::mt19937 rng(2);
  for (int trial = 0; trial < 100; ++trial) {
    const std::uint64_t board = set_of(deal(rng, 5));
    std::array<std::uint16_t, kCombos> values;
    board_values(board, values.data());
    int possible = 0;
    for (int c = 0; c < kCombos; ++c) {
      const std::uint64_t hand = card_set(kCombo[c].low) + card_set(kCombo[c].high);
      const bool blocked = (board & hand & kRankBits) != 0;
      CHECK(values[c] == (blocked ? 0 : evaluate<7>(board + hand)));
      possible += !blocked;
    }
    Ranking ranking;
    ranking.rank(board);
    CHECK(ranking.count == possible && possible == 1081);
    for (int k = 1; k < ranking.count; ++k) CHECK(values[ranking.combo[k - 1]] <= values[ranking.combo[k]]);
  }
}

static void test_equities() {
  const std::uint64_t aces = card_set(48) + card_set(49), kings = card_set(44) + card_set(45);
  std::mt19937 rng(3);
  for (int trial = 0; trial < 20; ++trial) {
    auto cards = deal(rng, 7);
    for (int dealt : {3, 4, 5}) {
      const std::uint64_t board = set_of({cards.begin() + 2, cards.begin() + 2 + dealt});
      const Versus found = VersusRandom(card_set(cards[0]) + card_set(cards[1]), board, dealt).run();
      AllHands all;
      all_hands(board, dealt, all);
      const int combo = combo_index(cards[0], cards[1]);
      CHECK(2 * found.wins + found.ties == all.points[combo]);
      CHECK(found.total == std::uint64_t{990} * all.rivers[combo]);
    }
  }
  HandsEquity exact({aces, kings}, card_set(0) + card_set(5) + card_set(10), 3);
  exact.run();
  CHECK(exact.boards() == 990);
  MonteCarlo sampled({{{combo_index(48, 49), 10'000}}, {{combo_index(44, 45), 10'000}, {0, 500}}, {}}, 0, 0,
                     1, true);
  CHECK(sampled.run(20'000, 3, [] { return false; }));
  std::uint64_t shares = 0;
  for (const auto& outcome : sampled.outcomes()) shares += outcome.outcome.share;
  CHECK(shares == 20'000 * kWholePot);
}

static void test_many_ranges() {
  std::mt19937 rng(6);
  std::vector<WeightedHands> seats(3);
  for (auto& seat : seats) {
    for (int hand = 0; hand < kCombos; hand += 1 + static_cast<int>(rng() % 120))
      seat.push_back({hand, 1 + rng() % 5});
  }
  const std::uint64_t board = set_of(deal(rng, 4));
  const ManyRanges ranges(seats);
  CHECK(ranges.steps(board, 1000000) > seats[0].size());
  const auto sums = ranges.run(river_boards(board, 4), 2, [] { return false; });
  std::array<HandSums, 3> total;
  HandSums all;
  for (std::size_t p = 0; p < 3; ++p) {
    for (const HandSums& hand : sums[p]) total[p].add(hand);
    all.add(total[p]);
    CHECK(total[p].weight == total[0].weight);
  }
  CHECK(all.share == total[0].weight * kWholePot);
}

static void test_isomorphism() {
  std::mt19937_64 rng(4);
  for (const auto& rounds : {std::vector<int>{2}, {2, 3}, {2, 3, 1}, {2, 3, 1, 1}, {2, 4}, {2, 5}, {3}}) {
    const HandIndexer indexer(rounds);
    for (int trial = 0; trial < 2000; ++trial) {
      std::array<std::uint8_t, 7> hand{};
      const std::uint64_t wanted = rng() % indexer.size();
      indexer.hand(wanted, hand.data());
      std::uint64_t row = 0;
      CHECK(index_rows(indexer, hand.data(), 1, &row) == 1);
      CHECK(row == wanted && indexer.index(hand.data()) == wanted);
    }
  }
}

int main() {
  test_evaluation();
  test_smaller_hands();
  test_boards();
  test_many_ranges();
  test_equities();
  test_isomorphism();
  std::puts("test_cards: all passed");
}
