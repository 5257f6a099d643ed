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
#include <vector>

#include "zerosum/games/gomoku/forced.hpp"
#include "zerosum/games/gomoku/lines.hpp"
#include "zerosum/mcts/cache.hpp"
#include "zerosum/mcts/settings.hpp"

namespace zerosum::mcts {

constexpr std::int8_t kUnknown = 2;  // where a certain value would be −1, 0 or 1

// A position a network is to be asked about, and the way back from it.
struct Leaf {
  struct Step {
    std::int32_t node, edge;
  };
  std::int32_t node = 0;
  std::vector<Step> path;
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

  // Plays a move; what was found out about the position after it is kept.
  void advance(int cell) {
    std::int32_t child = -1;
    for (std::int32_t edge = first(0); edge < last(0); ++edge)
      if (move_[edge] == cell) child = child_[edge];
    position_.play(cell);
    if (child < 0 || nodes_[child].edges < 0)
      clear();
    else
      keep(child);
  }

  bool root_is_ready() const { return nodes_[0].edges >= 0; }
  std::int32_t first(std::int32_t node) const { return nodes_[node].first; }
  std::int32_t last(std::int32_t node) const { return nodes_[node].first + std::max(nodes_[node].edges, 0); }
  int edge_count() const { return std::max(nodes_[0].edges, 0); }

  // Visits through the root so far, those under way not among them.
  int visits() const { return nodes_[0].visits; }
  int flying() const { return flying_total_; }

  // Starts simulations until `target` visits are done or under way, or `most` leaves wait for an answer.
  // `choose` picks the move at the root. Returns false when the next one would wait for one under way. A root
  // whose value is certain needs no more of them.
  template <typename Choose>
  bool gather(int target, std::size_t most, const Cache& cache, std::vector<Leaf>& leaves, Choose choose) {
    if (!root_is_ready()) {
      if (root_asked_) return false;
      Leaf leaf;
      if (ask(0, leaf, cache)) {
        root_asked_ = true;
        leaves.push_back(std::move(leaf));
        return false;
      }
    }
    while (visits() + flying_total_ < target && leaves.size() < most && nodes_[0].proven == kUnknown) {
      if (!simulate(cache, leaves, choose)) return false;
    }
    return true;
  }

  // The network's answer: probabilities of all cells, and the value to the side to move.
  void answer(const Leaf& leaf, const float* probabilities, float value) {
    if (leaf.path.empty()) root_asked_ = false;
    expand(leaf.node, leaf.stones, leaf.only, probabilities);
    if (!leaf.path.empty()) flying_total_ -= 1;
    nodes_[leaf.node].value = value;
    back_up(leaf.path, value, true);
  }

  // Adds visits to the root's best move without searching: for when its value is certain.
  void add_certain_visits(int count) {
    std::int32_t best = certain_edge();
    visits_[best] += count;
    total_[best] += static_cast<float>(count * solved_[best]);
    nodes_[0].visits += count;
  }

  // The root's most visited move among those that have its certain value, or −1.
  std::int32_t certain_edge() const {
    std::int32_t best = -1;
    if (nodes_[0].proven == kUnknown) return -1;
    for (std::int32_t edge = first(0); edge < last(0); ++edge)
      if (solved_[edge] == nodes_[0].proven && (best < 0 || visits_[edge] > visits_[best])) best = edge;
    return best;
  }

  std::int8_t proven(std::int32_t node) const { return nodes_[node].proven; }
  std::int32_t node_visits(std::int32_t node) const { return nodes_[node].visits; }
  std::int32_t child(std::int32_t edge) const { return child_[edge]; }
  int move(std::int32_t edge) const { return move_[edge]; }
  float prior(std::int32_t edge) const { return prior_[edge]; }
  void set_prior(std::int32_t edge, float prior) { prior_[edge] = prior; }
  int edge_visits(std::int32_t edge) const { return visits_[edge]; }
  int edge_tries(std::int32_t edge) const { return visits_[edge] + flying_[edge]; }
  std::int8_t solved(std::int32_t edge) const { return solved_[edge]; }
  float total(std::int32_t edge) const { return total_[edge]; }
  // The mean value of a move to the one who makes it; 0 for one that was not tried.
  float mean(std::int32_t edge) const {
    return visits_[edge] == 0 ? 0.0f : total_[edge] / static_cast<float>(visits_[edge]);
  }
  // What the network said of a node.
  float network_value(std::int32_t node) const { return nodes_[node].value; }
  // The mean over all visits to a node, the network's answer among them.
  float node_value(std::int32_t node) const {
    const Node& at = nodes_[node];
    float sum = at.value;
    for (std::int32_t edge = first(node); edge < last(node); ++edge) sum += total_[edge];
    return sum / static_cast<float>(at.visits + 1);
  }
  std::size_t nodes() const { return nodes_.size(); }
  std::size_t edges() const { return move_.size(); }

