// The solvers on Kuhn poker, straight on the headers; `make sanitize` runs this under ASan, UBSan and TSan.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "check.hpp"
#include "kuhn.hpp"
#include "zerosum/cfr/sampled_solver.hpp"
#include "zerosum/cfr/sequence_form.hpp"
#include "zerosum/cfr/solver.hpp"

using namespace zerosum;
using namespace zerosum::cfr;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Game {
  std::shared_ptr<Tree> tree = test::kuhn_tree();
  std::shared_ptr<SequenceForm> form;

  Game() {
    CHECK(complete(*tree).kind == Fault::Kind::kNone);
    form = std::make_shared<SequenceForm>(*tree);
  }

  double nash_conv(const std::vector<double>& profile) const {
    std::vector<double> reach(tree->reaches()), scratch(tree->reaches());
    own_reaches(*tree, profile.data(), reach.data());
    double sum = 0.0;
    for (int p = 0; p < 2; ++p) sum += best_response(*tree, *form, p, reach.data(), scratch.data());
    return sum;
  }

  double value(const std::vector<double>& profile) const {
    std::vector<double> reach(tree->reaches()), scratch(tree->reaches());
    own_reaches(*tree, profile.data(), reach.data());
    return expected_value(form->payoffs[0], reach.data(), scratch.data());
  }
};

static void test_tree() {
  const Game game;
  CHECK(game.tree->nodes.size() == 58);
  CHECK(game.tree->infosets() == 12);
  CHECK(std::abs(game.nash_conv(std::vector<double>(24, 0.5)) - 11.0 / 12.0) < 1e-12);
  CHECK(std::abs(game.value(std::vector<double>(24, 0.5)) - 0.125) < 1e-12);
}

static void test_faults() {
  auto tree = test::kuhn_tree();
  tree->returns[3] += 1.0;
  CHECK(check(*tree).kind == Fault::Kind::kSum);
  tree = test::kuhn_tree();
  tree->probability[1] = 0.9;
  CHECK(check(*tree).kind == Fault::Kind::kChance);
  tree = test::kuhn_tree();
  int first = -1;
  for (auto& node :
       tree->nodes) {  // player 0's first and second decision become one: it forgets its own pass
    if (node.actor != 0) continue;
    if (first < 0) first = node.index;
    node.index = first;
  }
  CHECK(check(*tree).kind == Fault::Kind::kRecall);
}

static void test_family() {
  const Game game;
  const Discount family[] = {{kInfinity, kInfinity, 0, false},
                             {kInfinity, -kInfinity, 1, false},
                             {1, 1, 1, false},
                             {1.5, 0, 2, false},
                             {1.5, 0, 2, false, true},
                             {1.5, -kInfinity, 4, false},
                             {kInfinity, -kInfinity, 2, true},
                             {2.3, -kInfinity, 5, true}};
  for (const Discount& discount : family) {
    Solver solver(game.tree, game.form, discount);
    solver.run(5000);
    CHECK(solver.iteration == 5000);
    CHECK(game.nash_conv(solver.average_profile()) < 2e-3);
    CHECK(std::abs(game.value(solver.average_profile()) + 1.0 / 18.0) < 1e-3);
  }
}

static void test_samplers() {
  const Game game;
  for (Sampling sampling : {Sampling::kExternal, Sampling::kOutcome, Sampling::kPublicChance}) {
    std::vector<double> first;
    for (int threads : {1, 2, 3}) {
      SampledSolver solver(game.tree, sampling, 1, threads);
      solver.run(4013);
      solver.run(987);
      CHECK(solver.iteration() == 5000);
      if (first.empty()) first = solver.average_profile();
      CHECK(first == solver.average_profile());
    }
    CHECK(game.nash_conv(first) < 0.2);
  }
}

int main() {
  test_tree();
  test_faults();
  test_family();
  test_samplers();
  std::puts("test_cfr: all passed");
}
