// zerosum.native: searches guided by a network, one at a time and many in self-play.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "zerosum/mcts/referee.hpp"
#include "zerosum/mcts/selfplay.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::mcts;

template <typename Scalar, typename... More>
using Rows = nb::ndarray<const Scalar, nb::c_contig, nb::device::cpu, More...>;

template <typename Scalar, typename... More>
using Changed = nb::ndarray<Scalar, nb::c_contig, nb::device::cpu, More...>;

template <typename Scalar>
static nb::ndarray<nb::numpy, Scalar> array_of(std::vector<Scalar>&& values, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<Scalar>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Scalar>*>(p); });
  return nb::ndarray<nb::numpy, Scalar>(kept->data(), shape.size(), shape.data(), owner);
}

static std::vector<std::size_t> planes_shape(const gomoku::Rules& rules, std::size_t rows) {
  return {rows, 3, static_cast<std::size_t>(rules.height), static_cast<std::size_t>(rules.width)};
}

static void check_answer(const gomoku::Rules& rules, std::size_t rows,
                         const Rows<float, nb::ndim<2>>& probabilities,
                         const Rows<float, nb::ndim<1>>& values) {
  if (probabilities.shape(0) != rows || values.shape(0) != rows ||
      probabilities.shape(1) != static_cast<std::size_t>(rules.cells()))
    throw nb::value_error("wanted a probability for each cell and a value for each row that was asked");
}

static void check_move(const gomoku::Position& at, int cell) {
  if (at.is_over() || cell < 0 || cell >= at.rules().cells() || !at.is_empty(cell))
    throw nb::value_error("wanted an empty cell of a board on which the game goes on");
}

// One tree, and what it has asked and not yet been told.
struct Search {
  Search(const gomoku::Rules& rules, const Settings& settings, int cache_bits)
      : lines(std::make_unique<gomoku::Lines>(rules)),
        tree(*lines, settings),
        cache(cache_bits, rules.cells()) {}

  std::unique_ptr<gomoku::Lines> lines;
  Tree tree;
  RootSearch root;
  Cache cache;
  std::map<int, std::vector<Leaf>> asked;
  int next = 0;
};

using EdgeTold = std::tuple<int, int, float, float, int>;
using NodeTold = std::tuple<int, float, float, int, std::vector<EdgeTold>>;
using GamesTold = nb::typed<nb::dict, nb::str, nb::any>;

static GamesTold games_of(const gomoku::Rules& rules, std::vector<Game>&& games) {
  std::size_t cells = rules.cells(), rows = 0;
  for (const Game& game : games) rows += game.records.size();
  std::vector<std::int8_t> stones;
  std::vector<std::uint8_t> black, certain;
  std::vector<float> policy, value;
  std::vector<std::int32_t> of_game;
  stones.reserve(rows * cells), policy.reserve(rows * cells);
  nb::list moves, numbers, results, openings;
  for (std::size_t i = 0; i < games.size(); ++i) {
    moves.append(nb::cast(games[i].moves));
    numbers.append(games[i].number);
    results.append(games[i].result);
    openings.append(games[i].opening);
    for (const Record& record : games[i].records) {
      for (int cell = 0; cell < rules.cells(); ++cell)
        stones.push_back(static_cast<std::int8_t>(record.stones[0].has(cell) - record.stones[1].has(cell)));
      black.push_back(record.black);
      policy.insert(policy.end(), record.policy.begin(), record.policy.end());
      value.push_back(record.value);
      certain.push_back(record.certain);
      of_game.push_back(static_cast<std::int32_t>(i));
    }
  }
  GamesTold told;
  told["numbers"] = numbers;
  told["moves"] = moves;
  told["openings"] = openings;
  told["results"] = results;
  told["stones"] = array_of(std::move(stones), {rows, cells});
  told["black"] = array_of(std::move(black), {rows});
  told["policy"] = array_of(std::move(policy), {rows, cells});
  told["value"] = array_of(std::move(value), {rows});
  told["certain"] = array_of(std::move(certain), {rows});
  told["game"] = array_of(std::move(of_game), {rows});
  return told;
}

template <typename Search>
static std::pair<std::optional<int>, std::uint64_t> forced_win(const gomoku::Rules& rules,
                                                               const std::vector<int>& moves,
                                                               int most_nodes) {
  gomoku::Lines lines(rules);
  gomoku::Position at(lines);
  for (int cell : moves) {
    check_move(at, cell);
    at.play(cell);
  }
  Search search;
  int cell = at.is_over() ? -1 : search.find(at, most_nodes);
  return {cell < 0 ? std::nullopt : std::optional<int>(cell), search.nodes()};
}