  // PUCT: Q + c·P·√N/(1+n), the moves under way counted as lost; certain losses only when there is nothing
  // else.
  std::int32_t best_by_puct(std::int32_t node) const {
    const Node& at = nodes_[node];
    const std::int32_t begin = at.first, count = at.edges;
    const float tries = static_cast<float>(std::max(at.visits + at.flying, 1));
    const float scale = settings_.exploration * std::sqrt(tries);
    const float unvisited = settings_.unvisited_parent ? node_mean(at) - settings_.unvisited_less : 0.0f;
    const float *prior = &prior_[begin], *total = &total_[begin];
    const std::int32_t *visits = &visits_[begin], *flying = &flying_[begin];
    const std::int8_t* solved = &solved_[begin];
    std::int32_t best = 0;
    float best_score = -std::numeric_limits<float>::infinity();
    for (std::int32_t i = 0; i < count; ++i) {
      float n = static_cast<float>(visits[i] + flying[i]);
      float q = n > 0 ? (total[i] - static_cast<float>(flying[i])) / n : unvisited;
      if (solved[i] != kUnknown) q = solved[i] < 0 ? -1e6f : static_cast<float>(solved[i]);
      float score = q + scale * prior[i] / (1 + n);
      if (score > best_score) best_score = score, best = i;
    }
    return begin + best;
  }

 private:
  struct Node {
    std::int32_t first = 0, edges = -1;  // −1: not asked about, or certain without asking
    std::int32_t visits = 0, flying = 0;
    float value = 0, sum = 0;  // what the network said; what came back from below
    std::int8_t proven = kUnknown;
    bool waiting = false;
  };

  void clear() {
    nodes_.assign(1, Node{});
    for (auto* numbers : {&visits_, &flying_, &child_}) numbers->clear();
    prior_.clear(), total_.clear(), move_.clear(), solved_.clear();
    root_asked_ = false;
    flying_total_ = 0;
  }

  static float node_mean(const Node& at) { return (at.value + at.sum) / static_cast<float>(at.visits + 1); }

  template <typename Choose>
  bool simulate(const Cache& cache, std::vector<Leaf>& leaves, Choose& choose) {
    Leaf leaf;
    std::int32_t node = 0;
    bool goes_on = true, asked = false;
    while (true) {
      std::int32_t edge = node == 0 ? choose() : best_by_puct(node);
      leaf.path.push_back({node, edge});
      position_.play(move_[edge]);
      if (child_[edge] < 0) {
        child_[edge] = static_cast<std::int32_t>(nodes_.size());
        nodes_.emplace_back();
        node = child_[edge];
        settle(node);
        break;
      }
      node = child_[edge];
      if (nodes_[node].waiting) goes_on = false;
      if (nodes_[node].waiting || nodes_[node].proven != kUnknown || nodes_[node].edges < 0) break;
    }
    if (goes_on) {
      if (nodes_[node].proven != kUnknown) {
        back_up(leaf.path, nodes_[node].proven, false);
      } else {
        asked = ask(node, leaf, cache);
        if (!asked) back_up(leaf.path, nodes_[node].value, false);
      }
    }
    for (auto step = leaf.path.rbegin(); step != leaf.path.rend(); ++step) position_.undo(move_[step->edge]);
    if (asked) {
      for (const Leaf::Step& step : leaf.path) ++flying_[step.edge], ++nodes_[step.node].flying;
      ++flying_total_;
      leaves.push_back(std::move(leaf));
    }
    return goes_on;
  }

  // The end of the game, and what is certain without a network.
  void settle(std::int32_t node) {
    if (position_.is_over()) {
      nodes_[node].proven = position_.board().winner >= 0 ? -1 : 0;
      return;
    }
    if (!settings_.prove) return;
    int cells[2], mover = position_.to_move();
    if (position_.winning_cells(mover, cells, 1) > 0)
      nodes_[node].proven = 1;
    else if (position_.winning_cells(1 - mover, cells, 2) > 1)
      nodes_[node].proven = -1;
    else if (settings_.forced_nodes > 0 && forced_.find(position_, settings_.forced_nodes) >= 0)
      nodes_[node].proven = 1;
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
      expand(node, leaf.stones, leaf.only, known);
      nodes_[node].value = value;
      return false;
    }
    if (settings_.symmetry == Symmetry::random)
      leaf.symmetry =
          static_cast<int>(mix64(leaf.key ^ settings_.seed) % position_.lines().symmetries.size());
    nodes_[node].waiting = true;
    return true;
  }

