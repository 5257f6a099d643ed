// Counterfactual regret minimisation on the sequence form, with alternating updates. The members of the
// family differ only in three exponents and a flag (Zinkevich et al. 2007; Tammelin 2014; Brown & Sandholm
// 2019; Farina, Kroer & Sandholm 2021; Xu et al. 2024).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "zerosum/cfr/histories.hpp"
#include "zerosum/cfr/regret_matching.hpp"
#include "zerosum/cfr/sequence_form.hpp"
#include "zerosum/cfr/tree.hpp"

namespace zerosum::cfr {

// After iteration t is added, positive regrets are multiplied by t^positive / (t^positive + 1) and negative
// ones likewise; an exponent of +inf means factor 1, of -inf factor 0. Iteration t weighs t^average in the
// average. A predictive solver plays as if the last regrets were about to come once more. By history, sums
// are taken in the order of a plain recursion over the game.
struct Discount {
  double positive;
  double negative;
  double average;
  bool predictive;
  bool by_history = false;
};

inline double discount_factor(double exponent, double t) {
  if (std::isinf(exponent)) return exponent > 0 ? 1.0 : 0.0;
  const double power = std::pow(t, exponent);
  return std::isinf(power) ? 1.0 : power / (power + 1.0);
}

class Solver {
 public:
  Solver(std::shared_ptr<const Tree> tree, std::shared_ptr<const SequenceForm> form, Discount discount)
      : tree_(std::move(tree)),
        form_(std::move(form)),
        discount_(discount),
        regret(tree_->sequences(), 0.0),
        average(tree_->sequences(), 0.0),
        strategy(tree_->sequences()),
        reach_(tree_->reaches()),
        value_(tree_->reaches()) {
    for (int i = 0; i < tree_->infosets(); ++i) {
      for (int s = tree_->first[i]; s < tree_->first[i + 1]; ++s) strategy[s] = 1.0 / tree_->actions(i);
    }
    if (discount_.by_history) histories_.emplace(*tree_);
  }

  void run(std::int64_t iterations) {
    own_reaches(*tree_, strategy.data(), reach_.data());
    for (std::int64_t k = 0; k < iterations; ++k) {
      const double t = static_cast<double>(++iteration);
      const Step step{discount_factor(discount_.positive, t), discount_factor(discount_.negative, t),
                      discount_.average == 1.0 ? t : std::pow(t, discount_.average)};
      for (int player = 0; player < tree_->players; ++player) {
        if (discount_.predictive) {
          update<true>(player, step);
        } else {
          update<false>(player, step);
        }
      }
    }
  }

  std::vector<double> average_profile() const { return behaviour(*tree_, average.data()); }

  // The state: what a checkpoint holds.
  std::int64_t iteration = 0;

 private:
  std::shared_ptr<const Tree> tree_;
  std::shared_ptr<const SequenceForm> form_;
  Discount discount_;

 public:
  std::vector<double> regret;    // [sequences]
  std::vector<double> average;   // [sequences] weighted sum of the iterates' reaches
  std::vector<double> strategy;  // [sequences] the next iterate

 private:
  struct Step {
    double positive, negative, weight;
  };

  template <bool kPredictive>
  void update(int player, const Step& step) {
    const Tree& tree = *tree_;
    const int from = tree.owned_from[player], to = tree.owned_from[player + 1];
    if (from == to) return;
    for (int s = tree.first[from]; s < tree.first[to]; ++s) average[s] += step.weight * reach_[s];
    if (histories_) {
      histories_->add_regrets(tree, player, strategy.data(), regret.data());
      for (int i = from; i < to; ++i) {
        match_summed(tree.actions(i), regret.data() + tree.first[i], strategy.data() + tree.first[i], step);
      }
    } else {
      values_upward(tree, *form_, player, reach_.data(), value_.data(), [&](int i, auto size, double* v) {
        return match<kPredictive>(size, v, regret.data() + tree.first[i], strategy.data() + tree.first[i],
                                  step);
      });
    }
    for (const auto& run : tree.runs[player]) {
      with_fixed(run.actions, [&](auto size) {
        for (int k = run.from; k < run.to; ++k) {
          const int i = tree.order[k], first = tree.first[i];
          const double before = reach_[tree.parent[i]];
          for (int a = 0; a < size; ++a) reach_[first + a] = before * strategy[first + a];
        }
      });
    }
  }

  // One information set: adds the regrets of `value`, discounts them, puts regret matching's answer into
  // `strategy` and returns what the old strategy was worth.
  template <bool kPredictive, typename Size>
  static double match(Size size, double* value, double* regret, double* strategy, const Step& step) {
    double expected = 0.0;
    for (int a = 0; a < size; ++a) expected += strategy[a] * value[a];
    for (int a = 0; a < size; ++a) {
      const double instant = value[a] - expected;
      const double summed = regret[a] + instant;
      regret[a] = summed * (summed > 0.0 ? step.positive : step.negative);
      value[a] = std::max(kPredictive ? regret[a] + instant : regret[a], 0.0);
    }
    normalise(size, value, strategy);
    return expected;
  }

  // The same for regrets that are added already, each share by a division of its own.
  static void match_summed(int size, double* regret, double* strategy, const Step& step) {
    double total = 0.0;
    for (int a = 0; a < size; ++a) {
      regret[a] *= regret[a] >= 0.0 ? step.positive : step.negative;
      if (regret[a] > 0.0) total += regret[a];
    }
    for (int a = 0; a < size; ++a) {
      strategy[a] = total > 0.0 ? std::max(regret[a], 0.0) / total : 1.0 / size;
    }
  }

  std::optional<Histories> histories_;
  std::vector<double> reach_;  // [reaches]
  std::vector<double> value_;  // [reaches] scratch
};

}  // namespace zerosum::cfr
