// The six-max headers without Python, for the sanitizers: rows of random hands, names of suits, walks,
// equities, and attention against a plain one.
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "check.hpp"
#include "zerosum/cfr/traversals.hpp"
#include "zerosum/games/holdem/sixmax_equity.hpp"
#include "zerosum/games/holdem/sixmax_walks.hpp"
#include "zerosum/nn/attention_back.hpp"
#include "zerosum/nn/pooling.hpp"

using namespace zerosum;
using namespace zerosum::holdem;

static std::shared_ptr<Rules> rules_for(std::mt19937& rng, int players) {
  auto rules = std::make_shared<Rules>();
  rules->players = players;
  rules->bets = {2, 2, 2, 2};
  rules->blinds = {1, 2};
  if (players == 2) std::swap(rules->blinds[0], rules->blinds[1]);
  for (int i = 0; i < players; ++i) rules->stacks[i] = 1 + static_cast<Chips>(rng() % 300);
  for (std::size_t k = 0; k < 4; ++k) rules->menu.set(k, {{BetSize::kPot, 1, 2}, {BetSize::kPot, 1, 1}});
  return rules;
}

static bool same_bytes(const SixMaxRow& a, const SixMaxRow& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Hands with other suits are played alike; their rows are one once suits are named.
static void test_rows() {
  std::mt19937 rng(1);
  for (int trial = 0; trial < 400; ++trial) {
    const auto rules = rules_for(rng, 2 + trial % 5);
    std::array<std::uint8_t, 52> cards = cards::kDeck, other;
    std::shuffle(cards.begin(), cards.end(), rng);
    std::array<std::uint8_t, 4> names = {0, 1, 2, 3};
    std::shuffle(names.begin(), names.end(), rng);
    for (std::size_t k = 0; k < 52; ++k)
      other[k] = static_cast<std::uint8_t>((cards[k] & ~3) | names[cards[k] & 3]);
    Hand one(rules, cards.data(), 52), two(rules, other.data(), 52);
    while (one.actor() >= 0) {
      for (int seat = 0; seat < rules->players; ++seat) {
        SixMaxRow first = see(*rules, one.state(), seat, history_of(one));
        SixMaxRow second = see(*rules, two.state(), seat, history_of(two));
        CHECK(first.tokens <= kTokens);
        name_suits(first);
        name_suits(second);
        CHECK(same_bytes(first, second));
        const auto chances = draw_equities(first, 3, CounterRng(1, 2, 3));
        for (const float chance : chances) CHECK(chance >= 0.0f && chance <= 1.0f);
      }
      std::array<std::uint8_t, kMostActions> offered;
      const int count = one.legal(offered);
      const int number = offered[rng() % static_cast<unsigned>(count)];
      one = one.child(number);
      two = two.child(number);
    }
  }
}

static void test_long_histories() {
  History history;
  for (int k = 0; k < 60; ++k) history.add(k % 6, Told::kRaise, k % 4, static_cast<float>(k));
  CHECK(history.count == kTokens);
  CHECK(history.amount[0] == 36.0f && history.amount[kTokens - 1] == 59.0f);
}

// Every walk ends, and one that folds loses what it has put in.
static void test_walks() {
  std::mt19937 rng(2);
  for (int players = 2; players <= 6; ++players) {
    const auto rules = rules_for(rng, players);
    const SixMaxGame game{*rules, players - 1};
    cfr::Traversals<SixMaxGame> walks(game, players - 1);
    for (std::uint64_t k = 0; k < 20; ++k) walks.begin(mix64(k), 0);
    for (const auto* asked = &walks.advance(); !asked->empty(); asked = &walks.advance()) {
      const std::vector<std::int32_t> records = *asked;
      for (const std::int32_t record : records) {
        SixMaxGame::State& at = walks.state(record);
        const std::array<double, 5> strategy = {0.4, 0.4, 0.2, 0.0, 0.0}, explore = {0.3, 0.3, 0.3, 0.3, 0.3};
        if (at.table.actor == players - 1)
          game.prune(at, strategy.data(), explore.data(), walks.luck(record));
        std::vector<double> shares(at.count, 1.0 / at.count);
        (void)game.row(at);
        walks.answer(record, shares.data(), nullptr);
      }
    }
    cfr::Found<SixMaxGame::State> found;
    walks.finish(false, found);
    CHECK(!found.at.empty());
    for (const double regret : found.regret) CHECK(std::isfinite(regret));
  }
}

static double plain_attention(const std::vector<float>& token, std::int64_t from, std::int64_t to,
                              std::int64_t i, int column) {
  const int head = column / 16, hidden = 64;
  std::vector<double> share;
  double sum = 0.0;
  for (std::int64_t j = from; j < to; ++j) {
    double score = 0.0;
    for (int d = 0; d < 16; ++d)
      score += double{token[i * 192 + head * 16 + d]} * token[j * 192 + hidden + head * 16 + d];
    share.push_back(std::exp(score / 4));
    sum += share.back();
  }
  double mean = 0.0;
  for (std::int64_t j = from; j < to; ++j)
    mean += share[j - from] / sum * token[j * 192 + 2 * hidden + column];
  return mean;
}

static void test_attention() {
  std::mt19937 rng(3);
  std::normal_distribution<float> normal;
  std::vector<std::int64_t> offset = {0};
  for (const int length : {1, 8, 0, 9, 16, 17, 24, 32, 3}) offset.push_back(offset.back() + length);
  std::vector<float> token(static_cast<std::size_t>(offset.back()) * 192), out(token.size() / 3),
      wanted(out.size());
  for (float& x : token) x = normal(rng);
  for (float& x : wanted) x = normal(rng);
  const nn::Sequences all{token.data(), offset.data(), offset.size() - 1, 4};
  nn::attend(all, out.data());
  for (std::size_t k = 0; k + 1 < offset.size(); ++k) {
    for (std::int64_t i = offset[k]; i < offset[k + 1]; ++i) {
      for (int c = 0; c < 64; ++c)
        CHECK(std::fabs(out[i * 64 + c] - plain_attention(token, offset[k], offset[k + 1], i, c)) < 1e-5);
    }
  }
  std::vector<float> by_token(token.size()), moved(out.size());
  nn::attend_back(all, wanted.data(), by_token.data());
  for (int trial = 0; trial < 40; ++trial) {  // the slope along one number, by differences
    const std::size_t at = rng() % token.size();
    const float kept = token[at];
    double sides[2] = {};
    for (int side = 0; side < 2; ++side) {
      token[at] = kept + (side == 0 ? 0.01f : -0.01f);
      nn::attend(all, moved.data());
      for (std::size_t k = 0; k < moved.size(); ++k) sides[side] += double{moved[k]} * wanted[k];
    }
    token[at] = kept;
    CHECK(std::fabs((sides[0] - sides[1]) / 0.02 - by_token[at]) < 2e-2);
  }
}

static void test_pooling() {
  const std::vector<float> token = {1, -2, 3, 4, -5, 6};
  const std::vector<std::int64_t> offset = {0, 2, 2, 3};
  std::vector<float> mean(6), back(6);
  nn::pool(token.data(), offset.data(), 3, 2, 0.0f, mean.data());
  CHECK((mean == std::vector<float>{2, 2, 0, 0, 0, 6}));
  nn::pool_back(token.data(), offset.data(), 3, 2, 0.0f, mean.data(), back.data());
  CHECK((back == std::vector<float>{1, 0, 1, 1, 0, 6}));
}

int main() {
  test_rows();
  test_long_histories();
  test_walks();
  test_attention();
  test_pooling();
  return 0;
}
