// Gomoku's lines beside its board, and a search that many threads run without touching each other's data.
#include <numeric>
#include <vector>

#include "check.hpp"
#include "zerosum/mcts/referee.hpp"
#include "zerosum/mcts/selfplay.hpp"

using namespace zerosum;
using gomoku::Board;
using gomoku::Lines;
using gomoku::Position;
using gomoku::Rules;

// Random games: the winner, and where a player would win, as the plain board tells them; all taken back
// again.
static void test_positions(const Rules& rules) {
  Lines lines(rules);
  CounterRng rng(1, 2, 3);
  for (int game = 0; game < 200; ++game) {
    Position at(lines);
    std::vector<int> moves;
    while (!at.is_over()) {
      for (int player : {0, 1}) {
        int found[400], count = at.winning_cells(player, found, 400), expected = 0;
        for (int cell = 0; cell < rules.cells(); ++cell) {
          if (!at.is_empty(cell)) continue;
          gomoku::Stones own = at.board().stones[player];
          own.add(cell);
          if (!wins_at(rules, own, cell)) continue;
          ++expected;
          CHECK(std::find(found, found + count, cell) != found + count);
        }
        CHECK(count == expected);
      }
      int cell = static_cast<int>(rng.uniform() * rules.cells());
      if (!at.is_empty(cell)) continue;
      Board plain = at.board();
      play(rules, plain, cell);
      at.play(cell);
      CHECK(plain.winner == at.board().winner);
      moves.push_back(cell);
    }
    for (; !moves.empty(); moves.pop_back()) at.undo(moves.back());
    CHECK(at.key() == 0 && at.board().count == 0 && !at.is_dead());
    int found[1];
    CHECK(at.winning_cells(0, found, 1) == 0 && at.winning_cells(1, found, 1) == 0);
  }
}

// A forced win is one however the defender answers: at the end stands a win.
static void test_forced_wins() {
  Rules rules{9, 9, 5, false};
  Lines lines(rules);
  Position at(lines);
  for (int cell : {30, 0, 31, 8, 32, 72, 48, 80, 57, 4, 66, 76}) at.play(cell);
  gomoku::ForcedWin forced;
  int move = forced.find(at, 1000);
  CHECK(move >= 0);
  at.play(move);
  int cells[2];
  CHECK(at.winning_cells(0, cells, 2) >= 1);
}

// Two open threes at once cannot be met, though no four is there yet; the board is as it was afterwards.
static void test_threats() {
  Lines lines(Rules{15, 15, 5, false});
  Position at(lines);
  for (int cell : {7 * 15 + 6, 0, 7 * 15 + 7, 14, 5 * 15 + 8, 210, 6 * 15 + 8, 224}) at.play(cell);
  const std::uint64_t before = at.key();
  gomoku::ForcedWin forced;
  gomoku::ThreatWin threats;
  CHECK(forced.find(at, 1000) < 0);
  CHECK(threats.find(at, 1000) >= 0);
  CHECK(at.key() == before && at.board().count == 8);
  at.play(7 * 15 + 8);  // the other side cannot win by threats: it has no stones together
  CHECK(threats.find(at, 1000) < 0);
}

static mcts::PlaySettings quick() {
  mcts::PlaySettings play;
  play.simulations = 30;
  play.fast_simulations = 10;
  play.full_share = 0.5;
  play.opening_share = 0.5;
  play.opening_most = 6;
  play.cache_bits = 8;
  play.most_leaves = 3;
  return play;
}

