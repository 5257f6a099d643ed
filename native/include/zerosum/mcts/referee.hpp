// The truth about positions of small boards, where a proof search finds it: for self-play, which ends a game
// there and learns from it.
//
// A search begins anew at each position, so what it finds depends on nothing but the position. Openings are
// few, come up again and again and take many nodes: what was found about them is remembered.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zerosum/games/gomoku/proof.hpp"
#include "zerosum/mcts/nodes.hpp"

namespace zerosum::mcts {

struct RefereeSettings {
  int nodes = 0;         // of a search for a win, and half as many for a loss
  int early_stones = 0;  // up to so many it is an opening ...
  int early_nodes = 0;   // ... and worth so many, halved with each stone
};

struct Verdict {
  std::int8_t value = kUnknown;  // to the side to move
  int move = -1;                 // that wins, if one is known
};

class Referee {
 public:
  Referee(const gomoku::Rules& rules, const RefereeSettings& settings, int threads)
      : settings_(settings), lines_(rules) {
    for (int i = 0; i < threads; ++i)
      provers_.push_back({gomoku::ProofSearch(rules, kBits), gomoku::ProofSearch(rules, kEarlyBits)});
  }

  int threads() const { return static_cast<int>(provers_.size()); }
  bool is_early(int stones) const { return settings_.early_nodes > 0 && stones <= settings_.early_stones; }

  // Two threads may ask at once, each under its own number.
  Verdict verdict(const gomoku::Position& at, int thread) {
    const auto& stones = at.board().stones;
    const int mover = at.to_move();
    const gomoku::SmallPosition small{stones[mover].first_word(), stones[1 - mover].first_word()};
    Provers& provers = provers_[thread];
    const int count = __builtin_popcountll(small.mover | small.other);
    if (!is_early(count)) return found(small, settings_.nodes, provers.late);
    const Turned turned = turn(small);
    {
      std::lock_guard<std::mutex> held(lock_);
      auto known = openings_.find(turned.at);
      if (known != openings_.end()) return turned_back(known->second, turned.symmetry);
    }
    const int nodes = std::max(settings_.early_nodes >> count, settings_.nodes);
    const Verdict verdict = found({turned.at.first, turned.at.second}, nodes, provers.early);
    std::lock_guard<std::mutex> held(lock_);
    openings_[turned.at] = verdict;
    return turned_back(verdict, turned.symmetry);
  }

 private:
  static constexpr int kBits = 14;  // of a search's table: it stays in a core's cache
  static constexpr int kEarlyBits = 20;

  using Words = std::pair<std::uint64_t, std::uint64_t>;  // of the side to move, and of the other
  struct Hash {
    std::size_t operator()(const Words& words) const { return mix64(words.first ^ mix64(words.second)); }
  };
  struct Provers {
    gomoku::ProofSearch late, early;
  };
  struct Turned {
    Words at;
    std::size_t symmetry;
  };

  static Verdict found(const gomoku::SmallPosition& at, int nodes, gomoku::ProofSearch& prover) {
    using Answer = gomoku::ProofSearch::Answer;
    prover.forget();
    const Answer wins = prover.wins(at, true, nodes);
    if (wins == Answer::yes) return {1, prover.winning_move(at)};
    const Answer loses = prover.wins(at, false, std::max(nodes / 2, 1));
    if (loses == Answer::yes) return {-1, -1};
    return {wins == Answer::no && loses == Answer::no ? std::int8_t(0) : kUnknown, -1};
  }

  // The one of a position's symmetries that stands for all.
  Turned turn(const gomoku::SmallPosition& at) const {
    Turned best{{at.mover, at.other}, 0};
    for (std::size_t k = 1; k < lines_.symmetries.size(); ++k)
      best = std::min(best, Turned{{turned(at.mover, k), turned(at.other, k)}, k},
                      [](const Turned& a, const Turned& b) { return a.at < b.at; });
    return best;
  }

  std::uint64_t turned(std::uint64_t stones, std::size_t symmetry) const {
    std::uint64_t all = 0;
    for (; stones; stones &= stones - 1)
      all |= std::uint64_t(1) << lines_.symmetries[symmetry][__builtin_ctzll(stones)];
    return all;
  }

  Verdict turned_back(Verdict verdict, std::size_t symmetry) const {
    if (verdict.move < 0) return verdict;
    const auto& to = lines_.symmetries[symmetry];
    return {verdict.value, static_cast<int>(std::find(to.begin(), to.end(), verdict.move) - to.begin())};
  }

  RefereeSettings settings_;
  gomoku::Lines lines_;
  std::vector<Provers> provers_;  // one pair a thread
  std::mutex lock_;
  std::unordered_map<Words, Verdict, Hash> openings_;
};

}  // namespace zerosum::mcts
