// The truth about positions of small boards, where a proof search finds it: it corrects what self-play learns
// from, values and moves.
//
// What it finds must not depend on threads, nor on what was asked before a run was killed. Rows are shared
// out by their games among a fixed number of parts, each with a table of its own that begins empty; openings
// are few, come up again and again and take many nodes, so each is proved alone, and remembered.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "zerosum/games/gomoku/proof.hpp"
#include "zerosum/mcts/nodes.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::mcts {

struct RefereeSettings {
  int nodes = 0;         // of a search for a win, and as many for a loss
  int early_stones = 0;  // up to so many it is an opening ...
  int early_nodes = 0;   // ... and worth so many
};

// Positions that something is learnt from, as self-play tells them; those of a game one after the other.
struct RowsToCorrect {
  std::size_t count = 0;
  const std::int8_t* stones = nullptr;  // 1 of the side to move, −1 of the other
  const std::int32_t* game = nullptr;
  float* policy = nullptr;
  float* value = nullptr;
  std::uint8_t* certain = nullptr;
};

class Referee {
 public:
  Referee(const gomoku::Rules& rules, const RefereeSettings& settings, int threads)
      : settings_(settings), threads_(threads), lines_(rules), cells_(rules.cells()) {
    for (int i = 0; i < kParts; ++i) parts_.emplace_back(rules, kBits);
    for (int i = 0; i < threads; ++i) early_.emplace_back(rules, kEarlyBits);
  }

  std::size_t cells() const { return static_cast<std::size_t>(cells_); }

  // Rows whose value is found become certain, and moves that give it away are no longer taught. Positions
  // are worth this share of the nodes that they are worth at most.
  void correct(const RowsToCorrect& rows, double share) {
    nodes_ = std::max(static_cast<int>(share * settings_.nodes), 1);
    early_nodes_ = std::max(static_cast<int>(share * settings_.early_nodes), nodes_);
    std::array<std::vector<std::size_t>, kParts> of_part;
    for (std::size_t i = rows.count; i-- > 0;)  // the later ones first: they help with the earlier ones
      if (!rows.certain[i]) of_part[rows.game[i] % kParts].push_back(i);
    std::atomic<int> next{0};
    on_threads(threads_, [&](int thread) {
      for (int part; (part = next++) < kParts;) {
        parts_[part].forget();
        for (std::size_t i : of_part[part]) correct(rows, i, {parts_[part], early_[thread]});
      }
    });
  }

 private:
  static constexpr int kParts = 8;
  static constexpr int kBits = 19, kEarlyBits = 20;  // of tables
  static constexpr float kTaught = 0.05f;            // moves with less than that are not looked at

  using Answer = gomoku::ProofSearch::Answer;
  using Words = std::pair<std::uint64_t, std::uint64_t>;  // of the side to move, and of the other
  struct Hash {
    std::size_t operator()(const Words& words) const { return mix64(words.first ^ mix64(words.second)); }
  };
  struct Verdict {
    std::int8_t value = kUnknown;  // to the side to move
    int move = -1;                 // that wins, if one is known
  };
  struct Opening {
    Verdict verdict;
    int nodes;  // that it took at most
  };
  struct Provers {
    gomoku::ProofSearch &late, &early;
  };
  struct Turned {
    Words at;
    std::size_t symmetry;
  };

  void correct(const RowsToCorrect& rows, std::size_t i, Provers provers) {
    gomoku::SmallPosition at{0, 0};
    for (int cell = 0; cell < cells_; ++cell) {
      const std::int8_t stone = rows.stones[i * cells_ + cell];
      if (stone != 0) (stone == 1 ? at.mover : at.other) |= std::uint64_t(1) << cell;
    }
    const Verdict verdict = judged(at, rows.value[i] < 0, provers);
    if (verdict.value == kUnknown) return;
    rows.certain[i] = 1;
    rows.value[i] = verdict.value;
    float* policy = rows.policy + i * cells_;
    if (verdict.value == -1)  // a lost position teaches no move
      std::fill(policy, policy + cells_, 0.0f);
    else
      strike(at, verdict, policy, provers);
  }