// Every simulation is accounted for, and threads change nothing.
static void test_self_play(mcts::Root root) {
  mcts::Settings settings;
  settings.root = root;
  settings.forced_nodes = 10;
  std::vector<std::vector<int>> first;
  for (int threads : {1, 2, 4}) {
    mcts::SelfPlay pool(Rules{6, 6, 4, false}, settings, quick(), 7, 0, 40, 20, threads);
    std::vector<std::vector<int>> moves;
    while (std::size_t rows = pool.advance()) {
      std::vector<float> planes(rows * 108), shares(rows * 36), values(rows);
      pool.write(planes.data());
      for (std::size_t row = 0; row < rows; ++row) {
        std::uint64_t word = 0;
        for (int i = 0; i < 108; ++i) word = mix64(word + (planes[row * 108 + i] > 0 ? i + 1 : 0));
        for (int i = 0; i < 36; ++i) shares[row * 36 + i] = static_cast<float>(unit(mix64(word + i)));
        values[row] = static_cast<float>(2 * unit(mix64(word)) - 1);
      }
      pool.answer(shares.data(), values.data());
      for (auto& game : pool.take_finished()) moves.push_back(game.moves);
    }
    for (auto& game : pool.take_finished()) moves.push_back(game.moves);
    CHECK(moves.size() == 40);
    if (first.empty()) first = moves;
    CHECK(moves == first);
  }
}

// What the referee finds does not depend on threads, and won positions are taught a move.
static void test_referee() {
  const Rules rules{6, 6, 4, false};
  const int count = 200, cells = 36;
  std::vector<std::int8_t> stones(count * cells);
  std::vector<std::int32_t> game(count);
  for (int i = 0; i < count; ++i) {
    CounterRng luck(5, i, 0);
    game[i] = i / 4;
    for (int stone = 0; stone < 2 + 2 * (i % 4);) {
      std::int8_t& cell = stones[i * cells + static_cast<int>(luck.uniform() * cells)];
      if (cell == 0) cell = stone++ % 2 == 0 ? 1 : -1;
    }
  }
  std::vector<float> first;
  for (int threads : {1, 2, 4}) {
    std::vector<float> policy(count * cells), value(count);
    std::vector<std::uint8_t> certain(count);
    mcts::Referee referee(rules, {500, 2, 5000}, threads);
    for (double share : {0.1, 1.0})
      referee.correct({count, stones.data(), game.data(), policy.data(), value.data(), certain.data()},
                      share);
    int won = 0, taught = 0;
    for (int i = 0; i < count; ++i) {
      won += certain[i] && value[i] == 1;
      taught += std::accumulate(&policy[i * cells], &policy[i * cells] + cells, 0.0f) == 1;
    }
    CHECK(taught > 20 && taught <= won);  // a win at once is not looked up
    policy.insert(policy.end(), value.begin(), value.end());
    if (first.empty()) first = policy;
    CHECK(policy == first);
  }
}

// A network that says nothing sensible harms nobody.
static void test_bad_answers() {
  Lines lines(Rules{5, 5, 4, false});
  mcts::Tree tree(lines, mcts::Settings{});
  mcts::RootSearch search;
  mcts::Cache cache(4, 25);
  search.begin(tree, 60, CounterRng(0, 0, 0));
  float bad[25];
  for (int i = 0; i < 25; ++i) bad[i] = i % 2 ? std::numeric_limits<float>::quiet_NaN() : -1.0f;
  std::vector<mcts::Leaf> leaves;
  while (!search.is_done(tree)) {
    leaves.clear();
    if (!tree.root_is_ready())
      tree.gather(0, 1, cache, leaves, [] { return 0; });
    else
      search.gather(tree, 4, cache, leaves);
    for (auto& leaf : leaves) tree.answer(leaf, bad, 0.0f);
  }
  int sum = 0;
  for (auto edge = tree.first(0); edge < tree.last(0); ++edge) sum += tree.edge_visits(edge);
  CHECK(sum == 60 && tree.visits() == 60 && tree.flying() == 0);
}

int main() {
  test_positions({6, 6, 4, false});
  test_positions({7, 5, 4, true});
  test_positions({15, 15, 5, false});
  test_forced_wins();
  test_threats();
  test_self_play(mcts::Root::puct);
  test_self_play(mcts::Root::gumbel);
  test_referee();
  test_bad_answers();
  return 0;
}
