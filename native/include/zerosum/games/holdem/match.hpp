// Many hands between the same players at once. Every deal is played once for each way the players can sit, so
// that the luck of the cards is shared; the cards of a deal depend on seed and number alone. Scripts act by
// themselves, other players are asked in bulk.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/payoffs.hpp"
#include "zerosum/games/holdem/scripts.hpp"
#include "zerosum/random.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::holdem {

// How often a player folded, checked or called, and bet or raised, by street.
using ActionCounts = std::array<std::array<std::uint16_t, 3>, kMostStreets>;

class Match {
 public:
  using Players = std::vector<std::optional<Script>>;  // none: asked

  // Deals first .. first + deals - 1, each played `rotations` times; player p sits in seat
  // (p + rotation) % players.
  Match(std::shared_ptr<const Rules> rules, Players players, std::uint64_t seed, std::uint64_t first,
        std::size_t deals, std::size_t rotations, int threads)
      : rules_(std::move(rules)),
        players_(std::move(players)),
        seed_(seed),
        first_(first),
        rotations_(rotations),
        threads_(threads),
        hands_(deals * rotations),
        counts_(hands_.size() * players_.size()) {
    for (std::size_t h = 0; h < hands_.size(); ++h) {
      State& s = hands_[h].state;
      s = start(*rules_);
      cards::shuffle(CounterRng(seed_, first_ + h / rotations_, 0), s.card.data(), 2 * rules_->players + 5);
      deal_on(s);
    }
    advance();
  }

  const Rules& rules() const { return *rules_; }
  std::size_t size() const { return hands_.size(); }
  const State& state(std::size_t hand) const { return hands_[hand].state; }

  int player_in(std::size_t hand, int seat) const {
    const auto players = static_cast<int>(players_.size());
    return (seat + players - static_cast<int>(hand % rotations_)) % players;
  }
  int seat_of(std::size_t hand, int player) const {
    return (player + static_cast<int>(hand % rotations_)) % static_cast<int>(players_.size());
  }

  // The hands that wait for a player.
  std::vector<std::size_t> waiting_for(int player) const {
    std::vector<std::size_t> found;
    for (std::size_t h = 0; h < size(); ++h) {
      const int actor = hands_[h].state.actor;
      if (actor >= 0 && player_in(h, actor) == player) found.push_back(h);
    }
    return found;
  }

  // A number from [0, 1) for the next action of a hand.
  double luck(std::size_t hand) const {
    const CounterRng rng(seed_, first_ + hand / rotations_, 1 + hand % rotations_);
    return static_cast<double>(rng.at(hands_[hand].acted) >> 11) * 0x1.0p-53;
  }

  // The asked player's action in a hand; false where it is not legal.
  bool answer(std::size_t hand, Chips action) {
    Playing& playing = hands_[hand];
    if (playing.state.actor < 0 || !is_legal(limits(*rules_, playing.state), action)) return false;
    act_in(hand, action);
    return true;
  }

  // Scripts play until every hand is over or waits for a player that is asked.
  void advance() {
    on_threads(threads_, [&](int thread) {
      const auto k = static_cast<std::size_t>(thread), all = static_cast<std::size_t>(threads_);
      for (std::size_t h = size() * k / all; h < size() * (k + 1) / all; ++h) {
        State& s = hands_[h].state;
        while (s.actor >= 0) {
          const auto& script = players_[static_cast<std::size_t>(player_in(h, s.actor))];
          if (!script) break;
          act_in(h, script_action(*script, *rules_, s, luck(h)));
        }
      }
    });
  }

  // What each player won in a hand that is over, in 1/kParts of a chip.
  std::array<Chips, kMostSeats> won(std::size_t hand) const {
    return by_player(hand, payoffs(*rules_, hands_[hand].state, rules_->odd));
  }

  // The same on average over the boards that could still have come when the betting ended: all of them where
  // one card is missing, else `samples` drawn ones. Unbiased, because which board came had no part in the
  // betting.
  std::array<double, kMostSeats> expected(std::size_t hand, int samples) const {
    const State& s = hands_[hand].state;
    std::array<double, kMostSeats> sums{};
    const int board = kBoardCards[rules_->streets - 1], holes = 2 * rules_->players;
    const int known = s.one_left() ? board : kBoardCards[hands_[hand].last_street];
    if (known == board) {
      const auto parts = won(hand);
      for (std::size_t p = 0; p < players_.size(); ++p) sums[p] = static_cast<double>(parts[p]);
      return sums;
    }
    State shown = s;
    std::array<std::uint8_t, cards::kCards> left;
    int count = 0;
    for (std::uint8_t card = 0; card < cards::kCards; ++card) {
      const auto end = s.card.begin() + holes + known;
      if (std::find(s.card.begin(), end, card) == end) left[count++] = card;
    }
    int boards = 0;
    const auto add = [&] {
      const auto parts = by_player(hand, payoffs(*rules_, shown, rules_->odd));
      for (std::size_t p = 0; p < players_.size(); ++p) sums[p] += static_cast<double>(parts[p]);
      ++boards;
    };
    std::uint8_t* next = &shown.card[holes + known];
    if (board - known == 1) {
      for (int a = 0; a < count; ++a) {
        next[0] = left[a];
        add();
      }
    } else {
      CounterRng rng(seed_, first_ + hand / rotations_, 1000);  // the same boards however the players sit
      for (int k = 0; k < samples; ++k) {
        for (int c = 0; c < board - known; ++c) {  // Fisher and Yates, on what is left
          const auto many = static_cast<std::uint64_t>(count - c);
          std::swap(left[c], left[static_cast<std::uint64_t>(c) + (((rng.bits() >> 32) * many) >> 32)]);
          next[c] = left[c];
        }
        add();
      }
    }
    for (std::size_t p = 0; p < players_.size(); ++p) sums[p] /= boards;
    return sums;
  }

