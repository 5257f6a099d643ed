// A board of heads-up hold'em and many hands for either seat: how every hand of one seat fares against
// every hand of the other, on each street.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zerosum/cards/canonical_suits.hpp"
#include "zerosum/cards/evaluate.hpp"
#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/state.hpp"
#include "zerosum/random.hpp"

namespace zerosum::holdem {

// The k-th hands of both seats share no card; other pairs may, and then never meet. Given a hand, every other
// hand that it meets is as likely as any other.
class HeadsUpDeal {
 public:
  static constexpr int kRunOuts = 1024;  // boards drawn before the flop
  static constexpr int kStreets = 4;

  HeadsUpDeal(std::uint64_t key, int hands, int traverser) : hands_(hands) {
    for (int k = 0; k < hands; ++k) {
      std::array<std::uint8_t, 9> drawn{};
      cards::shuffle(CounterRng(key, 0, static_cast<std::uint64_t>(k)), drawn.data(), 9);
      if (k == 0) std::copy_n(drawn.begin() + 4, 5, board_.begin());
      std::size_t at = 0;  // of the nine, four at least are not on the board
      for (std::size_t seat = 0; seat < 2; ++seat) {
        Hole& hole = hole_[seat].emplace_back();
        for (std::uint8_t& one : hole) {
          while (k > 0 && is_on_board(drawn[at])) ++at;
          one = drawn[at++];
        }
      }
    }
    for (std::size_t seat = 0; seat < 2; ++seat)
      for (const Hole& hole : hole_[seat])
        set_[seat].push_back(cards::card_set(hole[0]) + cards::card_set(hole[1]));
    meet(traverser);
    for (int street = 0; street < kStreets; ++street) count(street, key, traverser);
  }

  int hands() const { return hands_; }

  // [hands, hands] of the traverser's hands against the other's: its share of a pot that nobody adds to with
  // the board of a street, over how many hands it meets; 0 where two do not meet.
  const double* share(int street) const { return share_[static_cast<std::size_t>(street)].data(); }
  // The same where all that they meet are worth one.
  const double* meets() const { return meets_.data(); }

  // Two hole cards of the first hands, then the board.
  std::uint8_t card(int k) const {
    const auto at = static_cast<std::size_t>(k);
    return k < 4 ? hole_[at / 2][0][at % 2] : board_[at - 4];
  }

  // Where a network finds them: the hole cards of a hand and the board of a street, suits renamed.
  void show(int seat, int street, int hand, std::int64_t* seven) const {
    seen(seat, street, hand, seven);
    cards::canonical_suits(seven);
  }
  void seen(int seat, int street, int hand, std::int64_t* seven) const {
    const Hole& hole = hole_[static_cast<std::size_t>(seat)][static_cast<std::size_t>(hand)];
    for (std::size_t k = 0; k < 2; ++k) seven[k] = hole[k];
    for (std::size_t k = 0; k < 5; ++k)
      seven[2 + k] = static_cast<int>(k) < kBoardCards[static_cast<std::size_t>(street)]
                         ? std::int64_t{board_[k]}
                         : std::int64_t{kNoCard};
  }

 private:
  using Hole = std::array<std::uint8_t, 2>;

  bool is_on_board(std::uint8_t card) const {
    return std::find(board_.begin(), board_.end(), card) != board_.end();
  }
  bool holds(std::size_t seat, std::size_t hand, int card) const {
    const Hole& hole = hole_[seat][hand];
    return hole[0] == card || hole[1] == card;
  }
  std::size_t size() const { return static_cast<std::size_t>(hands_); }

