// Walks that are learnt from, on Kuhn poker and on hold'em, straight on the headers; `make sanitize` runs
// this too.
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "check.hpp"
#include "kuhn.hpp"
#include "zerosum/cfr/asking_walks.hpp"
#include "zerosum/cfr/deals.hpp"
#include "zerosum/cfr/episodes.hpp"
#include "zerosum/cfr/futures.hpp"
#include "zerosum/cfr/sequence_form.hpp"
#include "zerosum/cfr/tree_samples.hpp"
#include "zerosum/cfr/tree_walks.hpp"
#include "zerosum/games/holdem/walk_game.hpp"
#include "zerosum/learn/reservoir.hpp"

using namespace zerosum;
using namespace zerosum::cfr;

struct Ground {
  std::shared_ptr<Tree> tree = test::kuhn_tree();
  std::vector<std::int32_t> situation, future;
  std::vector<double> uniform, table;

  Ground() {
    CHECK(complete(*tree).kind == Fault::Kind::kNone);
    for (int i = 0; i < tree->infosets(); ++i) situation.push_back(i);
    future = number_futures(*tree, situation.data());
    uniform.assign(tree->sequences(), 0.5);
    table.assign(tree->nodes.size(), 0.0);
  }

  TreeGame game(bool baseline, bool stratified) const {
    return {*tree,
            2,
            baseline ? table.data() : nullptr,
            future,
            table.size(),
            stratified ? count_deals(*tree) : 0};
  }
};

static void test_threads() {
  const Ground ground;
  for (const bool baseline : {false, true}) {
    const TreeGame game = ground.game(baseline, true);
    const WalkRange range{7, 1, 0, 600, 0, 1};
    const auto one = walk_on_table(game, ground.uniform.data(), range, 1);
    const auto three = walk_on_table(game, ground.uniform.data(), range, 3);
    CHECK(three.at == one.at && three.regret == one.regret && three.nodes == one.nodes);
    CHECK(three.others_at == one.others_at && three.strategy == one.strategy && three.weight == one.weight);
    CHECK(three.sampled_at == one.sampled_at && three.sampled == one.sampled && three.value == one.value);
    CHECK(one.at.size() * 2 == one.regret.size());
    CHECK(baseline == !one.sampled_at.empty());
  }
}

static void test_asking() {
  const Ground ground;
  const TreeWalks walks(ground.tree, 2, ground.situation.data());
  const std::vector<double> table(walks.slots(), 0.25);
  const WalkRange range = walks.range(7, 1, 1, 0, 60, 0);
  for (const double* baseline : {static_cast<const double*>(nullptr), table.data()}) {
    AskingWalks asking(walks, baseline, true, range);
    while (asking.asked() > 0) {
      CHECK(asking.infosets().size() == asking.asked());
      asking.answer(std::vector<double>(2 * asking.asked(), 0.5).data());
    }
    const auto found = asking.finish();
    const auto wanted = walk_on_table(walks.game(baseline, true), ground.uniform.data(), range, 1);
    CHECK(found.at == wanted.at && found.regret == wanted.regret && found.nodes == wanted.nodes);
    CHECK(found.sampled_at == wanted.sampled_at && found.value == wanted.value);
    const TreeSamples samples = samples_of(asking.game(), asking.traverser(), found);
    CHECK(samples.slot.size() == found.value.size());
    for (std::size_t k = 0; k < samples.slot.size(); ++k) CHECK(samples.value[k] == -found.value[k]);
  }
}

static void test_deals() {
  const Ground ground;
  CHECK(count_deals(*ground.tree) == 6);
  for (std::uint64_t block = 0; block < 5; ++block) {
    int seen = 0;
    for (std::uint64_t n = 0; n < 6; ++n) seen |= 1 << deal_of(6 * block + n, 6, 3, 0);
    CHECK(seen == 63);
  }
}

static void test_futures() {
  const Ground ground;
  CHECK(ground.future.size() == ground.tree->nodes.size());
  CHECK(ground.future[0] == 0);
}

static void test_episodes() {
  const Ground ground;
  const Episodes played =
      play_episodes(ground.game(false, false), ground.uniform.data(), ground.uniform.data(), 0.5, 1, 1, 500);
  CHECK(played.returns.size() == 1000);
  CHECK(played.game.size() == played.infoset.size());
  for (std::size_t g = 0; g < 500; ++g) CHECK(played.returns[2 * g] + played.returns[2 * g + 1] == 0.0);
}

static void test_reservoir() {
  std::vector<std::int64_t> rows, slots;
  learn::reservoir(1, 2, 0, 1000, 10, rows, slots);
  CHECK(rows.size() == slots.size());
  for (std::size_t k = 0; k < 10; ++k) CHECK(rows[k] == slots[k]);
  for (const std::int64_t slot : slots) CHECK(slot >= 0 && slot < 10);
}

static holdem::Rules heads_up() {
  holdem::Rules rules;
  rules.stacks = {2000, 2000};
  rules.blinds = {100, 50};
  rules.bets = {100, 100, 100, 100};
  for (std::size_t street = 0; street < 4; ++street) {
    rules.menu.set(street, {{holdem::BetSize::kPot, 1, 2}, {holdem::BetSize::kPot, 1, 1}});
  }
  rules.menu.cap = 2;
  return rules;
}

static void test_holdem() {
  const holdem::Rules rules = heads_up();
  const holdem::WalkGame game{rules, true};
  Traversals<holdem::WalkGame> walks(game, 0);
  for (std::uint64_t k = 0; k < 20; ++k) walks.begin(CounterRng(5, 1, 0, k).bits(), 0);
  std::vector<float> row(static_cast<std::size_t>(holdem::feature_count(rules, true)));
  while (true) {
    const std::vector<std::int32_t> asked = walks.advance();
    if (asked.empty()) break;
    for (const std::int32_t id : asked) {
      const holdem::WalkGame::State state = walks.state(id);
      game.write(state, 0, true, row.data());
      const std::vector<double> even(state.count, 1.0 / state.count), guess(state.count, 1.0);
      walks.answer(id, even.data(), guess.data());
    }
  }
  Found<holdem::WalkGame::State> found;
  walks.finish(true, found);
  CHECK(found.nodes > 100);
  CHECK(found.regret.size() == found.at.size() * 5);
  for (const double regret : found.regret) CHECK(std::abs(regret) < 50.0);  // twenty big blinds each
}

int main() {
  test_threads();
  test_asking();
  test_deals();
  test_futures();
  test_episodes();
  test_reservoir();
  test_holdem();
  std::puts("test_walks: all passed");
}
