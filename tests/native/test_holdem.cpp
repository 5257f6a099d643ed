// The hold'em headers without Python, for the sanitizers: random hands of every size, tables, views and
// perft.
#include <cmath>
#include <memory>
#include <numeric>
#include <random>

#include "check.hpp"
#include "zerosum/games/holdem/match.hpp"
#include "zerosum/games/holdem/perft.hpp"
#include "zerosum/games/holdem/tables.hpp"
#include "zerosum/games/holdem/view.hpp"

using namespace zerosum;
using namespace zerosum::holdem;

static std::shared_ptr<Rules> rules_for(std::mt19937& rng, int players) {
  auto rules = std::make_shared<Rules>();
  rules->players = players;
  rules->bets = {2, 2, 2, 2};
  rules->blinds = {1, 2};
  if (players == 2) std::swap(rules->blinds[0], rules->blinds[1]);
  for (int i = 0; i < players; ++i) {
    rules->stacks[i] = 1 + static_cast<Chips>(rng() % 40);
    rules->antes[i] = static_cast<Chips>(rng() % 2);
  }
  for (std::size_t k = 0; k < 4; ++k) rules->menu.set(k, {{BetSize::kPot, 1, 2}, {BetSize::kTimes, 5, 2}});
  return rules;
}

static void test_hands() {
  std::mt19937 rng(1);
  for (int trial = 0; trial < 600; ++trial) {
    const auto rules = rules_for(rng, 2 + trial % 9);
    const Chips all = std::accumulate(rules->stacks.begin(), rules->stacks.end(), Chips{0});
    std::vector<std::uint8_t> deck(52);
    std::iota(deck.begin(), deck.end(), std::uint8_t{0});
    std::shuffle(deck.begin(), deck.end(), rng);
    Hand hand(rules);
    for (std::size_t dealt = 0; hand.actor() != kOver;) {
      if (hand.actor() == kDeal) {
        hand = hand.with_card(deck[dealt++]);
        continue;
      }
      std::array<std::uint8_t, kMostActions> legal{}, seen{};
      const int count = hand.legal(legal);
      const View view(hand, hand.actor());
      CHECK(view.hand().legal(seen) == count && seen == legal);
      CHECK(!view.key().empty() && !view.words().empty());
      hand = hand.child(legal[rng() % static_cast<unsigned>(count)]);
      Chips chips = hand.state().pot;
      for (int i = 0; i < rules->players; ++i) chips += hand.state().stack[i];
      CHECK(chips == all);
    }
    for (OddChips odd : {OddChips::kExact, OddChips::kSeats, OddChips::kFirst}) {
      const auto won = hand.payoff_parts(odd);
      CHECK(std::accumulate(won.begin(), won.end(), Chips{0}) == 0);
    }
  }
}

static void test_refusals() {
  std::mt19937 rng(2);
  const auto rules = rules_for(rng, 2);
  rules->stacks = {20, 20};
  rules->antes = {};
  Hand hand(rules);
  for (int card = 0; card < 4; ++card) hand = hand.with_card(card);
  const auto refused = [&](auto step) {
    try {
      step();
    } catch (const RuleError&) {
      return true;
    }
    return false;
  };
  CHECK(refused([&] { hand.with_action(3); }));
  CHECK(refused([&] { hand.with_action(21); }));
  CHECK(refused([&] { hand.with_card(9); }));
  CHECK(refused([&] { hand.child(17); }));
  CHECK(refused([&] { hand.payoff_parts(OddChips::kExact); }));
}

static void test_tables() {
  std::mt19937 rng(3);
  const auto rules = rules_for(rng, 6);
  rules->stacks.fill(100);
  Tables one(rules, 50, 7, 1), three(rules, 50, 7, 3);
  std::vector<std::int64_t> actions(50);
  std::vector<double> rewards(300), others(300);
  auto over = std::make_unique<bool[]>(50);
  for (std::uint64_t round = 0; round < 100; ++round) {
    one.sample(1, round, actions.data());
    CHECK(one.step(actions.data(), rewards.data(), over.get()) == 50);
    CHECK(three.step(actions.data(), others.data(), over.get()) == 50);
    CHECK(rewards == others);
  }
  actions.assign(50, 99);
  CHECK(one.step(actions.data(), rewards.data(), over.get()) == 0);
}

static void test_matches() {
  std::mt19937 rng(4);
  for (int players : {2, 3, 6}) {
    const auto rules = rules_for(rng, players);
    rules->stacks.fill(60);
    Match::Players scripts;
    for (int p = 0; p < players; ++p) scripts.push_back(static_cast<Script>((3 * p + players) % 8));
    const auto rotations = static_cast<std::size_t>(players);
    const Match one(rules, scripts, 5, 0, 12, rotations, 1), three(rules, scripts, 5, 0, 12, rotations, 3);
    for (std::size_t h = 0; h < one.size(); ++h) {
      CHECK(one.state(h).actor == kOver && one.won(h) == three.won(h));
      const auto won = one.won(h);
      CHECK(std::accumulate(won.begin(), won.end(), Chips{0}) == 0);
      const auto expected = one.expected(h, 8);
      CHECK(std::abs(std::accumulate(expected.begin(), expected.end(), 0.0)) < 1e-3);
      if (players == 2) CHECK(one.luck_of(h, 0, 8)[0] == -one.luck_of(h, 1, 8)[0]);
    }
  }
}

static void test_perft() {
  Rules rules;
  rules.stacks = {10, 10};
  rules.blinds = {2, 1};
  rules.bets = {2, 2, 2, 2};
  CHECK((Perft(rules).count([] { return false; }) == NodeCounts{60, 300, 860, 1868}));
}

int main() {
  test_hands();
  test_refusals();
  test_tables();
  test_matches();
  test_perft();
  return 0;
}
