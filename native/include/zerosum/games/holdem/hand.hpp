// A hand with its history, for people and for tests: every step gives a new hand and leaves the old one as it
// was. Histories share their past.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/payoffs.hpp"
#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

// What the rules forbid; the message says what they allow.
struct RuleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline std::string card_name(std::uint8_t card) {
  if (card >= cards::kCards) return "??";
  return {"23456789TJQKA"[cards::rank_of(card)], "cdhs"[cards::suit_of(card)]};
}

struct Event {
  std::shared_ptr<const Event> before;
  std::int8_t seat;  // kDeal for a card
  std::uint8_t street;
  Chips action;  // the engine's, or the card
  Chips added;   // chips
  bool all_in;
};

class Hand {
 public:
  explicit Hand(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)), state_(start(*rules_)) {}

  const Rules& rules() const { return *rules_; }
  const std::shared_ptr<const Rules>& shared_rules() const { return rules_; }
  const State& state() const { return state_; }
  int actor() const { return state_.actor; }

  Limits may() const {
    if (state_.actor < 0) throw RuleError(nobody_acts());
    return limits(*rules_, state_);
  }

  Hand with_card(int card) const {
    if (card < 0 || card > kNoCard)
      throw RuleError("deal: got card " + std::to_string(card) + ", wanted 0 to 51");
    const auto one = static_cast<std::uint8_t>(card);
    return with_cards(&one, 1);
  }

  Hand with_cards(const std::uint8_t* cards, std::size_t count) const {
    Hand next = *this;
    for (std::size_t k = 0; k < count; ++k) next.take(cards[k]);
    return next;
  }

  Hand with_action(Chips action) const {
    const Limits may_do = may();
    if (!is_legal(may_do, action)) throw RuleError(refusal(may_do, action));
    return acted(may_do, action);
  }

  // A number of the menu, or a card where one is due.
  Hand child(int number) const {
    if (state_.actor == kDeal) return with_card(number);
    const Limits may_do = may();
    const Chips action = menu_action(*rules_, state_, may_do, number);
    if (action == kIllegal) {
      throw RuleError("action " + std::to_string(number) + ": not offered here; " + allowed(may_do));
    }
    return acted(may_do, action);
  }

  std::vector<int> legal() const {
    std::vector<int> numbers;
    const Limits may_do = may();
    for (int k = 0; k < rules_->menu.actions(); ++k) {
      if (menu_action(*rules_, state_, may_do, k) != kIllegal) numbers.push_back(k);
    }
    return numbers;
  }

  std::vector<std::uint8_t> cards_left() const {
    std::vector<std::uint8_t> left;
    for (std::uint8_t card = 0; card < cards::kCards; ++card) {
      if (!is_dealt(card)) left.push_back(card);
    }
    return left;
  }

  std::vector<Event> events() const {
    std::vector<Event> all;
    for (const Event* event = last_.get(); event != nullptr; event = event->before.get())
      all.push_back(*event);
    std::reverse(all.begin(), all.end());
    return all;
  }

  // The hand as one seat sees it: the others' cards are gone, from the history too.
  Hand seen_by(int seat) const {
    Hand seen = *this;
    const int holes = 2 * rules_->players;
    for (int k = 0; k < holes; ++k) {
      if (k / 2 != seat) seen.state_.hole[k] = kNoCard;
    }
    int dealt = 0;
    std::shared_ptr<const Event> last;
    for (Event event : events()) {
      if (event.seat == kDeal && dealt < holes && dealt++ / 2 != seat) event.action = kNoCard;
      event.before = last;
      last = std::make_shared<const Event>(std::move(event));
    }
    seen.last_ = last;
    return seen;
  }

  std::string hole_names(int seat) const {
    return card_name(state_.hole[2 * seat]) + card_name(state_.hole[2 * seat + 1]);
  }
  std::string board_names() const {
    std::string names;
    for (int k = 0; k < state_.board_count(*rules_); ++k) names += card_name(state_.board[k]);
    return names;
  }

  // As in ACPC's protocol: f, c, r and the total put in; a slash between streets.
  std::string betting() const {
    std::string text;
    std::array<Chips, kMostSeats> put = start(*rules_).put;
    int street = 0;
    for (const Event& event : events()) {
      if (event.seat < 0) continue;
      for (; street < event.street; ++street) text += '/';
      put[event.seat] += event.added;
      text += event.action == kFold   ? "f"
              : event.action == kCall ? "c"
                                      : "r" + std::to_string(put[event.seat]);
    }
    for (; street < state_.street; ++street) text += '/';
    return text;
  }

  std::string text() const {
    std::string cards;
    for (int seat = 0; seat < rules_->players; ++seat) cards += (seat > 0 ? "|" : "") + hole_names(seat);
    return cards + (state_.dealt > 2 * rules_->players ? " " + board_names() : "") + " " + betting();
  }

  std::string allowed(const Limits& may_do) const {
    std::string text = "legal: ";
    if (may_do.fold) text += "fold, ";
    text += may_do.call > 0 ? "call " + std::to_string(may_do.call) : "check";
    if (may_do.raise) text += ", raise to " + std::to_string(may_do.low);
    if (may_do.raise && may_do.high > may_do.low) text += " .. " + std::to_string(may_do.high);
    return text;
  }

  std::array<Chips, kMostSeats> payoff_parts(OddChips odd) const {
    if (state_.actor != kOver) throw RuleError("returns: the hand is not over");
    if (!state_.one_left()) {
      for (int seat = 0; seat < rules_->players; ++seat) {
        if (state_.is_in(seat) &&
            (state_.hole[2 * seat] == kNoCard || state_.hole[2 * seat + 1] == kNoCard)) {
          throw RuleError("returns: seat " + std::to_string(seat) +
                          " comes to the showdown with unknown cards");
        }
      }
      for (int k = 0; k < kBoardCards[rules_->streets - 1]; ++k) {
        if (state_.board[k] == kNoCard) throw RuleError("returns: a card of the board is unknown");
      }
    }
    return payoffs(*rules_, state_, odd);
  }

  // Without a seat's claim to the pot: its cards are thrown away unseen once the betting is over.
  Hand with_muck(int seat) const {
    if (state_.actor >= 0) throw RuleError("muck: the betting is not over");
    if (state_.one_left()) throw RuleError("muck: nobody else is left");
    Hand next = *this;
    next.state_.in &= static_cast<std::uint16_t>(~(1 << seat));
    return next;
  }

  // Fills in a card that was dealt face down: at the showdown it becomes known.
  Hand with_shown(int seat, int low, int high) const {
    if (state_.dealt < 2 * rules_->players) throw RuleError("show: the cards are not dealt yet");
    Hand next = *this;
    next.state_.hole[2 * seat] = next.state_.hole[2 * seat + 1] = kNoCard;
    for (int card : {low, high}) {
      if (card < 0 || card >= kNoCard)
        throw RuleError("show: got card " + std::to_string(card) + ", wanted 0 to 51");
      if (next.is_dealt(static_cast<std::uint8_t>(card))) {
        throw RuleError("show: " + card_name(static_cast<std::uint8_t>(card)) + " was dealt before");
      }
      next.state_.hole[2 * seat + (card == high && low != high)] = static_cast<std::uint8_t>(card);
    }
    return next;
  }

 private:
  void take(std::uint8_t card) {
    if (state_.actor != kDeal) throw RuleError("deal: no card is due here");
    if (card > kNoCard) throw RuleError("deal: got card " + std::to_string(card) + ", wanted 0 to 51");
    if (card != kNoCard && is_dealt(card)) throw RuleError("deal: " + card_name(card) + " was dealt before");
    last_ = std::make_shared<const Event>(Event{std::move(last_), kDeal, state_.street, card, 0, false});
    deal(*rules_, state_, card);
  }

  Hand acted(const Limits& may_do, Chips action) const {
    const int seat = state_.actor;
    Hand next = *this;
    act(*rules_, next.state_, action);
    const Chips added = action == kFold ? 0 : action == kCall ? may_do.call : action - state_.bet[seat];
    const bool all_in = added > 0 && added == state_.stack[seat];
    next.last_ = std::make_shared<const Event>(
        Event{last_, static_cast<std::int8_t>(seat), state_.street, action, added, all_in});
    return next;
  }

  bool is_dealt(std::uint8_t card) const {
    const auto& s = state_;
    return std::find(s.hole.begin(), s.hole.end(), card) != s.hole.end() ||
           std::find(s.board.begin(), s.board.end(), card) != s.board.end();
  }

  std::string nobody_acts() const {
    return state_.actor == kOver ? "act: the hand is over" : "act: cards are to be dealt first";
  }

  std::string refusal(const Limits& may_do, Chips action) const {
    if (action == kFold) return "fold: there is nothing to call; " + allowed(may_do);
    if (!may_do.raise)
      return "raise to " + std::to_string(action) + ": no raise is allowed here; " + allowed(may_do);
    return "raise to " + std::to_string(action) + ": the minimum is " + std::to_string(may_do.low) +
           ", the maximum " + std::to_string(may_do.high) + "; " + allowed(may_do);
  }

  std::shared_ptr<const Rules> rules_;
  State state_;
  std::shared_ptr<const Event> last_;
};

}  // namespace zerosum::holdem
