// Monte Carlo tree search guided by a network (Silver et al. 2017, "Mastering the game of Go without human
// knowledge"). A simulation goes down from the root to a position that has not been seen, which a network is
// asked about, or to one whose value is certain; then up again, the value changing sign at every move.
//
// Several simulations can be under way: a move on its way counts as tried and lost until its answer is there
// (virtual loss), so that the next one looks elsewhere. Wins and losses that are certain go up as such
// (Winands et al. 2008, "Monte-Carlo tree search solver").
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "zerosum/games/gomoku/forced.hpp"
#include "zerosum/games/gomoku/lines.hpp"
#include "zerosum/games/gomoku/threats.hpp"
#include "zerosum/mcts/cache.hpp"
#include "zerosum/mcts/nodes.hpp"
#include "zerosum/mcts/settings.hpp"

namespace zerosum::mcts {

// A position a network is to be asked about.
struct Leaf {
  std::int32_t node = 0;
  std::array<gomoku::Stones, 2> stones;  // of the side to move, and of the other
  bool black = true;                     // whether the first player is to move
  std::uint64_t key = 0;
  int only = -1;  // the one move that does not lose at once
  int symmetry = 0;
};

class Tree {
 public:
  Tree(const gomoku::Lines& lines, const Settings& settings) : settings_(settings), position_(lines) {
    clear();
  }

  const gomoku::Position& position() const { return position_; }
  const Settings& settings() const { return settings_; }

  // Forgets everything and starts from here.
  void reset(const std::vector<int>& moves) {
    position_ = gomoku::Position(position_.lines());
    for (int cell : moves) position_.play(cell);
    clear();
  }

  void reset_keeping_position() { clear(); }

  // Forgets everything but the position; from now on there is room for so many bytes, half of them for what
  // is kept after a move.
  void limit(std::size_t bytes) {
    for (Nodes* nodes : {&at_, &spare_}) {
      *nodes = Nodes();
      nodes->reserve(bytes / 2, position_.rules().cells());
    }
    limited_ = true;
    clear();
  }

  // Waits for nobody any more: whoever was asked and did not answer is forgotten.
  void forget_flights() {
    if (flying_total_ == 0 && !root_asked_) return;
    root_asked_ = false;
    flying_total_ = 0;
    for (Node& node : at_.nodes) {
      node.flying = 0, node.waiting = false;
      for (std::int32_t edge = node.first; edge < node.first + node.tried; ++edge) at_.tries[edge].flying = 0;
    }
  }

  // Plays a move; what was found out about the position after it is kept.
  void advance(int cell) {
    std::int32_t child = -1;
    for (std::int32_t edge = first(0); edge < last(0); ++edge)
      if (at_.move[edge] == cell) child = at_.tries[edge].child;
    position_.play(cell);
    if (child < 0 || at_.nodes[child].edges < 0) {
      clear();
    } else {
      spare_.take(at_, child);
      std::swap(at_, spare_);
      root_asked_ = false;
      flying_total_ = 0;
      // A win by threats was seen without a move that begins it: the root looks for one itself.
      if (certain_edge() < 0) at_.nodes[0].proven = kUnknown;
      root_marked_ = settings_.threat_nodes == 0;
    }
  }

  bool root_is_ready() const { return at_.nodes[0].edges >= 0; }
  std::int32_t first(std::int32_t node) const { return at_.nodes[node].first; }
  std::int32_t last(std::int32_t node) const { return at_.nodes[node].last(); }
  int edge_count() const { return std::max(at_.nodes[0].edges, 0); }

  // Visits through the root so far, those under way not among them.
  int visits() const { return at_.nodes[0].visits; }
  int flying() const { return flying_total_; }
  // Whether there is no room for so many more leaves.
  bool is_full(std::size_t leaves) const {
    return limited_ && !at_.has_room(leaves, position_.rules().cells());
  }

  // Starts simulations until `target` visits are done or under way, or `most` leaves wait for an answer, or
  // the next would wait for one under way. `choose` picks the move at the root. A root whose value is certain
  // needs no more of them.
  template <typename Choose>
  void gather(int target, std::size_t most, const Cache& cache, std::vector<Leaf>& leaves, Choose choose) {
    if (!root_is_ready()) {
      if (root_asked_) return;
      Leaf leaf;
      if (ask(0, leaf, cache)) {
        root_asked_ = true;
        leaves.push_back(std::move(leaf));
        return;
      }
    }
    if (!root_marked_ && settings_.prove) mark_root();
    while (visits() + flying_total_ < target && leaves.size() < most && at_.nodes[0].proven == kUnknown) {
      if (is_full(flying_total_ + 1)) return;  // answers that were known need room as well
      if (!simulate(cache, leaves, choose)) return;
    }
  }