  void meet(int traverser) {
    const std::size_t n = size(), own = static_cast<std::size_t>(traverser), other = 1 - own;
    meets_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      int met = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const Hole& hole = hole_[other][j];
        const bool apart = !holds(own, i, hole[0]) && !holds(own, i, hole[1]);
        meets_[i * n + j] = apart;
        met += apart;
      }
      for (std::size_t j = 0; j < n; ++j) meets_[i * n + j] /= met;
    }
  }

  // All boards that begin with what lies on a street, or some of them before the flop.
  void count(int street, std::uint64_t key, int traverser) {
    const std::size_t n = size();
    std::vector<std::int32_t> points(n * n, 0), boards(n * n, 0);  // points: two for a win, one for a tie
    std::uint64_t shown = 0;
    const int lies = kBoardCards[static_cast<std::size_t>(street)];
    for (int k = 0; k < lies; ++k) shown += cards::card_set(board_[static_cast<std::size_t>(k)]);
    const auto is_free = [&](int card) {
      return std::find(board_.begin(), board_.begin() + lies, card) == board_.begin() + lies;
    };
    if (street == 3) {
      compare(traverser, shown, nullptr, 0, points, boards);
    } else if (street == 0) {
      for (int drawn = 0; drawn < kRunOuts; ++drawn) {
        std::array<std::uint8_t, 5> come{};
        cards::shuffle(CounterRng(key, 1, static_cast<std::uint64_t>(drawn)), come.data(), 5);
        std::uint64_t all = 0;
        for (const std::uint8_t one : come) all += cards::card_set(one);
        compare(traverser, all, come.data(), 5, points, boards);
      }
    } else {
      for (int a = 0; a < cards::kCards; ++a) {
        if (!is_free(a)) continue;
        std::array<std::uint8_t, 2> come{static_cast<std::uint8_t>(a), 0};
        if (street == 2) compare(traverser, shown + cards::card_set(a), come.data(), 1, points, boards);
        for (int b = 0; street == 1 && b < a; ++b) {
          if (!is_free(b)) continue;
          come[1] = static_cast<std::uint8_t>(b);
          compare(traverser, shown + cards::card_set(a) + cards::card_set(b), come.data(), 2, points, boards);
        }
      }
    }
    std::vector<double>& share = share_[static_cast<std::size_t>(street)];
    share.resize(n * n);
    for (std::size_t k = 0; k < n * n; ++k)
      share[k] = boards[k] == 0 ? 0.5 * meets_[k] : meets_[k] * points[k] / (2.0 * boards[k]);
  }

  // One full board, of which `count` cards at `come` may be in a hand: such hands do not see it.
  void compare(int traverser, std::uint64_t board, const std::uint8_t* come, int count,
               std::vector<std::int32_t>& points, std::vector<std::int32_t>& boards) {
    const std::size_t n = size(), own = static_cast<std::size_t>(traverser);
    for (std::size_t seat = 0; seat < 2; ++seat) {
      rank_[seat].resize(n);
      for (std::size_t k = 0; k < n; ++k) {
        bool blocked = false;
        for (int c = 0; c < count; ++c) blocked |= holds(seat, k, come[c]);
        rank_[seat][k] = blocked ? -1 : static_cast<std::int32_t>(cards::evaluate<7>(set_[seat][k] + board));
      }
    }
    const std::int32_t* theirs = rank_[1 - own].data();
    for (std::size_t i = 0; i < n; ++i) {
      const std::int32_t mine = rank_[own][i];
      if (mine < 0) continue;
      std::int32_t *point = points.data() + i * n, *seen = boards.data() + i * n;
      for (std::size_t j = 0; j < n; ++j) {
        const std::int32_t sees = theirs[j] >= 0;
        point[j] += sees * (2 * (mine > theirs[j]) + (mine == theirs[j]));
        seen[j] += sees;
      }
    }
  }

  int hands_;
  std::array<std::vector<Hole>, 2> hole_;
  std::array<std::vector<std::uint64_t>, 2> set_;
  std::array<std::uint8_t, 5> board_{};
  std::array<std::vector<double>, kStreets> share_;
  std::vector<double> meets_;
  std::array<std::vector<std::int32_t>, 2> rank_;  // room for `compare`
};

}  // namespace zerosum::holdem