  // Gives a node its moves, with probabilities that add up to one over the legal ones.
  void expand(std::int32_t node, const std::array<gomoku::Stones, 2>& stones, int only, const float* given) {
    Node& at = nodes_[node];
    at.waiting = false;
    at.first = static_cast<std::int32_t>(move_.size());
    float sum = 0;
    int cells = position_.rules().cells();
    for (int cell = 0; cell < cells; ++cell) {
      if (stones[0].has(cell) || stones[1].has(cell)) continue;
      float mass = given[cell] > 0 ? given[cell] : 0.0f;  // neither negative nor not a number
      sum += mass;
      move_.push_back(static_cast<std::int16_t>(cell));
      prior_.push_back(mass);
      solved_.push_back(only >= 0 && cell != only ? std::int8_t(-1) : kUnknown);
    }
    at.edges = static_cast<std::int32_t>(move_.size()) - at.first;
    bool even = !(sum > 0) || !std::isfinite(sum);
    for (std::size_t edge = at.first; edge < move_.size(); ++edge)
      prior_[edge] = even ? 1.0f / static_cast<float>(at.edges) : prior_[edge] / sum;
    total_.resize(move_.size(), 0);
    visits_.resize(move_.size(), 0);
    flying_.resize(move_.size(), 0);
    child_.resize(move_.size(), -1);
    if (node == 0 && settings_.prove) mark_root();
  }

  // What is certain about the root's moves, which nobody looked at on the way to it.
  void mark_root() {
    int cells[8], mover = position_.to_move();
    int wins = position_.winning_cells(mover, cells, 8);
    if (wins == 0 && settings_.forced_nodes > 0 && position_.winning_cells(1 - mover, cells, 2) < 2) {
      cells[0] = forced_.find(position_, 20 * settings_.forced_nodes);
      wins = cells[0] >= 0 ? 1 : 0;
    }
    for (int i = 0; i < wins; ++i)
      for (std::int32_t edge = first(0); edge < last(0); ++edge)
        if (move_[edge] == cells[i]) solved_[edge] = 1;
    if (wins > 0) nodes_[0].proven = 1;
  }

  void back_up(const std::vector<Leaf::Step>& path, float value, bool was_flying) {
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
      value = -value;
      total_[step->edge] += value;
      ++visits_[step->edge];
      nodes_[step->node].sum += value;
      ++nodes_[step->node].visits;
      if (was_flying) --flying_[step->edge], --nodes_[step->node].flying;
    }
    if (settings_.prove) prove(path);
  }

  // A certain value goes up as far as it decides.
  void prove(const std::vector<Leaf::Step>& path) {
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
      std::int8_t below = nodes_[child_[step->edge]].proven;
      if (below == kUnknown || solved_[step->edge] == -below) return;
      solved_[step->edge] = static_cast<std::int8_t>(-below);
      Node& at = nodes_[step->node];
      if (at.proven != kUnknown) return;
      std::int8_t best = -1;
      for (std::int32_t edge = at.first; edge < at.first + at.edges; ++edge) {
        if (solved_[edge] == 1) {
          best = 1;
          break;
        }
        if (solved_[edge] == kUnknown)
          best = kUnknown;
        else if (best != kUnknown)
          best = std::max(best, solved_[edge]);
      }
      if (best == kUnknown) return;
      at.proven = best;
    }
  }

  // The part of the tree below a node, which becomes the root.
  void keep(std::int32_t root) {
    std::vector<Node> nodes;
    std::vector<std::int32_t> from{root};
    Tree old = std::move(*this);
    position_ = std::move(old.position_);
    clear();
    for (std::size_t next = 0; next < from.size(); ++next) {
      Node node = old.nodes_[from[next]];
      std::int32_t begin = node.first;
      node.first = static_cast<std::int32_t>(move_.size());
      for (std::int32_t edge = begin; edge < begin + std::max(node.edges, 0); ++edge) {
        move_.push_back(old.move_[edge]);
        prior_.push_back(old.prior_[edge]);
        solved_.push_back(old.solved_[edge]);
        total_.push_back(old.total_[edge]);
        visits_.push_back(old.visits_[edge]);
        flying_.push_back(0);
        child_.push_back(old.child_[edge] < 0 ? -1 : static_cast<std::int32_t>(from.size()));
        if (old.child_[edge] >= 0) from.push_back(old.child_[edge]);
      }
      nodes.push_back(node);
    }
    nodes_ = std::move(nodes);
  }

  Settings settings_;
  gomoku::Position position_;
  gomoku::ForcedWin forced_;
  bool root_asked_ = false;
  int flying_total_ = 0;
  std::vector<Node> nodes_;
  // of every move of every node
  std::vector<float> prior_, total_;
  std::vector<std::int32_t> visits_, flying_, child_;
  std::vector<std::int16_t> move_;
  std::vector<std::int8_t> solved_;
};

}  // namespace zerosum::mcts