  // The network's answer: probabilities of all cells, and the value to the side to move.
  void answer(const Leaf& leaf, const float* probabilities, float value) {
    expand(leaf, probabilities, value);
    if (leaf.node == 0) {
      root_asked_ = false;
    } else {
      flying_total_ -= 1;
      back_up(leaf.node, value, true);
    }
  }

  // Adds visits to the root's best move without searching: for when its value is certain.
  void add_certain_visits(int count) {
    std::int32_t best = at_.touch(0, certain_edge());
    at_.tries[best].visits += count;
    at_.tries[best].total += static_cast<float>(count * at_.solved[best]);
    at_.nodes[0].visits += count;
    at_.nodes[0].sum += static_cast<float>(count * at_.solved[best]);
  }

  // The root's most visited move among those that have its certain value, or −1.
  std::int32_t certain_edge() const {
    std::int32_t best = -1;
    if (at_.nodes[0].proven == kUnknown) return -1;
    for (std::int32_t edge = first(0); edge < last(0); ++edge)
      if (at_.solved[edge] == at_.nodes[0].proven &&
          (best < 0 || at_.tries[edge].visits > at_.tries[best].visits))
        best = edge;
    return best;
  }

  // Goes down by random moves that were tried until a position below is certain and not over, and calls
  // use(position, value, winning move or −1) there; whether there was one on the way.
  template <typename Luck, typename Use>
  bool visit_certain(Luck luck, Use use) {
    std::vector<int> played;
    std::int32_t node = 0;
    bool found = false;
    while (!found && at_.nodes[node].tried > 0) {
      std::int32_t edge = first(node) + static_cast<std::int32_t>(luck() * at_.nodes[node].tried);
      if (at_.tries[edge].child < 0) break;
      node = at_.tries[edge].child;
      position_.play(at_.move[edge]);
      played.push_back(at_.move[edge]);
      if (position_.is_over()) break;
      found = at_.nodes[node].proven != kUnknown;
    }
    if (found) use(position_, at_.nodes[node].proven, winning_move(node));
    for (auto cell = played.rbegin(); cell != played.rend(); ++cell) position_.undo(*cell);
    return found;
  }

  std::int8_t proven(std::int32_t node) const { return at_.nodes[node].proven; }
  std::int32_t node_visits(std::int32_t node) const { return at_.nodes[node].visits; }
  int move(std::int32_t edge) const { return at_.move[edge]; }
  float prior(std::int32_t edge) const { return at_.prior[edge]; }
  // Changes a probability of the root's.
  void set_prior(std::int32_t edge, float prior) {
    at_.prior[edge] = prior;
    at_.nodes[0].ordered = false;
  }
  // What came of a node's move; of the root's without saying whose.
  Tried tried(std::int32_t node, std::int32_t edge) const {
    return edge < at_.nodes[node].first + at_.nodes[node].tried ? at_.tries[edge] : kNotYet;
  }
  int edge_visits(std::int32_t edge) const { return at_.tries[edge].visits; }
  int edge_tries(std::int32_t edge) const { return at_.tries[edge].visits + at_.tries[edge].flying; }
  std::int8_t solved(std::int32_t edge) const { return at_.solved[edge]; }
  // The mean value of a root's move to the one who makes it; 0 for one that was not tried.
  float mean(std::int32_t edge) const {
    const Tried& at = at_.tries[edge];
    return at.visits == 0 ? 0.0f : at.total / static_cast<float>(at.visits);
  }
  // What the network said of a node.
  float network_value(std::int32_t node) const { return at_.nodes[node].value; }
  // The mean over all visits to a node, the network's answer among them.
  float node_value(std::int32_t node) const { return at_.nodes[node].mean(); }

  // PUCT: Q + c·P·√N/(1+n), the moves under way counted as lost; certain losses only when there is nothing
  // else, or for the first time below the root. Moves that were tried come first; of the others only the
  // likeliest can be next, and it comes after those. Of equal ones the first cell's counts.
  std::int32_t best_by_puct(std::int32_t node) {
    if (!at_.nodes[node].ordered) at_.order(node);
    const Node& at = at_.nodes[node];
    const std::int32_t begin = at.first, count = std::min(at.tried + 1, at.edges);
    const float visits = static_cast<float>(std::max(at.visits + at.flying, 1));
    const float scale = settings_.exploration * std::sqrt(visits);
    const float unvisited = settings_.unvisited_parent ? at.mean() - settings_.unvisited_less : 0.0f;
    const float* prior = &at_.prior[begin];
    const Tried* tries = &at_.tries[begin];
    const std::int8_t* solved = &at_.solved[begin];
    std::int32_t best = 0;
    float best_score = -std::numeric_limits<float>::infinity();
    for (std::int32_t i = 0; i < count; ++i) {
      float n = 0, q = unvisited;
      if (i < at.tried) {
        n = static_cast<float>(tries[i].visits + tries[i].flying);
        if (n > 0) q = (tries[i].total - static_cast<float>(tries[i].flying)) / n;
      }
      if (solved[i] != kUnknown && (n > 0 || solved[i] >= 0 || !at.tries_losses))
        q = solved[i] < 0 ? -1e6f : static_cast<float>(solved[i]);
      float score = q + scale * prior[i] / (1 + n);
      if (score > best_score || (score == best_score && at_.move[begin + i] < at_.move[begin + best]))
        best_score = score, best = i;
    }
    return begin + best;
  }

