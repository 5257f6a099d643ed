// Three sampled walks over a flat tree, each an unbiased estimate of the traverser's counterfactual regrets:
// external and outcome sampling (Lanctot et al. 2009) and public chance sampling (Johanson et al. 2012).
// A walk reads regrets that stand still and writes what it found to a log; nothing else changes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "zerosum/cfr/public_chance.hpp"
#include "zerosum/cfr/regret_matching.hpp"
#include "zerosum/cfr/tree.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cfr {

enum class Sampling { kExternal, kOutcome, kPublicChance };

// One number to be added to a table.
struct Update {
  std::int32_t where;
  double amount;
};

// Updates in the order in which they were found. On a cache line of its own, as each thread fills one.
class alignas(64) Log {
 public:
  Update* claim(std::size_t count) {
    if (size_ + count > updates_.size()) updates_.resize(2 * (size_ + count));
    size_ += count;
    return updates_.data() + size_ - count;
  }
  void add_to(double* table) const {
    for (std::size_t k = 0; k < size_; ++k) table[updates_[k].where] += updates_[k].amount;
  }
  void clear() { size_ = 0; }

 private:
  std::vector<Update> updates_;
  std::size_t size_ = 0;
};

// What the walks of one thread found.
struct Logs {
  explicit Logs(int shards) : averages(shards) {}
  void clear() {
    regrets.clear();
    for (Log& log : averages) log.clear();
  }

  Log regrets;
  std::vector<Log> averages;  // [shards]
};

// Outcome sampling tries every action of the traverser at least this often.
inline constexpr double kExploration = 0.6;

class Walker {
 public:
  // The averages of information set I go to the log of shard[I].
  Walker(const Tree& tree, const PublicChance* open, const double* regret,
         const std::vector<std::int32_t>& shard, std::size_t scratch)
      : tree_(tree),
        open_(open),
        regret_(regret),
        shard_(shard),
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

  void walk(Sampling sampling, std::uint64_t seed, std::uint64_t iteration, int traverser, Logs& logs) {
    logs_ = &logs;
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
  template <typename Size>
  void match(const Node& node, Size children, double* strategy) const {
    const double* regret = regret_ + tree_.first[node.index];
    for (int a = 0; a < children; ++a) strategy[a] = 0.5 * (regret[a] + std::fabs(regret[a]));
    normalise(children, strategy, strategy);
  }

  // Calls f with a number of actions that the compiler knows where it is a common one: loops over a number
  // that changes from node to node mispredict their ends.
  template <typename F>
  static auto sized(int children, F f) {
    switch (children) {
      case 2:
        return f(std::integral_constant<int, 2>());
      case 3:
        return f(std::integral_constant<int, 3>());
      default:
        return f(children);
    }
  }

  // The first k with u below the sum of probability[0..k]; counted, not searched, as a search mispredicts.
  template <typename Size>
  static int pick(const double* probability, Size count, double u) {
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

  template <typename Size>
  void log_regrets(const Node& node, Size children, const double* value, double expected, double weight) {
    Update* update = logs_->regrets.claim(children);
    const int first = tree_.first[node.index];
    for (int a = 0; a < children; ++a) update[a] = {first + a, weight * (value[a] - expected)};
  }

  template <typename Size>
  void log_average(const Node& node, Size children, const double* strategy, double weight) {
    Update* update = logs_->averages[shard_[node.index]].claim(children);
    const int first = tree_.first[node.index];
    for (int a = 0; a < children; ++a) update[a] = {first + a, weight * strategy[a]};
  }

  double external(int id, CounterRng& rng, double* scratch) {
    const Node* node = &tree_.nodes[id];
    while (node->actor != kTerminal) {
      if (node->actor == traverser_) {
        return sized(node->children, [&](auto children) { return explore(*node, children, rng, scratch); });
      }
      const int next =
          node->actor == kChance
              ? sample_chance(*node, rng)
              : sized(node->children, [&](auto children) { return follow(*node, children, rng, scratch); });
      node = &tree_.nodes[next];
    }
    return payoff(*node);
  }

  // External sampling where another player acts: one child, drawn from the current strategy.
  template <typename Size>
  int follow(const Node& node, Size children, CounterRng& rng, double* strategy) {
    match(node, children, strategy);
    log_average(node, children, strategy, two_ ? 1.0 : 1.0 / bystanders(node.actor));
    const int a = pick(strategy, children, rng.uniform());
    if (!two_) reach_[node.actor] *= strategy[a];
    return node.first_child + a;
  }

  // External sampling where the traverser acts: every child.
  template <typename Size>
  double explore(const Node& node, Size children, CounterRng& rng, double* scratch) {
    double* value = scratch;
    std::vector<double> before;
    if (!two_) before = reach_;
    for (int a = 0; a < children; ++a) {
      value[a] = external(node.first_child + a, rng, scratch + 2 * children);
      if (!two_) reach_ = before;
    }
    double* strategy = scratch + children;
    match(node, children, strategy);
    double expected = 0.0;
    for (int a = 0; a < children; ++a) expected += strategy[a] * value[a];
    log_regrets(node, children, value, expected, 1.0);
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
    match(node, children, strategy);
    if (node.actor != traverser_) {
      log_average(node, children, strategy, 1.0 / (explored * bystanders(node.actor)));
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
    log_regrets(node, children, value, expected, 1.0 / explored);
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
    match(node, children, strategy);
    const bool mine = node.actor == traverser_;
    const double before = reach_[node.actor];
    if (!mine) log_average(node, children, strategy, chance * before);
    double expected = 0.0;
    for (int a = 0; a < children; ++a) {
      reach_[node.actor] = before * strategy[a];
      const double beyond = mine ? others : others * strategy[a];
      value[a] = public_chance(node.first_child + a, chance, beyond, scratch + 2 * children);
      expected += strategy[a] * value[a];
    }
    reach_[node.actor] = before;
    if (mine) log_regrets(node, children, value, expected, others);
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
  const bool two_ = tree_.players == 2;
  std::vector<double> reach_;  // [players] own reach on the way down
  std::vector<double> scratch_;
  std::uint64_t seed_ = 0, iteration_ = 0;
  int traverser_ = 0;
  Logs* logs_ = nullptr;
};

}  // namespace zerosum::cfr
