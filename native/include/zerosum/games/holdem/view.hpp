// What one seat sees of a hand, and how a person would say it.
#pragma once

#include <algorithm>
#include <string>

#include "zerosum/games/holdem/hand.hpp"

namespace zerosum::holdem {

class View {
 public:
  View(const Hand& hand, int seat) : hand_(hand.seen_by(seat)), seat_(seat) {}

  const Hand& hand() const { return hand_; }
  int seat() const { return seat_; }

  // Own cards, the board, the betting; the order of the hole cards and of the flop tells nothing.
  std::string key() const {
    const State& s = hand_.state();
    std::array<std::uint8_t, 2> own = {s.card[2 * seat_], s.card[2 * seat_ + 1]};
    std::sort(own.rbegin(), own.rend());
    std::array<std::uint8_t, 5> board;
    for (int k = 0; k < 5; ++k) board[k] = s.board(hand_.rules(), k);
    std::sort(board.begin(), board.begin() + 3, std::greater<>());
    std::string text = card_name(own[0]) + card_name(own[1]);
    for (int k = 0; k < s.board_count(hand_.rules()); ++k) text += (k == 0 ? " " : "") + card_name(board[k]);
    return text + " " + hand_.betting();
  }

  std::string words() const {
    const State& s = hand_.state();
    std::string text = "holding " + hand_.hole_names(seat_);
    if (s.board_count(hand_.rules()) > 0) text += " on " + hand_.board_names();
    text += ", pot " + std::to_string(s.pot);
    if (s.actor == seat_) {
      const Limits may = hand_.may();
      text += may.call > 0 ? ", " + std::to_string(may.call) + " to call" : ", nothing to call";
    }
    if (const std::string betting = hand_.betting(); !betting.empty()) text += ", after " + betting;
    return text;
  }

  std::string action_words(int number) const {
    const Limits may = hand_.may();
    const Chips action = menu_action(hand_.rules(), hand_.state(), may, number);
    if (action == kIllegal) return "not offered";
    if (action == kFold) return "fold";
    if (action == kCall) return may.call > 0 ? "call " + std::to_string(may.call) : "check";
    const State& s = hand_.state();
    const bool opens = s.highest == 0;
    const std::string size = (opens ? "bet " : "raise to ") + std::to_string(action);
    return action == s.stack[seat_] + s.bet[seat_] ? size + " (all-in)" : size;
  }

 private:
  Hand hand_;
  int seat_;
};

}  // namespace zerosum::holdem