// Simulations whose ends are known need no network: whoever looks at the clock between questions must not
// wait for thousands of them.
constexpr int kAtOnce = 1024;

void bind_mcts(nb::module_& m) {
  nb::class_<Settings>(m, "SearchSettings", "How a tree search goes about it.")
      .def(
          "__init__",
          [](Settings* self, float exploration, std::optional<float> unvisited_less, bool prove,
             int forced_nodes, int threat_nodes, bool gumbel, int considered, float visit_offset,
             float value_scale, int symmetry, std::uint64_t seed) {
            new (self) Settings{exploration,
                                unvisited_less.has_value(),
                                unvisited_less.value_or(0.0f),
                                prove,
                                forced_nodes,
                                threat_nodes,
                                gumbel ? Root::gumbel : Root::puct,
                                considered,
                                visit_offset,
                                value_scale,
                                static_cast<Symmetry>(symmetry),
                                seed};
          },
          nb::kw_only(), "exploration"_a, "unvisited_less"_a.none(), "prove"_a, "forced_nodes"_a,
          "threat_nodes"_a, "gumbel"_a, "considered"_a, "visit_offset"_a, "value_scale"_a, "symmetry"_a,
          "seed"_a);

  nb::class_<PlaySettings>(m, "SelfPlaySettings", "How games against oneself are played.")
      .def(
          "__init__",
          [](PlaySettings* self, int simulations, int fast_simulations, double full_share, double noise_alpha,
             double noise_share, int temperature_moves, double opening_share, int opening_most,
             double early_share, int early_most, double play_on, int batch, int most_leaves, int cache_bits,
             bool reuse, int side_rows, int aside_rows) {
            new (self) PlaySettings{
                simulations,   fast_simulations, full_share,  noise_alpha, noise_share, temperature_moves,
                opening_share, opening_most,     early_share, early_most,  play_on,     batch,
                most_leaves,   cache_bits,       reuse,       side_rows,   aside_rows};
          },
          nb::kw_only(), "simulations"_a, "fast_simulations"_a, "full_share"_a, "noise_alpha"_a,
          "noise_share"_a, "temperature_moves"_a, "opening_share"_a, "opening_most"_a, "early_share"_a = 0.0,
          "early_most"_a = 0, "play_on"_a, "batch"_a, "most_leaves"_a, "cache_bits"_a, "reuse"_a,
          "side_rows"_a = 0, "aside_rows"_a = 0);

  nb::class_<Referee>(m, "GomokuReferee", "The truth about small boards, as far as a proof search finds it.")
      .def(
          "__init__",
          [](Referee* self, const gomoku::Rules& rules, int nodes, int early_stones, int early_nodes,
             int threads) {
            if (rules.cells() > 64)
              throw nb::value_error("wanted a board of at most 64 cells to prove who wins");
            new (self) Referee(rules, {nodes, early_stones, early_nodes}, threads);
          },
          "rules"_a, nb::kw_only(), "nodes"_a, "early_stones"_a, "early_nodes"_a, "threads"_a)
      .def(
          "correct",
          [](Referee& self, const Rows<std::int8_t, nb::ndim<2>>& stones,
             const Rows<std::int32_t, nb::ndim<1>>& game, const Changed<float, nb::ndim<2>>& policy,
             const Changed<float, nb::ndim<1>>& value, const Changed<std::uint8_t, nb::ndim<1>>& certain,
             double share) {
            const std::size_t rows = stones.shape(0), cells = self.cells();
            if (stones.shape(1) != cells || policy.shape(0) != rows || policy.shape(1) != cells ||
                game.shape(0) != rows || value.shape(0) != rows || certain.shape(0) != rows)
              throw nb::value_error("wanted as many of each, and the referee's board");
            nb::gil_scoped_release released;
            self.correct({rows, stones.data(), game.data(), policy.data(), value.data(), certain.data()},
                         share);
          },
          "stones"_a, "game"_a, "policy"_a, "value"_a, "certain"_a, "share"_a = 1.0,
          "Makes rows certain where it finds their value, and takes moves out of their policies that give it "
          "away.");

  nb::class_<Search>(m, "GomokuSearch", "A tree that grows as a network answers.")
      .def(nb::init<const gomoku::Rules&, const Settings&, int>(), "rules"_a, "settings"_a, "cache_bits"_a)
      .def(
          "reset",
          [](Search& self, const std::vector<int>& moves) {
            gomoku::Position at(*self.lines);
            for (int cell : moves) {
              check_move(at, cell);
              at.play(cell);
            }
            self.asked.clear();
            self.tree.reset(moves);
          },
          "moves"_a, "Forgets everything but the network's answers, and starts after these moves.")
      .def(
          "advance",
          [](Search& self, int cell) {
            check_move(self.tree.position(), cell);
            self.asked.clear();
            self.tree.advance(cell);
          },
          "cell"_a, "Plays a move and keeps what is known of the position after it.")
      .def(
          "limit",
          [](Search& self, std::size_t bytes) {
            self.asked.clear();
            self.tree.limit(bytes);
          },
          "bytes"_a,
          "Forgets everything but the position and the network's answers; the tree has so much room from now "
          "on.")
      .def(
          "is_full", [](const Search& self, std::size_t leaves) { return self.tree.is_full(leaves); },
          "leaves"_a, "Whether there is no room for so many more leaves.")
      .def(
          "begin",
          [](Search& self, int simulations, std::uint64_t seed) {
            if (self.tree.position().is_over())
              throw nb::value_error("the game is over, wanted a move to search");
            self.asked.clear();
            self.root.begin(self.tree, simulations, CounterRng(seed, 0, 1));
          },
          "simulations"_a, "seed"_a, "A search of so many visits, those already there among them.")
      .def(
          "gather",
          [](Search& self, int most) -> std::optional<std::pair<int, nb::ndarray<nb::numpy, float>>> {
            std::vector<Leaf> leaves;
            std::vector<float> planes;
            {
              nb::gil_scoped_release released;
              if (!self.tree.root_is_ready()) self.tree.gather(0, 1, self.cache, leaves, [] { return 0; });
              if (leaves.empty() && self.tree.root_is_ready())
                self.root.gather(self.tree, most, self.cache, leaves, kAtOnce);
              std::size_t row = 3 * self.lines->rules.cells() * looks(*self.lines, self.tree.settings());
              planes.resize(row * leaves.size());
              for (std::size_t i = 0; i < leaves.size(); ++i)
                write_planes(*self.lines, self.tree.settings(), leaves[i], &planes[i * row]);
            }
            if (leaves.empty()) return std::nullopt;
            std::size_t rows = leaves.size() * looks(*self.lines, self.tree.settings());
            int ticket = self.next++;
            self.asked[ticket] = std::move(leaves);
            return std::make_pair(ticket, array_of(std::move(planes), planes_shape(self.lines->rules, rows)));
          },
          "most"_a,
          "Simulates until so many leaves need the network: a ticket and planes [rows, 3, h, w]; or None, "
          "after a thousand simulations that did not.")
      .def(
          "answer",
          [](Search& self, int ticket, Rows<float, nb::ndim<2>> probabilities,
             Rows<float, nb::ndim<1>> values) {
            auto found = self.asked.find(ticket);
            if (found == self.asked.end()) throw nb::value_error("nothing was asked under this ticket");
            int times = looks(*self.lines, self.tree.settings()), cells = self.lines->rules.cells();
            check_answer(self.lines->rules, found->second.size() * times, probabilities, values);
            std::vector<float> room;
            for (std::size_t i = 0; i < found->second.size(); ++i) {
              const Leaf& leaf = found->second[i];
              Turned told =
                  turned_back(*self.lines, self.tree.settings(), leaf,
                              probabilities.data() + i * times * cells, values.data() + i * times, room);
              self.cache.put(leaf.key, told.probabilities, told.value);
              self.tree.answer(leaf, told.probabilities, told.value);
            }
            self.asked.erase(found);
          },
          "ticket"_a, "probabilities"_a, "values"_a, "What the network says about what a ticket stands for.")
      .def(
          "noise",
          [](Search& self, double alpha, double share, std::uint64_t seed) {
            CounterRng rng(seed, 0, 2);
            add_noise(self.tree, alpha, share, rng);
          },
          "alpha"_a, "share"_a, "seed"_a, "Mixes Dirichlet noise into the root's probabilities.")
      .def_prop_ro("ready", [](const Search& self) { return self.tree.root_is_ready(); })
      .def_prop_ro("done", [](const Search& self) { return self.root.is_done(self.tree); })
      .def_prop_ro("visits", [](const Search& self) { return self.tree.visits(); })
      .def_prop_ro("flying", [](const Search& self) { return self.tree.flying(); })
      .def_prop_ro(
          "certain",
          [](const Search& self) -> std::optional<int> {
            int value = self.tree.proven(0);
            return value == kUnknown ? std::nullopt : std::optional<int>(value);
          },
          "The root's certain value to the side to move, if there is one.")
      .def(
          "chosen",
          [](const Search& self, bool greedy, double luck) {
            if (!self.tree.root_is_ready()) throw nb::value_error("nothing was searched yet");
            return self.tree.move(self.root.chosen(self.tree, greedy, luck));
          },
          "greedy"_a, "luck"_a, "The cell to play: the most visited one, or one drawn by visits.")
      .def(
          "policy",
          [](const Search& self) {
            std::vector<float> policy(self.lines->rules.cells(), 0.0f);
            self.root.policy(self.tree, policy.data());
            std::size_t cells = policy.size();
            return array_of(std::move(policy), {cells});
          },
          "What a network should learn to answer at the root [cells].")
      .def(
          "node",
          [](const Search& self, const std::vector<int>& path) -> std::optional<NodeTold> {
            std::int32_t at = 0;
            for (int cell : path) {
              std::int32_t next = -1;
              for (std::int32_t edge = self.tree.first(at); edge < self.tree.last(at); ++edge)
                if (self.tree.move(edge) == cell) next = self.tree.tried(at, edge).child;
              if (next < 0) return std::nullopt;
              at = next;
            }
            std::vector<EdgeTold> edges;
            for (std::int32_t edge = self.tree.first(at); edge < self.tree.last(at); ++edge)
              edges.emplace_back(self.tree.move(edge), self.tree.tried(at, edge).visits,
                                 self.tree.prior(edge), self.tree.tried(at, edge).total,
                                 self.tree.solved(edge));
            return NodeTold{self.tree.node_visits(at), self.tree.node_value(at), self.tree.network_value(at),
                            self.tree.proven(at), std::move(edges)};
          },
          "path"_a,
          "The node these moves lead to from the root: visits, mean value, the network's value and the "
          "certain "
          "value (2: none) to the side to move, and its moves as (cell, visits, prior, summed value, certain "
          "value); None if there is none.");

  nb::class_<SelfPlay>(m, "GomokuSelfPlay", "Many games against oneself at once.")
      .def(
          "__init__",
          [](SelfPlay* self, const gomoku::Rules& rules, const Settings& search, const PlaySettings& play,
             std::uint64_t seed, std::uint64_t first, std::uint64_t count, int slots,
             int threads) { new (self) SelfPlay(rules, search, play, seed, first, count, slots, threads); },
          "rules"_a, "search"_a, "play"_a, "seed"_a, "first"_a, "count"_a, "slots"_a, "threads"_a)
      .def(
          "pending",
          [](SelfPlay& self) -> std::optional<nb::ndarray<nb::numpy, float>> {
            float* planes = nullptr;
            std::size_t rows;
            {
              nb::gil_scoped_release released;
              rows = self.advance();
              if (rows > 0) {
                planes = new float[rows * 3 * self.lines().rules.cells()];
                self.write(planes);
              }
            }
            if (rows == 0) return std::nullopt;
            nb::capsule owner(planes, [](void* p) noexcept { delete[] static_cast<float*>(p); });
            const auto shape = planes_shape(self.lines().rules, rows);
            return nb::ndarray<nb::numpy, float>(planes, shape.size(), shape.data(), owner);
          },
          "Planes [rows, 3, h, w] to ask the network about; None once all games are over.")
      .def(
          "answer",
          [](SelfPlay& self, Rows<float, nb::ndim<2>> probabilities, Rows<float, nb::ndim<1>> values) {
            check_answer(self.lines().rules, self.waiting(), probabilities, values);
            nb::gil_scoped_release released;
            self.answer(probabilities.data(), values.data());
          },
          "probabilities"_a, "values"_a)
      .def(
          "finished", [](SelfPlay& self) { return games_of(self.lines().rules, self.take_finished()); },
          "Games that ended since the last call, and the positions to learn from as arrays.")
      .def_prop_ro("simulations", &SelfPlay::simulations);

  m.def(
      "gomoku_forced_win",
      [](const gomoku::Rules& rules, const std::vector<int>& moves, int most_nodes, bool threats) {
        return threats ? forced_win<gomoku::ThreatWin>(rules, moves, most_nodes)
                       : forced_win<gomoku::ForcedWin>(rules, moves, most_nodes);
      },
      "rules"_a, "moves"_a, "most_nodes"_a, "threats"_a = false,
      "The first move of a win by continuous fours for the side to move, or with threats of them too, or "
      "None; and "
      "the nodes it took.");
}

}  // namespace zerosum::bind