  // Takes away what gives the value away, of the moves that are taught much.
  void strike(const gomoku::SmallPosition& at, const Verdict& verdict, float* policy, Provers provers) {
    std::vector<int> moves;
    for (int cell = 0; cell < cells_; ++cell)
      if (policy[cell] > 0) moves.push_back(cell);
    std::stable_sort(moves.begin(), moves.end(), [&](int a, int b) { return policy[a] > policy[b]; });
    bool kept = false;
    for (int cell : moves) {
      if (policy[cell] < kTaught && (kept || verdict.move >= 0)) break;
      if (gives_away(at, cell, verdict.value, provers))
        policy[cell] = 0;
      else
        kept = true;
    }
    if (!kept && verdict.move >= 0) {
      std::fill(policy, policy + cells_, 0.0f);
      policy[verdict.move] = 1;
    }
    float sum = 0;
    for (int cell = 0; cell < cells_; ++cell) sum += policy[cell];
    for (int cell = 0; cell < cells_ && sum > 0; ++cell) policy[cell] /= sum;
  }

  // A move in a won position must be seen to win; one in a drawn position, to lose.
  bool gives_away(const gomoku::SmallPosition& at, int cell, int value, Provers provers) {
    const gomoku::SmallPosition next{at.other, at.mover | std::uint64_t(1) << cell};
    if (is_early(next)) {
      const int after = opening(next, provers.early).value;
      return value == 1 ? after != -1 : after == 1;
    }
    return value == 1 ? provers.late.wins(next, false, nodes_) != Answer::yes
                      : provers.late.wins(next, true, nodes_) == Answer::yes;
  }

  bool is_early(const gomoku::SmallPosition& at) const {
    return settings_.early_nodes > 0 && __builtin_popcountll(at.mover | at.other) <= settings_.early_stones;
  }

  // What a search thought of it says what to try to prove first.
  Verdict judged(const gomoku::SmallPosition& at, bool looks_lost, Provers provers) {
    return is_early(at) ? opening(at, provers.early) : found(at, nodes_, looks_lost, provers.late);
  }

  Verdict opening(const gomoku::SmallPosition& at, gomoku::ProofSearch& prover) {
    const Turned turned = turn(at);
    {
      std::lock_guard<std::mutex> held(lock_);
      auto known = openings_.find(turned.at);
      if (known != openings_.end() &&
          (known->second.verdict.value != kUnknown || known->second.nodes == early_nodes_))
        return turned_back(known->second.verdict, turned.symmetry);
    }
    prover.forget();
    const Verdict verdict = found({turned.at.first, turned.at.second}, early_nodes_, false, prover);
    std::lock_guard<std::mutex> held(lock_);
    openings_[turned.at] = {verdict, early_nodes_};
    return turned_back(verdict, turned.symmetry);
  }

  static Verdict found(const gomoku::SmallPosition& at, int nodes, bool looks_lost,
                       gomoku::ProofSearch& prover) {
    const Answer first = prover.wins(at, !looks_lost, nodes);
    if (first == Answer::yes) return proved(at, looks_lost, prover);
    const Answer second = prover.wins(at, looks_lost, nodes);
    if (second == Answer::yes) return proved(at, !looks_lost, prover);
    return {first == Answer::no && second == Answer::no ? std::int8_t(0) : kUnknown, -1};
  }

  static Verdict proved(const gomoku::SmallPosition& at, bool lost, gomoku::ProofSearch& prover) {
    if (lost) return {-1, -1};
    return {1, prover.winning_move(at)};
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
  int threads_, nodes_ = 0, early_nodes_ = 0;
  gomoku::Lines lines_;
  int cells_;
  std::vector<gomoku::ProofSearch> parts_, early_;  // for each part, and for each thread
  std::mutex lock_;
  std::unordered_map<Words, Opening, Hash> openings_;
};

}  // namespace zerosum::mcts
