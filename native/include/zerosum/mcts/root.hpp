// What happens at the root of a search: noise, Gumbel's choice of moves to look at, and the result.
//
// Gumbel's root (Danihelka et al. 2022, "Policy improvement by planning with Gumbel") draws a few moves
// without replacement, and halves their number again and again while it looks at the rest more closely.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "zerosum/mcts/tree.hpp"
#include "zerosum/random.hpp"

namespace zerosum::mcts {

inline double standard_normal(CounterRng& rng) {
  double u = 1.0 - rng.uniform(), v = rng.uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
}

// Marsaglia & Tsang 2000, "A simple method for generating gamma variables".
inline double gamma_draw(CounterRng& rng, double shape) {
  if (shape < 1) return gamma_draw(rng, shape + 1) * std::pow(1.0 - rng.uniform(), 1 / shape);
  double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    double x = standard_normal(rng), v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    if (std::log(1.0 - rng.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

// Mixes a share of Dirichlet noise into the root's probabilities.
inline void add_noise(Tree& tree, double alpha, double share, CounterRng& rng) {
  std::vector<double> noise(tree.edge_count());
  double sum = 0;
  for (double& one : noise) sum += one = gamma_draw(rng, alpha);
  if (!(sum > 0)) return;
  for (int i = 0; i < tree.edge_count(); ++i) {
    std::int32_t edge = tree.first(0) + i;
    tree.set_prior(edge, static_cast<float>((1 - share) * tree.prior(edge) + share * noise[i] / sum));
  }
}

// How often a move must have been tried to be looked at next, for each simulation of a sequential halving.
inline std::vector<int> halving_schedule(int considered, int simulations) {
  std::vector<int> schedule;
  if (considered <= 1) {
    for (int i = 0; i < simulations; ++i) schedule.push_back(i);
    return schedule;
  }
  int rounds = static_cast<int>(std::ceil(std::log2(considered))), among = considered;
  std::vector<int> tried(considered, 0);
  while (static_cast<int>(schedule.size()) < simulations) {
    int each = std::max(1, simulations / (rounds * among));
    for (int turn = 0; turn < each; ++turn)
      for (int i = 0; i < among; ++i) schedule.push_back(tried[i]++);
    among = std::max(2, among / 2);
  }
  schedule.resize(simulations);
  return schedule;
}

// One search at a tree's root.
class RootSearch {
 public:
  // `luck` decides Gumbel's draws.
  void begin(Tree& tree, int simulations, CounterRng luck) {
    simulations_ = simulations;
    certain_ = 0;
    drawn_ = false;
    tree.forget_flights();
    luck_ = luck;
    if (tree.settings().root == Root::gumbel && tree.visits() > 0) tree.reset_keeping_position();
  }

  // Visits that were added without searching.
  int certain_visits() const { return certain_; }

  bool is_done(const Tree& tree) const {
    return tree.root_is_ready() && tree.flying() == 0 && tree.visits() >= simulations_;
  }

  // At most `at_once` simulations, whether they need the network or not.
  void gather(Tree& tree, std::size_t most, const Cache& cache, std::vector<Leaf>& leaves,
              int at_once = std::numeric_limits<int>::max() / 2) {
    if (tree.root_is_ready() && tree.flying() == 0 && tree.visits() < simulations_ &&
        tree.certain_edge() >= 0) {
      certain_ = simulations_ - tree.visits();
      tree.add_certain_visits(certain_);
      return;
    }
    const int target =
        std::min<std::int64_t>(simulations_, std::int64_t(at_once) + tree.visits() + tree.flying());
    tree.gather(target, most, cache, leaves, [&] {
      return tree.settings().root == Root::gumbel ? best_by_gumbel(tree) : tree.best_by_puct(0);
    });
  }

  // The move to play: the most visited one, or one drawn by visits. A certain win is taken, a certain loss
  // not.
  std::int32_t chosen(const Tree& tree, bool greedy, double luck) const {
    std::int32_t certain = tree.certain_edge();
    if (certain >= 0 && tree.proven(0) == 1) return certain;
    if (tree.visits() == 0) return most(tree, [&](std::int32_t edge) { return tree.prior(edge); });
    if (tree.settings().root == Root::gumbel) return gumbel_choice(tree, greedy, luck);
    bool any = false;
    for (std::int32_t edge = tree.first(0); edge < tree.last(0); ++edge)
      any = any || (tree.solved(edge) != -1 && tree.edge_visits(edge) > 0);
    auto weight = [&](std::int32_t edge) {
      return any && tree.solved(edge) == -1 ? 0.0 : static_cast<double>(tree.edge_visits(edge));
    };
    return greedy ? most(tree, weight) : drawn(tree, weight, luck);
  }

  // What a network should learn to answer here: shares of the visits, or Gumbel's improved policy.
  void policy(const Tree& tree, float* by_cell) const {
    std::int32_t certain = tree.certain_edge();
    std::vector<double> weights(tree.edge_count(), 0.0);
    bool won = certain >= 0 && tree.proven(0) == 1;
    std::vector<double> improved;
    if (tree.settings().root == Root::gumbel && !won) improved = improved_policy(tree);
    double sum = 0;
    for (int i = 0; i < tree.edge_count(); ++i) {
      std::int32_t edge = tree.first(0) + i;
      if (won)
        weights[i] = tree.solved(edge) == 1 ? 1 : 0;
      else if (!improved.empty())
        weights[i] = improved[i];
      else
        weights[i] = tree.solved(edge) == -1 && tree.proven(0) != -1 ? 0 : tree.edge_visits(edge);
      sum += weights[i];
    }
    for (int i = 0; i < tree.edge_count(); ++i)
      by_cell[tree.move(tree.first(0) + i)] =
          static_cast<float>(sum > 0 ? weights[i] / sum : 1.0 / tree.edge_count());
  }

 private:
  template <typename Weight>
  static std::int32_t most(const Tree& tree, Weight weight) {
    std::int32_t best = tree.first(0);
    for (std::int32_t edge = tree.first(0); edge < tree.last(0); ++edge)
      if (weight(edge) > weight(best)) best = edge;
    return best;
  }

  template <typename Weight>
  static std::int32_t drawn(const Tree& tree, Weight weight, double luck) {
    double sum = 0;
    for (std::int32_t edge = tree.first(0); edge < tree.last(0); ++edge) sum += weight(edge);
    double left = luck * sum;
    std::int32_t last = most(tree, weight);
    for (std::int32_t edge = tree.first(0); edge < tree.last(0); ++edge) {
      if (weight(edge) <= 0) continue;
      last = edge;
      left -= weight(edge);
      if (left < 0) break;
    }
    return last;
  }

  static double logit(const Tree& tree, std::int32_t edge) {
    return std::log(std::max(static_cast<double>(tree.prior(edge)), 1e-9));
  }

  // Values of all moves as a multiple of logits; moves that were not tried count as the mixed value of the
  // root.
  static std::vector<double> transformed_values(const Tree& tree) {
    const Settings& settings = tree.settings();
    double weighted = 0, mass = 0;
    int most_tried = 0, visits = 0;
    for (std::int32_t edge = tree.first(0); edge < tree.last(0); ++edge) {
      most_tried = std::max(most_tried, tree.edge_visits(edge));
      visits += tree.edge_visits(edge);
      if (tree.edge_visits(edge) == 0) continue;
      weighted += tree.prior(edge) * tree.mean(edge);
      mass += tree.prior(edge);
    }
    double network = tree.network_value(0);
    double mixed = mass > 0 ? (network + visits * weighted / mass) / (visits + 1) : network;
    double scale = (settings.visit_offset + most_tried) * settings.value_scale;
    std::vector<double> found;
    for (std::int32_t edge = tree.first(0); edge < tree.last(0); ++edge) {
      double q = tree.edge_visits(edge) > 0 ? tree.mean(edge) : mixed;
      if (tree.solved(edge) != kUnknown) q = tree.solved(edge);
      found.push_back(scale * (q + 1) / 2);
    }
    return found;
  }

  static std::vector<double> improved_policy(const Tree& tree) {
    std::vector<double> found = transformed_values(tree);
    double highest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < tree.edge_count(); ++i)
      highest = std::max(highest, found[i] += logit(tree, tree.first(0) + i));
    bool lost = tree.proven(0) == -1;
    double sum = 0;
    for (int i = 0; i < tree.edge_count(); ++i) {
      bool loses = tree.solved(tree.first(0) + i) == -1;
      sum += found[i] = loses && !lost ? 0 : std::exp(found[i] - highest);
    }
    if (!(sum > 0)) return std::vector<double>(found.size(), 1.0 / static_cast<double>(found.size()));
    for (double& one : found) one /= sum;
    return found;
  }

  void draw(const Tree& tree) {
    gumbel_.clear();  // of each cell: moves change places as they are tried
    for (int i = 0; i < tree.position().rules().cells(); ++i)
      gumbel_.push_back(-std::log(-std::log(luck_.uniform() + 1e-300) + 1e-300));
    schedule_ = halving_schedule(std::min(tree.settings().considered, tree.edge_count()), simulations_);
    drawn_ = true;
  }

  std::int32_t best_by_gumbel(const Tree& tree) {
    if (!drawn_) draw(tree);
    int wanted = schedule_[std::min<std::size_t>(tree.visits() + tree.flying(), schedule_.size() - 1)];
    return best_tried(tree, wanted, wanted == 0);
  }

  // The best move by draw, logit and value among those tried so often; certain losses last.
  std::int32_t best_tried(const Tree& tree, int wanted, bool by_draw_alone) const {
    std::vector<double> values = transformed_values(tree);
    std::int32_t best = -1;
    double best_score = 0;
    for (int i = 0; i < tree.edge_count(); ++i) {
      std::int32_t edge = tree.first(0) + i;
      if (tree.edge_tries(edge) != wanted) continue;
      double score = gumbel_[tree.move(edge)] + logit(tree, edge) + (by_draw_alone ? 0 : values[i]);
      if (tree.solved(edge) == -1) score -= 1e6;
      if (best < 0 || score > best_score) best = edge, best_score = score;
    }
    return best >= 0 ? best : most(tree, [&](std::int32_t edge) { return tree.edge_visits(edge); });
  }

  std::int32_t gumbel_choice(const Tree& tree, bool greedy, double luck) const {
    if (!greedy) {
      std::vector<double> shares = improved_policy(tree);
      return drawn(tree, [&](std::int32_t edge) { return shares[edge - tree.first(0)]; }, luck);
    }
    int most_tried = 0;
    for (std::int32_t edge = tree.first(0); edge < tree.last(0); ++edge)
      if (tree.solved(edge) != -1) most_tried = std::max(most_tried, tree.edge_visits(edge));
    return most_tried > 0 && drawn_ ? best_tried(tree, most_tried, false)
                                    : most(tree, [&](std::int32_t edge) { return tree.edge_visits(edge); });
  }

  int simulations_ = 0, certain_ = 0;
  bool drawn_ = false;
  CounterRng luck_{0, 0, 0};
  std::vector<double> gumbel_;
  std::vector<int> schedule_;
};

}  // namespace zerosum::mcts