 private:
  void clear() {
    at_.clear();
    at_.nodes.emplace_back();
    root_asked_ = root_marked_ = false;
    flying_total_ = 0;
  }

  template <typename Choose>
  bool simulate(const Cache& cache, std::vector<Leaf>& leaves, Choose& choose) {
    std::int32_t node = 0;
    bool goes_on = true, asked = false;
    while (true) {
      std::int32_t edge = at_.touch(node, node == 0 ? choose() : best_by_puct(node));
      position_.play(at_.move[edge]);
      std::int32_t below = at_.tries[edge].child;
      if (below < 0) {
        node = add_node(node, edge);
        settle(node);
        break;
      }
      node = below;
      if (at_.nodes[node].waiting) goes_on = false;
      if (at_.nodes[node].waiting || at_.nodes[node].proven != kUnknown || at_.nodes[node].edges < 0) break;
    }
    if (goes_on) {
      if (at_.nodes[node].proven != kUnknown) {
        back_up(node, at_.nodes[node].proven, false);
      } else {
        leaves.emplace_back();
        asked = ask(node, leaves.back(), cache);
        if (!asked) {
          leaves.pop_back();
          back_up(node, at_.nodes[node].value, false);
        }
      }
    }
    flying_total_ += asked;
    for (std::int32_t at = node; at != 0; at = at_.nodes[at].above) {
      const std::int32_t above = at_.nodes[at].above, by = at_.nodes[at].by;
      position_.undo(at_.move[by]);
      if (asked) ++at_.tries[by].flying, ++at_.nodes[above].flying;
    }
    return goes_on;
  }

  std::int32_t add_node(std::int32_t above, std::int32_t by) {
    const auto node = static_cast<std::int32_t>(at_.nodes.size());
    at_.nodes.emplace_back();
    at_.nodes[node].above = above, at_.nodes[node].by = by;
    return at_.tries[by].child = node;
  }

  // The end of the game, and what is certain without a network.
  void settle(std::int32_t node) {
    if (position_.is_over()) {
      at_.nodes[node].proven = position_.board().winner >= 0 ? -1 : 0;
      return;
    }
    if (!settings_.prove) return;
    if (position_.is_dead()) {
      at_.nodes[node].proven = 0;
      return;
    }
    int cells[2], mover = position_.to_move();
    if (position_.winning_cells(mover, cells, 1) > 0)
      at_.nodes[node].proven = 1;
    else if (position_.winning_cells(1 - mover, cells, 2) > 1)
      at_.nodes[node].proven = -1;
    else if (forced_move(at_.nodes[node].above == 0 ? 1 : 0) >= 0)
      at_.nodes[node].proven = 1;
  }

  // Whether the network is to be asked about the position at hand; otherwise its answer was known already.
  bool ask(std::int32_t node, Leaf& leaf, const Cache& cache) {
    int mover = position_.to_move(), cells[1];
    leaf.node = node;
    leaf.stones = {position_.board().stones[mover], position_.board().stones[1 - mover]};
    leaf.black = mover == 0;
    leaf.key = position_.key();
    if (settings_.prove && position_.winning_cells(1 - mover, cells, 1) > 0) leaf.only = cells[0];
    float value;
    if (const float* known = cache.find(leaf.key, &value)) {
      expand(leaf, known, value);
      return false;
    }
    if (settings_.symmetry == Symmetry::random)
      leaf.symmetry =
          static_cast<int>(mix64(leaf.key ^ settings_.seed) % position_.lines().symmetries.size());
    at_.nodes[node].waiting = true;
    return true;
  }

  // A move that wins for certain in the position at hand, whose node this is, or −1.
  int winning_move(std::int32_t node) {
    if (at_.nodes[node].proven != 1) return -1;
    for (std::int32_t edge = first(node); edge < last(node); ++edge)
      if (at_.solved[edge] == 1) return at_.move[edge];
    int cells[1];
    if (position_.winning_cells(position_.to_move(), cells, 1) > 0) return cells[0];
    return forced_move(1);
  }

