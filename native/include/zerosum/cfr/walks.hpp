// Three sampled walks over a flat tree, each an unbiased estimate of the traverser's counterfactual regrets:
// external and outcome sampling (Lanctot et al. 2009) and public chance sampling (Johanson et al. 2012).
// A walk reads regrets that stand still and writes what it found to a log; nothing else changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "zerosum/cfr/public_chance.hpp"
#include "zerosum/cfr/regret_matching.hpp"
#include "zerosum/cfr/tree.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cfr {

enum class Sampling { kExternal, kOutcome, kPublicChance };

// One number to be added to the tables: regrets in front, averages behind.
struct Update {
  std::int32_t where;
  double amount;
};

// Updates in the order in which they were found.
class Log {
 public:
  Update* claim(std::size_t count) {
    if (size_ + count > updates_.size()) updates_.resize(2 * (size_ + count));
    size_ += count;
    return updates_.data() + size_ - count;
  }
  void add_to(double* table) {
    for (std::size_t k = 0; k < size_; ++k) table[updates_[k].where] += updates_[k].amount;
    size_ = 0;
  }

 private:
  std::vector<Update> updates_;
  std::size_t size_ = 0;
};

// Outcome sampling tries every action of the traverser at least this often.
inline constexpr double kExploration = 0.6;

class Walker {
 public:
  // Updates of information set I go to logs[shard[I]].
  Walker(const Tree& tree, const PublicChance* open, const double* regret,
         const std::vector<std::int32_t>& shard, std::vector<Log>& logs, std::size_t scratch)
      : tree_(tree),
        open_(open),
        regret_(regret),
        shard_(shard),
        logs_(logs),
        reach_(tree.players, 1.0),
        scratch_(scratch) {}

