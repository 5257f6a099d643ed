// A hand with its history, for people and for tests: every step gives a new hand and leaves the old one as it
// was. Histories share their past.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "zerosum/cards/shuffle.hpp"
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
  std::int8_t seat;  // kDeal for a card
  std::uint8_t street;
  Chips action;  // the engine's, or the card
  Chips added;   // chips
  bool all_in;
};

class Hand {
 public:
  explicit Hand(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)), state_(start(*rules_)) {}

  // A hand whose cards lie in order: each is dealt as soon as it is due.
  Hand(std::shared_ptr<const Rules> rules, const std::uint8_t* cards, std::size_t count)
      : Hand(std::move(rules)) {
    stock_ = std::min(count, most_cards());
    for (std::size_t k = 0; k < stock_; ++k) {
      const auto given = state_.card.begin() + static_cast<std::ptrdiff_t>(k);
      if (cards[k] >= cards::kCards) {
        throw RuleError("deal: got card " + std::to_string(cards[k]) + ", wanted 0 to 51");
      }
      if (std::find(state_.card.begin(), given, cards[k]) != given) {
        throw RuleError("deal: " + card_name(cards[k]) + " is given twice");
      }
      *given = cards[k];
    }
    settled_ = true;
    deal_on();
  }

  // The same, with the cards of a shuffled deck.
  Hand(std::shared_ptr<const Rules> rules, const CounterRng& luck) : Hand(std::move(rules)) {
    stock_ = most_cards();
    cards::shuffle(luck, state_.card.data(), static_cast<int>(stock_));
    settled_ = true;
    deal_on();
  }

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
    return acted(action);
  }

  // A number of the menu, or a card where one is due.
  Hand child(int number) const {
    if (state_.actor == kDeal) return with_card(number);
    const Limits may_do = may();
    const Chips action = menu_action(*rules_, state_, may_do, number);
    if (action == kIllegal) {
      throw RuleError("action " + std::to_string(number) + ": not offered here; " + allowed(may_do));
    }
    return acted(action);
  }

  // Writes the numbers of the menu that are offered, and returns how many are; none at the end.
  int legal(std::array<std::uint8_t, kMostActions>& offered) const {
    if (state_.actor == kOver) return 0;
    std::array<Chips, kMostActions> actions;
    return list_menu(*rules_, state_, may(), actions.data(), offered.data());
  }

  std::vector<std::uint8_t> cards_left() const {
    std::vector<std::uint8_t> left;
    for (std::uint8_t card = 0; card < cards::kCards; ++card) {
      if (!is_dealt(card)) left.push_back(card);
    }
    return left;
  }

  // What the seats did, in order.
  std::vector<Event> actions() const {
    std::vector<Event> played;
    played.reserve(16);
    for (const Played* one = last_.get(); one != nullptr; one = one->before.get())
      played.push_back(one->event);
    std::reverse(played.begin(), played.end());
    return played;
  }

  // Cards come between the actions, each before the first of its street.
  std::vector<Event> events() const {
    const std::vector<Event> played = actions();
    std::vector<Event> all;
    const int holes = 2 * rules_->players;
    int dealt = 0;
    const auto deal_to = [&](int count) {
      for (count = std::min(count, int{state_.dealt}); dealt < count; ++dealt) {
        const int street = dealt < holes ? 0 : std::max(1, dealt - holes - 1);
        all.push_back({kDeal, static_cast<std::uint8_t>(street), state_.card[dealt], 0, false});
      }
    };
    for (const Event& event : played) {
      deal_to(holes + kBoardCards[event.street]);
      all.push_back(event);
    }
    deal_to(kMostCards);
    return all;
  }

  // The hand as one seat sees it: the others' cards, and those to come, are gone.
  Hand seen_by(int seat) const {
    Hand seen = *this;
    seen.settled_ = false;
    for (int k = 0; k < kMostCards; ++k) {
      const bool is_others = k < 2 * rules_->players && k / 2 != seat;
      if (is_others || k >= state_.dealt) seen.state_.card[k] = kNoCard;
    }
    return seen;
  }

  std::string hole_names(int seat) const { return hole_name(2 * seat) + hole_name(2 * seat + 1); }
  std::string board_names() const {
    std::string names;
    for (int k = 0; k < state_.board_count(*rules_); ++k) names += card_name(state_.board(*rules_, k));
    return names;
  }

  // As in ACPC's protocol: f, c, r and the total put in; a slash between streets.
  std::string betting() const {
    std::string text;
    const State first = start(*rules_);
    std::array<Chips, kMostSeats> put{};
    for (int i = 0; i < rules_->players; ++i) put[i] = first.put(*rules_, i);
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
            (state_.card[2 * seat] == kNoCard || state_.card[2 * seat + 1] == kNoCard)) {
          throw RuleError("returns: seat " + std::to_string(seat) +
                          " comes to the showdown with unknown cards");
        }
      }
      for (int k = 0; k < kBoardCards[rules_->streets - 1]; ++k) {
        if (state_.board(*rules_, k) == kNoCard) throw RuleError("returns: a card of the board is unknown");
      }
    }
    return payoffs(*rules_, state_, odd);
  }

  // Without a seat's claim to the pot: its cards are thrown away unseen once the betting is over.
  Hand with_muck(int seat) const {
    if (state_.actor != kOver && !state_.run_out) throw RuleError("muck: the betting is not over");
    if (state_.one_left()) throw RuleError("muck: nobody else is left");
    Hand next = *this;
    next.state_.in &= static_cast<std::uint16_t>(~(1 << seat));
    return next;
  }

  bool operator==(const Hand& other) const {
    return (rules_ == other.rules_ || *rules_ == *other.rules_) && save() == other.save();
  }

  // Everything but the rules: the cards, how many of them are dealt, who has thrown theirs away, the actions.
  std::string save() const {
    std::string saved{static_cast<char>(settled_), static_cast<char>(stock_), static_cast<char>(state_.dealt),
                      static_cast<char>(state_.in & 0xff), static_cast<char>(state_.in >> 8)};
    saved.append(state_.card.begin(), state_.card.end());
    for (const Event& event : events()) {
      if (event.seat == kDeal) continue;
      for (int k = 0; k < 6; ++k) saved += static_cast<char>(event.action >> (8 * k));
    }
    return saved;
  }

  static Hand load(std::shared_ptr<const Rules> rules, const std::string& saved) {
    const auto byte = [&](std::size_t k) { return static_cast<std::uint8_t>(saved[k]); };
    if (saved.size() < kSavedHead || (saved.size() - kSavedHead) % 6 != 0)
      throw RuleError("load: not a hand");
    Hand hand(std::move(rules));
    const std::size_t stock = byte(1), dealt = byte(2);
    if (byte(0) > 1 || std::max(stock, dealt) > hand.most_cards()) throw RuleError("load: not a hand");
    const auto* cards = reinterpret_cast<const std::uint8_t*>(saved.data()) + 5;
    if (byte(0) == 1) hand = Hand(hand.rules_, cards, stock);
    std::size_t at = kSavedHead;
    while (hand.state_.actor != kOver) {
      if (hand.state_.actor == kDeal) {
        if (hand.state_.dealt >= dealt) break;
        hand.take(cards[hand.state_.dealt]);
      } else if (at < saved.size()) {
        std::uint64_t action = 0;
        for (std::size_t k = 0; k < 6; ++k) action |= std::uint64_t{byte(at + k)} << (8 * k);
        at += 6;
        hand = hand.with_action(static_cast<Chips>(action << 16) >> 16);
      } else {
        break;
      }
    }
    if (at != saved.size() || hand.state_.dealt != dealt) throw RuleError("load: not a hand of these rules");
    const int in = byte(3) | byte(4) << 8;
    for (int seat = 0; seat < hand.rules_->players; ++seat) {
      if (hand.state_.is_in(seat) && (in >> seat & 1) == 0) hand = hand.with_muck(seat);
    }
    return hand;
  }

  // Fills in a card that was dealt face down: at the showdown it becomes known.
  Hand with_shown(int seat, int low, int high) const {
    if (state_.dealt < 2 * rules_->players) throw RuleError("show: the cards are not dealt yet");
    Hand next = *this;
    next.state_.card[2 * seat] = next.state_.card[2 * seat + 1] = kNoCard;
    for (int card : {low, high}) {
      if (card < 0 || card >= kNoCard)
        throw RuleError("show: got card " + std::to_string(card) + ", wanted 0 to 51");
      if (next.is_dealt(static_cast<std::uint8_t>(card))) {
        throw RuleError("show: " + card_name(static_cast<std::uint8_t>(card)) + " was dealt before");
      }
      next.state_.card[2 * seat + (card == high && low != high)] = static_cast<std::uint8_t>(card);
    }
    return next;
  }

 private:
  static constexpr std::size_t kSavedHead = 5 + kMostCards;

  std::size_t most_cards() const { return static_cast<std::size_t>(2 * rules_->players + 5); }

  void take(std::uint8_t card) {
    if (state_.actor != kDeal) throw RuleError("deal: no card is due here");
    if (card > kNoCard) throw RuleError("deal: got card " + std::to_string(card) + ", wanted 0 to 51");
    if (card != kNoCard && is_dealt(card)) throw RuleError("deal: " + card_name(card) + " was dealt before");
    deal(*rules_, state_, card);
  }

  void deal_on() {
    while (state_.actor == kDeal) {
      if (state_.dealt >= stock_) {
        throw RuleError("deal: got " + std::to_string(stock_) + " cards, wanted more");
      }
      deal(*rules_, state_, state_.card[state_.dealt]);
    }
  }

  Hand acted(Chips action) const {
    const int seat = state_.actor;
    Hand next = *this;
    const Chips added = act(*rules_, next.state_, action);
    const bool all_in = added > 0 && added == state_.stack[seat];
    next.last_ = std::make_shared<const Played>(
        Played{last_, {static_cast<std::int8_t>(seat), state_.street, action, added, all_in}});
    if (settled_) next.deal_on();
    return next;
  }

  bool is_dealt(std::uint8_t card) const {
    const auto dealt = state_.card.begin() + state_.dealt;
    return std::find(state_.card.begin(), dealt, card) != dealt;
  }

  std::string hole_name(int k) const { return card_name(k < state_.dealt ? state_.card[k] : kNoCard); }

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

  struct Played {
    std::shared_ptr<const Played> before;
    Event event;
  };

  std::shared_ptr<const Rules> rules_;
  State state_;
  std::shared_ptr<const Played> last_;
  std::size_t stock_ = 0;  // cards that lie in order
  bool settled_ = false;   // whether they do
};

}  // namespace zerosum::holdem