  // A move that wins by continuous fours, or by threats if they are worth so many times their nodes here, or
  // −1.
  int forced_move(int threats) {
    int move = settings_.forced_nodes > 0 ? forced_.find(position_, settings_.forced_nodes) : -1;
    if (move < 0 && settings_.threat_nodes > 0 && threats > 0)
      move = threats_.find(position_, threats * settings_.threat_nodes);
    return move;
  }

  void expand(const Leaf& leaf, const float* probabilities, float value) {
    at_.expand(leaf.node, position_.rules().cells(), leaf.stones, leaf.only, probabilities);
    at_.nodes[leaf.node].value = value;
  }

  // What is certain about the root and its moves, which nobody looked at as closely on the way to it.
  void mark_root() {
    root_marked_ = true;
    if (at_.nodes[0].proven != kUnknown) return;
    int cells[8], mover = position_.to_move();
    int wins = position_.winning_cells(mover, cells, 8);
    if (wins == 0 && position_.winning_cells(1 - mover, cells, 2) < 2) {
      cells[0] = settings_.forced_nodes > 0 ? forced_.find(position_, 20 * settings_.forced_nodes) : -1;
      if (cells[0] < 0) cells[0] = forced_move(kRootTimes);
      wins = cells[0] >= 0 ? 1 : 0;
    }
    for (int i = 0; i < wins; ++i)
      for (std::int32_t edge = first(0); edge < last(0); ++edge)
        if (at_.move[edge] == cells[i]) {
          at_.solved[edge] = 1;
          break;
        }
    if (wins > 0) at_.nodes[0].proven = 1;
    if (wins == 0 && settings_.threat_nodes > 0) look_at_replies();
  }

  // Whether the other side would win by threats after the root's moves, those most thought of first. Time is
  // short before the first simulation: all together get as many nodes as the root itself.
  void look_at_replies() {
    std::vector<std::int32_t> edges(at_.nodes[0].tried);
    std::iota(edges.begin(), edges.end(), first(0));
    std::stable_sort(edges.begin(), edges.end(), [&](std::int32_t a, std::int32_t b) {
      return at_.tries[a].visits > at_.tries[b].visits;
    });
    int looked = 0;
    for (std::int32_t edge : edges) {
      const std::int32_t child = at_.tries[edge].child;
      if (child < 0 || at_.nodes[child].proven != kUnknown) continue;
      if (looked++ == kRootTimes) return;
      position_.play(at_.move[edge]);
      if (threats_.find(position_, settings_.threat_nodes) >= 0) at_.nodes[child].proven = 1;
      position_.undo(at_.move[edge]);
      prove(child);
    }
  }

  // A node's value goes up to the root.
  void back_up(std::int32_t node, float value, bool was_flying) {
    for (std::int32_t below = node; below != 0; below = at_.nodes[below].above) {
      value = -value;
      Tried& tried = at_.tries[at_.nodes[below].by];
      Node& at = at_.nodes[at_.nodes[below].above];
      tried.total += value, at.sum += value;
      ++tried.visits, ++at.visits;
      tried.flying -= was_flying, at.flying -= was_flying;
    }
    if (settings_.prove) prove(node);
  }

  // A certain value goes up as far as it decides.
  void prove(std::int32_t node) {
    for (; node != 0; node = at_.nodes[node].above) {
      const std::int32_t by = at_.nodes[node].by;
      const std::int8_t below = at_.nodes[node].proven;
      if (below == kUnknown || at_.solved[by] == -below) return;
      at_.solved[by] = static_cast<std::int8_t>(-below);
      Node& at = at_.nodes[at_.nodes[node].above];
      if (at.proven != kUnknown) return;
      std::int8_t best = -1;
      for (std::int32_t edge = at.first; edge < at.first + at.edges; ++edge) {
        if (at_.solved[edge] == 1) {
          best = 1;
          break;
        }
        if (at_.solved[edge] == kUnknown)
          best = kUnknown;
        else if (best != kUnknown)
          best = std::max(best, at_.solved[edge]);
      }
      if (best == kUnknown) return;
      at.proven = best;
    }
  }

  static constexpr int kRootTimes = 10;  // as many threats as at another position

  Settings settings_;
  gomoku::Position position_;
  gomoku::ForcedWin forced_;
  gomoku::ThreatWin threats_;
  bool root_asked_ = false, root_marked_ = false, limited_ = false;
  int flying_total_ = 0;
  Nodes at_, spare_;  // the spare one keeps its room for the next time
};

}  // namespace zerosum::mcts