  // How much scratch a walk of the tree needs: strategy and values of every decision on the way down.
  static std::size_t scratch_size(const Tree& tree) {
    std::vector<std::int32_t> needed(tree.nodes.size(), 0);
    std::size_t most = 0;
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
      const Node& node = tree.nodes[n];
      const std::int32_t here = needed[n] + (node.actor >= 0 ? 2 * node.children : 0);
      most = std::max(most, static_cast<std::size_t>(here));
      for (int k = 0; k < node.children; ++k) needed[node.first_child + k] = here;
    }
    return most;
  }

  void walk(Sampling sampling, std::uint64_t seed, std::uint64_t iteration, int traverser) {
    seed_ = seed;
    iteration_ = iteration;
    traverser_ = traverser;
    std::fill(reach_.begin(), reach_.end(), 1.0);
    CounterRng rng(seed, iteration, traverser);
    switch (sampling) {
      case Sampling::kExternal:
        external(0, rng, scratch_.data());
        break;
      case Sampling::kOutcome:
        outcome(0, 1.0, rng, scratch_.data());
        break;
      case Sampling::kPublicChance:
        public_chance(0, 1.0, 1.0, scratch_.data());
        break;
    }
  }

 private:
  // Regret matching at a decision node: `strategy` gets the probabilities of its children.
  void match(const Node& node, double* strategy) const {
    const double* regret = regret_ + tree_.first[node.index];
    for (int a = 0; a < node.children; ++a) strategy[a] = std::max(regret[a], 0.0);
    normalise(node.children, strategy, strategy);
  }

  // The first k with u below the sum of probability[0..k]; counted, not searched, as a search mispredicts.
  static int pick(const double* probability, int count, double u) {
    int k = 0;
    double sum = 0.0;
    for (int a = 0; a + 1 < count; ++a) {
      sum += probability[a];
      k += u >= sum;
    }
    return k;
  }

  int sample_chance(const Node& node, CounterRng& rng) const {
    const double u = rng.uniform();
    if (node.index == 1) return node.first_child + static_cast<int>(u * node.children);
    return node.first_child + pick(tree_.probability.data() + node.first_child, node.children, u);
  }

  double payoff(const Node& node) const {
    return tree_.returns[std::size_t(node.index) * tree_.players + traverser_];
  }

  // How likely everyone was to come here but chance, the traverser and the actor. A node is met that often
  // less, and an average must count the actor's own reach alone. With two players there is nobody else.
  double bystanders(int actor) const {
    double product = 1.0;
    for (int p = 0; p < tree_.players; ++p) product *= p == actor || p == traverser_ ? 1.0 : reach_[p];
    return product;
  }

  void log_regrets(const Node& node, const double* value, double expected, double weight) {
    Update* update = logs_[shard_[node.index]].claim(node.children);
    const int first = tree_.first[node.index];
    for (int a = 0; a < node.children; ++a) update[a] = {first + a, weight * (value[a] - expected)};
  }

  void log_average(const Node& node, const double* strategy, double weight) {
    Update* update = logs_[shard_[node.index]].claim(node.children);
    const int first = tree_.sequences() + tree_.first[node.index];
    for (int a = 0; a < node.children; ++a) update[a] = {first + a, weight * strategy[a]};
  }

  double external(int id, CounterRng& rng, double* scratch) {
    const Node* node = &tree_.nodes[id];
    double* strategy = scratch;
    while (node->actor != traverser_) {
      if (node->actor == kTerminal) return payoff(*node);
      int next;
      if (node->actor == kChance) {
        next = sample_chance(*node, rng);
      } else {
        match(*node, strategy);
        log_average(*node, strategy, tree_.players == 2 ? 1.0 : 1.0 / bystanders(node->actor));
        const int a = pick(strategy, node->children, rng.uniform());
        if (tree_.players > 2) reach_[node->actor] *= strategy[a];
        next = node->first_child + a;
      }
      node = &tree_.nodes[next];
    }
    const int children = node->children;
    match(*node, strategy);
    double* value = scratch + children;
    double expected = 0.0;
    const bool many = tree_.players > 2;
    std::vector<double> before;
    if (many) before = reach_;
    for (int a = 0; a < children; ++a) {
      value[a] = external(node->first_child + a, rng, scratch + 2 * children);
      expected += strategy[a] * value[a];
      if (many) reach_ = before;
    }
    log_regrets(*node, value, expected, 1.0);
    return expected;
  }

  // `explored` is the probability with which the traverser's own choices were sampled so far; everyone else's
  // cancel against their reach.
  double outcome(int id, double explored, CounterRng& rng, double* scratch) {
    const Node& node = tree_.nodes[id];
    if (node.actor == kTerminal) return payoff(node);
    if (node.actor == kChance) return outcome(sample_chance(node, rng), explored, rng, scratch);
    const int children = node.children;
    double* strategy = scratch;
    double* value = scratch + children;
    match(node, strategy);
    if (node.actor != traverser_) {
      log_average(node, strategy, 1.0 / (explored * bystanders(node.actor)));
      const int a = pick(strategy, children, rng.uniform());
      reach_[node.actor] *= strategy[a];
      return outcome(node.first_child + a, explored, rng, scratch + 2 * children);
    }
    for (int a = 0; a < children; ++a) {
      value[a] = kExploration / children + (1.0 - kExploration) * strategy[a];
    }
    const int tried = pick(value, children, rng.uniform());
    const double chosen = value[tried];
    std::fill(value, value + children, 0.0);
    value[tried] = outcome(node.first_child + tried, explored * chosen, rng, scratch + 2 * children) / chosen;
    const double expected = strategy[tried] * value[tried];
    log_regrets(node, value, expected, 1.0 / explored);
    return expected;
  }

  // Every private deal and every action, but one outcome of each public event. `chance` is the weighted
  // probability of chance so far, `others` that of chance and the other players.
  double public_chance(int id, double chance, double others, double* scratch) {
    const Node& node = tree_.nodes[id];
    if (node.actor == kTerminal) return payoff(node);
    if (node.actor == kChance) return chance_event(id, node, chance, others, scratch);
    if (others == 0.0 && tree_.players == 2) return 0.0;  // nothing below can change a regret or an average
    const int children = node.children;
    double* strategy = scratch;
    double* value = scratch + children;
    match(node, strategy);
    const bool mine = node.actor == traverser_;
    const double before = reach_[node.actor];
    if (!mine) log_average(node, strategy, chance * before);
    double expected = 0.0;
    for (int a = 0; a < children; ++a) {
      reach_[node.actor] = before * strategy[a];
      const double beyond = mine ? others : others * strategy[a];
      value[a] = public_chance(node.first_child + a, chance, beyond, scratch + 2 * children);
      expected += strategy[a] * value[a];
    }
    reach_[node.actor] = before;
    if (mine) log_regrets(node, value, expected, others);
    return expected;
  }

  double chance_event(int id, const Node& node, double chance, double others, double* scratch) {
    const int group = open_->group[id];
    double expected = 0.0;
    if (group < 0) {
      for (int child = node.first_child; child < node.first_child + node.children; ++child) {
        const double p = tree_.probability[child];
        if (p > 0.0) expected += p * public_chance(child, chance * p, others * p, scratch);
      }
      return expected;
    }
    const auto& labels = open_->labels[group];
    CounterRng rng(seed_, iteration_, traverser_, 1 + group);
    const std::int32_t label = labels[static_cast<std::size_t>(rng.uniform() * labels.size())];
    for (int child = node.first_child; child < node.first_child + node.children; ++child) {
      if (tree_.action[child] != label || tree_.probability[child] == 0.0) continue;
      const double weight = tree_.probability[child] * labels.size();
      expected += weight * public_chance(child, chance * weight, others * weight, scratch);
    }
    return expected;
  }

  const Tree& tree_;
  const PublicChance* open_;
  const double* regret_;
  const std::vector<std::int32_t>& shard_;
  std::vector<Log>& logs_;
  std::vector<double> reach_;  // [players] own reach on the way down
  std::vector<double> scratch_;
  std::uint64_t seed_ = 0, iteration_ = 0;
  int traverser_ = 0;
};

}  // namespace zerosum::cfr
