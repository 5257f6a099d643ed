// A seat of heads-up hold'em that follows the two networks, and never does what the rules forbid: where the
// networks are missing or give no numbers it checks, or folds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "zerosum/games/holdem/heads_up.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/state.hpp"
#include "zerosum/nn/heads_up.hpp"
#include "zerosum/random.hpp"

namespace zerosum::protocols {

using Strategy = std::array<double, nn::kActions>;

// Illegal logits count for nothing; shares under a bound are dropped, never all of them. False where the
// logits are no numbers.
inline bool strategy_of(const float* logits, const std::array<bool, nn::kActions>& legal,
                        double denoise_below, Strategy& shares) {
  double most = -1e9, sum = 0.0, kept = 0.0;
  for (std::size_t k = 0; k < nn::kActions; ++k) {
    if (!std::isfinite(logits[k])) return false;
    if (legal[k]) most = std::max(most, static_cast<double>(logits[k]));
  }
  for (std::size_t k = 0; k < nn::kActions; ++k) {
    shares[k] = legal[k] ? std::exp(static_cast<double>(logits[k]) - most) : 0.0;
    sum += shares[k];
  }
  for (double& share : shares) {
    share /= sum;
    if (share >= denoise_below) kept += share;
  }
  if (kept <= 0.0) return true;
  for (double& share : shares) share = share < denoise_below ? 0.0 : share / kept;
  return true;
}

// The number that a draw from [0, 1) falls on.
inline int drawn(const Strategy& shares, double uniform) {
  double all = 0.0, passed = 0.0;
  for (const double share : shares) all += share;
  int number = 0, last = 0;
  for (int k = 0; k < static_cast<int>(shares.size()); ++k) {
    passed += shares[static_cast<std::size_t>(k)];
    if (shares[static_cast<std::size_t>(k)] > 0.0) last = k;
    if (passed <= uniform * all) number = k + 1;
  }
  return std::min(number, last);
}

// The luck of a decision: the same for the same seed, hand and number of actions before it.
inline double decision_luck(std::uint64_t seed, std::uint64_t hand, std::uint64_t before) {
  return CounterRng(seed, hand, before).uniform();
}

// A hand as a seat knows it, with what the betting was.
struct Situation {
  holdem::State state;
  holdem::BettingHistory history;

  // A legal action; returns the chips that were added.
  holdem::Chips take(const holdem::Rules& rules, holdem::Chips action) {
    if (rules.players == 2) history.add(state, action);
    return act(rules, state, action);
  }
};

class HeadsUpPlayer {
 public:
  // `denoise_below` of 0 keeps every chance.
  HeadsUpPlayer(const nn::Weights& cards, const nn::Weights& net, double denoise_below, bool plain = false)
      : cards_(of_file<nn::CardModelInference>("card_model.bin", cards, plain)),
        net_(of_file<nn::CFRNetInference>("cfr_net.bin", net, plain)),
        denoise_below_(denoise_below) {
    const std::size_t most = static_cast<std::size_t>(holdem::history_count(static_cast<int>(nn::kActions)));
    if (net_.betting() != holdem::kEnvNumbers && net_.betting() != most) {
      throw nn::WeightsError("cfr_net.bin: backbone.0.weight: got a network for " +
                             std::to_string(net_.betting()) + " numbers of the betting, wanted " +
                             std::to_string(holdem::kEnvNumbers) + " or " + std::to_string(most));
    }
  }

  // What the actor does with each number of the menu; false where that cannot be said.
  bool strategy(const holdem::Rules& rules, const Situation& now, Strategy& shares) {
    if (rules.players != 2 || rules.menu.actions() != static_cast<int>(nn::kActions)) return false;
    const holdem::State& s = now.state;
    const auto seat = static_cast<std::size_t>(s.actor);
    std::array<holdem::Chips, holdem::kMostActions> actions;
    std::array<std::uint8_t, holdem::kMostActions> offered;
    const int count = list_menu(rules, s, limits(rules, s), actions.data(), offered.data());
    std::array<bool, nn::kActions> legal{};
    for (int k = 0; k < count; ++k) legal[offered[static_cast<std::size_t>(k)]] = true;
    nn::SeenCards seen{s.card[2 * seat], s.card[2 * seat + 1]};
    for (int k = 0; k < 5; ++k) seen[nn::kHole + static_cast<std::size_t>(k)] = s.board(rules, k);
    cards_.histogram(seen, histogram_.data());
    if (net_.betting() == holdem::kEnvNumbers) {
      write_env(s, s.actor, betting_.data());
    } else {
      write_history(rules, s, now.history, s.actor, offered.data(), count, betting_.data());
    }
    std::array<float, nn::kActions> logits;
    net_.logits(histogram_.data(), betting_.data(), logits.data());
    return strategy_of(logits.data(), legal, denoise_below_, shares);
  }

 private:
  // Says whose weights are wrong: the two may have been given the wrong way round.
  template <typename Network>
  static Network of_file(const std::string& file, const nn::Weights& weights, bool plain) {
    try {
      return Network(weights, plain);
    } catch (const nn::WeightsError& error) {
      throw nn::WeightsError(file + ": " + error.what());
    }
  }

  nn::CardModelInference cards_;
  nn::CFRNetInference net_;
  double denoise_below_;
  std::array<float, nn::kHistogram> histogram_{};
  std::array<float, nn::kMostBetting> betting_{};
};

// What costs nothing: a check, or else a fold.
inline holdem::Chips safe_action(const holdem::Rules& rules, const holdem::State& s) {
  return limits(rules, s).fold ? holdem::kFold : holdem::kCall;
}

// The engine's action for a draw from [0, 1), always a legal one; false where the networks did not choose it.
inline bool choose(HeadsUpPlayer* player, const holdem::Rules& rules, const Situation& now, double uniform,
                   holdem::Chips& action) {
  const holdem::State& s = now.state;
  Strategy shares;
  action = safe_action(rules, s);
  if (player == nullptr || !player->strategy(rules, now, shares)) return false;
  const holdem::Limits may = limits(rules, s);
  const holdem::Chips wish = menu_action(rules, s, may, drawn(shares, uniform));
  if (wish == holdem::kIllegal || !is_legal(may, wish)) return false;
  action = wish;
  return true;
}

}  // namespace zerosum::protocols