  static constexpr std::size_t kLucks = 7;

  // Heads-up: how lucky a player was, in several ways of measuring, each of which is nothing on average
  // whatever the players do. First the chance to win with the hole cards, above a half; then for flop, turn
  // and river how much the new cards raised the chance to win, times the pot, and times what could still be
  // bet. A chance is the mean of the chances that follow; before the flop it is drawn from `samples` boards
  // of their own.
  std::array<double, kLucks> luck_of(std::size_t hand, int player, int samples) const {
    const Playing& playing = hands_[hand];
    std::array<double, kLucks> luck{};
    State s = start(*rules_);
    s.card = playing.state.card;
    while (s.actor == kDeal) deal(*rules_, s, s.card[s.dealt]);
    double before = chance(hand, s, 0, samples);
    luck[0] = before - 0.5;
    std::size_t acted = 0;
    while (s.actor != kOver) {
      if (s.actor >= 0) {
        act(*rules_, s, playing.actions[acted++]);
        continue;
      }
      const int street = s.street;
      const auto pot = static_cast<double>(s.pot),
                 behind = static_cast<double>(std::min(s.stack[0], s.stack[1]));
      while (s.actor == kDeal && s.dealt < 4 + kBoardCards[street]) deal(*rules_, s, s.card[s.dealt]);
      const double after = chance(hand, s, kBoardCards[street], samples);
      luck[static_cast<std::size_t>(2 * street - 1)] = pot * (after - before);
      luck[static_cast<std::size_t>(2 * street)] = behind * (after - before);
      before = after;
    }
    if (seat_of(hand, player) == 1) {
      for (double& one : luck) one = -one;
    }
    return luck;
  }

  bool went_to_showdown(std::size_t hand) const { return !hands_[hand].state.one_left(); }
  const ActionCounts& counts(std::size_t hand, std::size_t player) const {
    return counts_[hand * players_.size() + player];
  }
  // What was done in a hand: the engine's actions in order.
  const std::vector<Chips>& actions(std::size_t hand) const { return hands_[hand].actions; }

 private:
  struct Playing {
    State state;
    std::uint32_t acted = 0;
    std::uint8_t last_street = 0;  // of the last action
    std::vector<Chips> actions;
  };

  void deal_on(State& s) const {
    while (s.actor == kDeal) deal(*rules_, s, s.card[s.dealt]);
  }

  void act_in(std::size_t hand, Chips action) {
    Playing& playing = hands_[hand];
    const auto player = static_cast<std::size_t>(player_in(hand, playing.state.actor));
    const std::size_t kind = action == kFold ? 0 : action == kCall ? 1 : 2;
    ++counts_[hand * players_.size() + player][playing.state.street][kind];
    ++playing.acted;
    playing.last_street = playing.state.street;
    playing.actions.push_back(action);
    act(*rules_, playing.state, action);
    deal_on(playing.state);
  }

  // Seat 0's chance to win heads-up when the first `known` cards of the board lie, a tie for half.
  double chance(std::size_t hand, const State& s, int known, int samples) const {
    const int board = kBoardCards[rules_->streets - 1];
    std::array<std::uint64_t, 2> own;
    for (std::size_t k = 0; k < 2; ++k)
      own[k] = cards::card_set(s.card[2 * k]) + cards::card_set(s.card[2 * k + 1]);
    std::uint64_t shown = 0;
    for (int k = 0; k < known; ++k) shown += cards::card_set(s.card[4 + k]);
    std::array<std::uint64_t, cards::kCards> left;
    int count = 0;
    for (int card = 0; card < cards::kCards; ++card) {
      const std::uint64_t set = cards::card_set(card);
      if (((own[0] | own[1] | shown) & set & cards::kRankBits) == 0) left[count++] = set;
    }
    std::int64_t points = 0, boards = 0;
    const auto add = [&](std::uint64_t set) {
      const std::uint16_t a = value_on(board, own[0] + set), b = value_on(board, own[1] + set);
      points += (a > b) + (a >= b);
      ++boards;
    };
    if (board == known) {
      add(shown);
    } else if (board - known == 1) {
      for (int a = 0; a < count; ++a) add(shown + left[a]);
    } else {
      CounterRng rng(seed_, first_ + hand / rotations_, 2000 + static_cast<std::uint64_t>(known));
      for (int k = 0; k < samples; ++k) {
        std::uint64_t set = shown;
        for (int c = 0; c < board - known; ++c) {
          const auto many = static_cast<std::uint64_t>(count - c);
          std::swap(left[c], left[static_cast<std::uint64_t>(c) + (((rng.bits() >> 32) * many) >> 32)]);
          set += left[c];
        }
        add(set);
      }
    }
    return static_cast<double>(points) / static_cast<double>(2 * boards);
  }

  template <typename T>
  std::array<T, kMostSeats> by_player(std::size_t hand, const std::array<T, kMostSeats>& by_seat) const {
    std::array<T, kMostSeats> mine{};
    for (std::size_t p = 0; p < players_.size(); ++p)
      mine[p] = by_seat[static_cast<std::size_t>(seat_of(hand, static_cast<int>(p)))];
    return mine;
  }

  std::shared_ptr<const Rules> rules_;
  Players players_;
  std::uint64_t seed_, first_;
  std::size_t rotations_;
  int threads_;
  std::vector<Playing> hands_;
  std::vector<ActionCounts> counts_;  // [hands, players]
};

}  // namespace zerosum::holdem
