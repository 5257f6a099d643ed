// External sampling (Lanctot et al. 2009), level by level: many walks advance together, and stop together
// where a strategy is needed. Whoever drives them answers from a table or from a network (Brown et al. 2019,
// "Deep counterfactual regret minimization"). Every draw is a function of the walk's key and the path to the
// node, so neither the number of walks at once nor the number of threads shows in what they find.
//
// Baselines (Schmid et al. 2019, "Variance reduction in Monte Carlo CFR") are control variates: where one
// action was sampled, the value is what the baseline expects of all of them, corrected by how wrong it was on
// that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/random.hpp"

namespace zerosum::cfr {

// What walks found, in an order that depends on the walks alone: first walk first, each from its leaves up.
// Rows are [actions] wide; what is not legal is zero.
template <typename State>
struct Found {
  std::vector<State> at;          // the traverser's decisions
  std::vector<double> regret;     // [at, actions]
  std::vector<State> others_at;   // the other players' decisions
  std::vector<double> strategy;   // [others_at, actions]
  std::vector<double> weight;     // [others_at] against the luck of bystanders, with three players and more
  std::vector<State> sampled_at;  // where one action was sampled of several, with baselines
  std::vector<std::int32_t> sampled;  // [sampled_at] which
  std::vector<double> value;          // [sampled_at] what it was worth to the traverser
  std::int64_t nodes = 0;             // states visited
};

// Several threads' finds as one, in the order of the walks.
template <typename State>
Found<State> joined(std::vector<Found<State>> parts) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  Found<State> all = std::move(parts.front());
  for (std::size_t k = 1; k < parts.size(); ++k) {
    append(all.at, parts[k].at);
    append(all.regret, parts[k].regret);
    append(all.others_at, parts[k].others_at);
    append(all.strategy, parts[k].strategy);
    append(all.weight, parts[k].weight);
    append(all.sampled_at, parts[k].sampled_at);
    append(all.sampled, parts[k].sampled);
    append(all.value, parts[k].value);
    all.nodes += parts[k].nodes;
  }
  return all;
}

// `Game` gives State, players, actions (the width of rows), the actors kChance and kTerminal, and functions:
// root(key), the first state of a walk, with its luck where chance has no states of its own; actor(state);
// children(state), how many; child(state, k); column(state, k), where a row has the k-th action;
// sample(state, u, deal), one of a chance node's children, using up `deal` where deals are numbered;
// chance(state, k), its probability; payoff(state, player); has_baseline() and baseline(state, k, player), at
// chance nodes and, where an answer brings none, at decisions.
template <typename Game>
class Traversals {
 public:
  using State = typename Game::State;

  Traversals(const Game& game, int traverser) : game_(game), traverser_(traverser) {}

  // Begins walks; `key` is the walk's luck and `deal` its number among the deals, if they are numbered.
  void begin(std::uint64_t key, std::uint64_t deal) {
    records_.push_back({key, deal, game_.root(key), walks_++, -1, -1, -1, -1, 0.0});
  }

  // Advances until every walk has ended or needs an answer; returns the records that need one.
  const std::vector<std::int32_t>& advance() {
    asked_.clear();
    for (; next_ < records_.size(); ++next_) {
      const int actor = game_.actor(records_[next_].state);
      if (actor == Game::kTerminal) {
        records_[next_].value = game_.payoff(records_[next_].state, traverser_);
      } else if (actor == Game::kChance) {
        deal(static_cast<std::int32_t>(next_));
      } else {
        asked_.push_back(static_cast<std::int32_t>(next_));
      }
    }
    return asked_;
  }

  const State& state(std::int32_t record) const { return records_[record].state; }
  // Before its answer, a record's state may be told to offer less.
  State& state(std::int32_t record) { return records_[record].state; }
  std::uint64_t luck(std::int32_t record) const { return records_[record].key; }

  // The strategy at a record that was asked: [children] probabilities, and what the baseline expects, if any.
  void answer(std::int32_t id, const double* strategy, const double* baseline) {
    const int children = game_.children(records_[id].state);
    const int actor = game_.actor(records_[id].state);
    records_[id].pool = static_cast<std::int32_t>(pool_.size());
    pool_.insert(pool_.end(), strategy, strategy + children);
    if (actor == traverser_) {
      records_[id].child = static_cast<std::int32_t>(records_.size());
      for (int k = 0; k < children; ++k) add_child(id, k);
      return;
    }
    if (baseline != nullptr) {
      pool_.insert(pool_.end(), baseline, baseline + children);
    } else if (game_.has_baseline()) {
      for (int k = 0; k < children; ++k) pool_.push_back(game_.baseline(records_[id].state, k, traverser_));
    }
    const int k = pick(strategy, children, unit(mix64(records_[id].key)));
    records_[id].chosen = k;
    records_[id].child = static_cast<std::int32_t>(records_.size());
    add_child(id, k);
  }

  // Once all walks have ended: values from the leaves up, and what is to be learnt from them, added to
  // `found`.
  void finish(bool baselines, Found<State>& found) {
    found.nodes += static_cast<std::int64_t>(records_.size());
    order();
    for (const std::int32_t id : order_) {
      if (game_.actor(records_[id].state) == Game::kTerminal) continue;
      if (records_[id].chosen >= 0) {
        sampled(id, baselines, found);
      } else {
        explored(id, found);
      }
    }
    records_.clear();
    pool_.clear();
    next_ = 0;
    walks_ = 0;
  }

  // The first k with u below the sum of probability[0..k].
  static int pick(const double* probability, int count, double u) {
    double sum = 0.0;
    for (int k = 0; k + 1 < count; ++k) {
      sum += probability[k];
      if (u < sum) return k;
    }
    int last = count - 1;
    while (last > 0 && probability[last] == 0.0) --last;  // sums of rounded numbers may end below one
    return last;
  }

 private:
  struct Record {
    std::uint64_t key;   // the luck of this place
    std::uint64_t deal;  // what is left of the deal's number
    State state;
    std::int32_t walk;
    std::int32_t parent;
    std::int32_t child;   // the first record below
    std::int32_t pool;    // where its strategy and baseline are
    std::int32_t chosen;  // the sampled child; -1 where all are tried
    double value;
  };

  void add_child(std::int32_t id, int k) {
    const Record& from = records_[id];
    const std::uint64_t key = mix64(from.key + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(k + 1));
    records_.push_back({key, from.deal, game_.child(from.state, k), from.walk, id, -1, -1, -1, 0.0});
  }

  // How likely everyone was to come here but chance, the traverser and the actor. A node is met that often
  // less, and an average must count the actor's own reach alone. With two players there is nobody else.
  double bystanders(std::int32_t id) const {
    if (game_.players == 2) return 1.0;
    const int actor = game_.actor(records_[id].state);
    double product = 1.0;
    for (std::int32_t at = records_[id].parent; at >= 0; at = records_[at].parent) {
      const Record& record = records_[at];
      const bool sampled_by_player = record.chosen >= 0 && record.pool >= 0;
      if (sampled_by_player && game_.actor(record.state) != actor)
        product *= pool_[record.pool + record.chosen];
    }
    return product;
  }

  void deal(std::int32_t id) {
    Record& record = records_[id];
    const int k = game_.sample(record.state, unit(mix64(record.key)), record.deal);
    record.chosen = k;
    record.child = static_cast<std::int32_t>(records_.size());
    add_child(id, k);
  }

  // Every record, those of the first walk first, and in each walk the last one first.
  void order() {
    order_.resize(records_.size());
    first_.assign(static_cast<std::size_t>(walks_) + 1, 0);
    for (const Record& record : records_) ++first_[record.walk + 1];
    for (std::size_t w = 1; w < first_.size(); ++w) first_[w] += first_[w - 1];
    for (std::size_t k = records_.size(); k-- > 0;) {
      order_[first_[records_[k].walk]++] = static_cast<std::int32_t>(k);
    }
  }

  // One child was sampled, by chance or by another player.
  void sampled(std::int32_t id, bool baselines, Found<State>& found) {
    Record& record = records_[id];
    const int children = game_.children(record.state);
    const double below = records_[record.child].value;
    const bool is_chance = record.pool < 0;
    record.value = below;
    if (baselines) {
      const double* strategy = is_chance ? nullptr : pool_.data() + record.pool;
      double expected = 0.0, here = 0.0;
      for (int k = 0; k < children; ++k) {
        const double guess = is_chance ? game_.baseline(record.state, k, traverser_) : strategy[children + k];
        expected += (is_chance ? game_.chance(record.state, k) : strategy[k]) * guess;
        if (k == record.chosen) here = guess;
      }
      record.value = expected + (below - here);
      found.sampled_at.push_back(record.state);
      found.sampled.push_back(record.chosen);
      found.value.push_back(below);
    }
    if (is_chance) return;
    found.others_at.push_back(record.state);
    spread(record.state, pool_.data() + record.pool, 0.0, found.strategy);
    found.weight.push_back(1.0 / bystanders(id));
  }

  // Every child was tried, by the traverser.
  void explored(std::int32_t id, Found<State>& found) {
    Record& record = records_[id];
    const int children = game_.children(record.state);
    const double* strategy = pool_.data() + record.pool;
    values_.resize(static_cast<std::size_t>(children));
    record.value = 0.0;
    for (int k = 0; k < children; ++k) {
      values_[k] = records_[record.child + k].value;
      record.value += strategy[k] * values_[k];
    }
    found.at.push_back(record.state);
    spread(record.state, values_.data(), record.value, found.regret);
  }

  void spread(const State& state, const double* amount, double less, std::vector<double>& rows) const {
    const std::size_t start = rows.size();
    rows.resize(start + static_cast<std::size_t>(game_.actions), 0.0);
    const int children = game_.children(state);
    for (int k = 0; k < children; ++k) rows[start + game_.column(state, k)] = amount[k] - less;
  }

  const Game& game_;
  const int traverser_;
  std::vector<Record> records_;
  std::vector<double> pool_, values_;
  std::vector<std::int32_t> asked_, order_, first_;
  std::size_t next_ = 0;
  std::int32_t walks_ = 0;
};

}  // namespace zerosum::cfr
