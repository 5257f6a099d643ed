// Hold'em on Botzone: a line of JSON tells everything about a hand, the answer is a whole number: -1 fold, -2
// all-in, 0 check or call, above that the chips to add now. The small blind sits after the dealer, heads-up
// the dealer is the big blind, and the small blind acts first on every street.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zerosum/games/holdem/state.hpp"
#include "zerosum/protocols/acpc.hpp"
#include "zerosum/protocols/heads_up_player.hpp"
#include "zerosum/protocols/json.hpp"
#include "zerosum/protocols/lines.hpp"

namespace zerosum::protocols {

inline constexpr const char* kKeepRunning = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";
inline constexpr std::int64_t kBotzoneFold = -1, kBotzoneAllIn = -2, kBotzoneCall = 0;

// Botzone's suits are hearts, diamonds, spades, clubs; kNoCard for what is no card.
inline std::uint8_t card_of_botzone(std::int64_t id) {
  constexpr std::array<std::uint8_t, 4> kSuits = {2, 1, 3, 0};
  if (id < 0 || id >= 52) return holdem::kNoCard;
  return static_cast<std::uint8_t>(id / 4 * 4 + kSuits[static_cast<std::size_t>(id % 4)]);
}

struct BotzoneRequest {
  struct Action {
    std::int64_t player, chips;
    std::string said;  // the chips as they stood there
  };

  std::int64_t players = 2, dealer = 0, me = 0, hand = 0;
  std::int64_t my_chips = -1;  // -1 where it is not told
  std::array<std::uint8_t, 2> hole{};
  std::vector<std::uint8_t> board;
  std::vector<Action> history;
  std::vector<std::string> notes;  // what was passed over

  int seat(std::int64_t player) const {
    return static_cast<int>((player - dealer - 1 + 2 * players) % players);
  }
  std::string player(int seat) const { return "player " + std::to_string((seat + dealer + 1) % players); }
};

namespace detail {

inline std::string wrong_value(const std::string& key, const Json& got, const std::string& wanted) {
  return key + ": got " + shown(got) + ", wanted " + wanted;
}

inline std::string up_to(std::int64_t most) { return "0 to " + std::to_string(most); }

// Cards by Botzone's numbers; false where one is none, or there are too few or too many.
inline bool read_ids(const Json& told, std::size_t least, std::size_t most, std::vector<std::int64_t>& ids) {
  std::size_t count = 0;
  bool good = true;
  told.elements([&](const Json& one) {
    ids.push_back(one.integer().value_or(-1));
    return good = ids.back() >= 0 && ids.back() < 52 && ++count <= most;
  });
  return good && count >= least;
}

inline std::string read_cards_told(const Json& told, BotzoneRequest& found) {
  const Json mine = told.member("my_cards"), all = told.member("public_cards");
  std::vector<std::int64_t> ids;
  if (!read_ids(mine, 2, 2, ids)) return wrong_value("my_cards", mine, "two cards from 0 to 51");
  if (!read_ids(all, 0, 5, ids)) return wrong_value("public_cards", all, "up to five cards from 0 to 51");
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (std::find(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(k), ids[k]) - ids.begin() <
        static_cast<std::ptrdiff_t>(k))
      return "my_cards, public_cards: got " + std::to_string(ids[k]) + " twice";
    if (k < 2) {
      found.hole[k] = card_of_botzone(ids[k]);
    } else {
      found.board.push_back(card_of_botzone(ids[k]));
    }
  }
  return "";
}

inline std::string read_history(const Json& told, BotzoneRequest& found) {
  constexpr std::size_t kMostActionsTold = 4096;
  std::string wrong;
  told.elements([&](const Json& one) {
    const std::string at = "history[" + std::to_string(found.history.size()) + "]";
    const Json who = one.member("player_id"), what = one.member("action");
    const auto player = who.integer(), chips = what.integer();
    // Whatever stands beside it, a check or a call is one.
    const std::string kind = one.member("action_type").string();
    if (found.history.size() >= kMostActionsTold) {
      wrong = "history: got more than " + std::to_string(kMostActionsTold) + " actions";
    } else if (!one.is_object()) {
      wrong = wrong_value(at, one, "a player and an action");
    } else if (!player || *player < 0 || *player >= found.players) {
      wrong = wrong_value(at + ".player_id", who, up_to(found.players - 1));
    } else if (!chips || *chips < kBotzoneAllIn) {
      wrong = wrong_value(at + ".action", what, "-2, -1, 0 or chips");
    } else {
      found.history.push_back(
          {*player, kind == "call" || kind == "check" ? kBotzoneCall : *chips, shown(what)});
    }
    return wrong.empty();
  });
  return wrong;
}

}  // namespace detail

// The empty text where all is well, else what is wrong. Fields that nobody knows are passed over.
inline std::string read_request(const Json& told, BotzoneRequest& found) {
  const auto number = [&](const char* key, std::int64_t least, std::int64_t most, std::int64_t& value) {
    const auto got = told.member(key).integer();
    if (got && *got >= least && *got <= most) return value = *got, true;
    return false;
  };
  const auto wrong = [&](const char* key, const std::string& wanted) {
    return detail::wrong_value(key, told.member(key), wanted);
  };
  if (!told.is_object()) return "got " + shown(told) + ", wanted a request";
  if (!told.member("num_players").is_missing() &&
      !number("num_players", 2, holdem::kMostSeats, found.players))
    return wrong("num_players", "2 to 10");
  for (const auto& [key, value] : {std::pair("dealer_id", &found.dealer), {"my_id", &found.me}}) {
    if (!number(key, 0, found.players - 1, *value)) return wrong(key, detail::up_to(found.players - 1));
  }
  for (const auto& [key, value] : {std::pair("my_chips", &found.my_chips), {"hand", &found.hand}}) {
    if (!told.member(key).is_missing() && !number(key, 0, holdem::kMostChips, *value))
      found.notes.push_back(wrong(key, detail::up_to(holdem::kMostChips)) + "; passed over");
  }
  for (const char* key : {"public_cards", "history"}) {
    if (!told.member(key).is_array())
      found.notes.push_back(wrong(key, "a list") + "; counts as an empty one");
  }
  const std::string cards = detail::read_cards_told(told, found);
  return cards.empty() ? detail::read_history(told.member("history"), found) : cards;
}

// A hand as a request tells it.
struct BotzoneHand {
  holdem::Rules rules;
  Situation now;
  holdem::Chips largest = 0;  // that anyone added at once on this street
  std::string odd;            // the first action that our rules do not have, if there is one

  // The rules of the table: as many seats, all with the first one's stack.
  BotzoneHand(const holdem::Rules& table, int players, holdem::Order order) : rules(table) {
    const auto [small, big] = std::minmax(table.blinds[0], table.blinds[1]);
    const holdem::Chips stack = table.stacks[0];
    rules.players = players;
    rules.order = order;
    rules.stacks.fill(0);
    rules.blinds.fill(0);
    std::fill_n(rules.stacks.begin(), players, stack);
    rules.blinds[0] = small;
    rules.blinds[1] = big;
    if (order == holdem::Order::kStandard) std::swap(rules.blinds[0], rules.blinds[1]);
    largest = big;
  }

  // The empty text, or how the request does not fit these rules.
  std::string replay(const BotzoneRequest& told, bool check_chips) {
    now = {};
    holdem::State& state = now.state;
    state = start(rules);
    const int mine = told.seat(told.me);
    for (int seat = 0; seat < rules.players; ++seat) {
      for (std::size_t k = 0; k < 2; ++k) deal(rules, state, seat == mine ? told.hole[k] : holdem::kNoCard);
    }
    for (const BotzoneRequest::Action& action : told.history) {
      if (const std::string wrong = deal_due(told); !wrong.empty()) return wrong;
      if (state.actor != told.seat(action.player))
        return "history: got an action of player " + std::to_string(action.player) + ", " +
               told.player(state.actor) + " is to act";
      take(action);
    }
    if (const std::string wrong = deal_due(told); !wrong.empty()) return wrong;
    if (state.actor != mine)
      return told.player(state.actor) + " is to act, and my_id is " + std::to_string(told.me);
    const auto count = static_cast<std::size_t>(state.board_count(rules));
    if (told.board.size() != count) return wrong_board(told, count);
    const holdem::Chips stack = state.stack[static_cast<std::size_t>(mine)];
    if (check_chips && told.my_chips >= 0 && told.my_chips != stack)
      return "my_chips: got " + std::to_string(told.my_chips) + ", the history gives " +
             std::to_string(stack);
    return "";
  }

  // What the actor says to do an engine's action. A raise adds at least twice what anyone added at once on
  // the street: so much is a raise by any reading of the rules.
  std::int64_t said(holdem::Chips action) const {
    const holdem::State& state = now.state;
    const auto actor = static_cast<std::size_t>(state.actor);
    const holdem::Chips stack = state.stack[actor];
    if (action == holdem::kFold) return kBotzoneFold;
    if (action == holdem::kCall) {
      bool anyone_all_in = state.highest - state.bet[actor] >= stack;
      for (int i = 0; i < rules.players; ++i) anyone_all_in |= state.is_in(i) && !(state.able >> i & 1);
      return anyone_all_in ? kBotzoneAllIn : kBotzoneCall;
    }
    const holdem::Chips added = std::max(action - state.bet[actor], 2 * largest);
    return added >= stack ? kBotzoneAllIn : added;
  }

 private:
  static std::string wrong_board(const BotzoneRequest& told, std::size_t wanted) {
    return "public_cards: got " + std::to_string(told.board.size()) + ", the history wants " +
           std::to_string(wanted);
  }

  // The next cards of the board where they are due; what is wrong where they are not told, or nobody is to
  // act.
  std::string deal_due(const BotzoneRequest& told) {
    holdem::State& state = now.state;
    while (state.actor == holdem::kDeal) {
      const auto next = static_cast<std::size_t>(state.board_count(rules));
      if (next >= told.board.size()) return wrong_board(told, std::max<std::size_t>(3, next + 1));
      deal(rules, state, told.board[next]);
      largest = 0;
    }
    return state.actor >= 0 ? "" : "history: the hand is over";
  }

  // An action as it was said; a bet of a size that our rules do not have counts as the nearest that they do.
  void take(const BotzoneRequest::Action& told) {
    const std::int64_t chips = told.chips;
    const holdem::Limits may = limits(rules, now.state);
    const holdem::Chips bet = now.state.bet[static_cast<std::size_t>(now.state.actor)];
    holdem::Chips action = holdem::kCall;
    bool known = chips == kBotzoneCall || chips == kBotzoneAllIn || chips == may.call;
    if (chips == kBotzoneFold) {
      if (may.fold) action = holdem::kFold;
      known = may.fold;
    } else if (chips == kBotzoneAllIn || chips > may.call) {
      const holdem::Chips to = chips == kBotzoneAllIn ? may.high : bet + chips;
      if (may.raise) action = std::clamp(to, may.low, may.high);
      known |= action == to;
    }
    if (!known && odd.empty()) {
      odd = "history: got " + told.said + " of player " + std::to_string(told.player) + ", wanted " +
            (may.fold ? "-2, -1, 0" : "-2, 0");
      if (may.raise) odd += ", " + std::to_string(may.low - bet) + " to " + std::to_string(may.high - bet);
      odd += "; counts as the nearest of these";
    }
    largest = std::max(largest, now.take(rules, action));
  }
};

class BotzoneBot {
 public:
  // Without a player it checks and folds.
  BotzoneBot(HeadsUpPlayer* player, holdem::Rules rules, std::uint64_t seed, Warn warn)
      : player_(player), rules_(std::move(rules)), seed_(seed), warn_(std::move(warn)) {}

  // The answer to a line: all requests so far, or one of them, bare or as {"request": ...}.
  std::int64_t answer(std::string_view line) {
    const auto told = Json::parse(line);
    if (!told) return give_up("got '" + readable(line.substr(0, 60)) + "', wanted a line of JSON");
    Json request = *told;
    if (const Json all = told->member("requests"); all.is_array()) {
      request = Json();
      all.elements([&](const Json& one) { return request = one, true; });
    } else if (const Json one = told->member("request"); !one.is_missing()) {
      request = one;
    }
    const std::string inner = request.string();  // a request may be text that holds JSON
    if (const auto parsed = request.is_string() ? Json::parse(inner) : std::nullopt; parsed)
      request = *parsed;
    BotzoneRequest read;
    if (const std::string wrong = read_request(request, read); !wrong.empty()) return give_up(wrong);
    for (const std::string& note : read.notes) warn_(note);
    return decide(read);
  }

 private:
  // The hand in Botzone's order; in the other where only that one fits. What is wrong where none does: in the
  // first, since another count of chips alone would do.
  std::string replayed(const BotzoneRequest& told, BotzoneHand& hand) {
    std::string first;
    const int players = static_cast<int>(told.players);
    for (const bool check_chips : {true, false}) {
      for (const holdem::Order order : {holdem::Order::kBotzone, holdem::Order::kStandard}) {
        if (order == holdem::Order::kStandard && players != 2) continue;
        hand = BotzoneHand(rules_, players, order);
        if (const std::string wrong = hand.replay(told, check_chips); !wrong.empty()) {
          if (first.empty()) first = wrong;
          continue;
        }
        if (!check_chips)
          warn_("my_chips: got " + std::to_string(told.my_chips) + ", which the history does not give");
        if (order == holdem::Order::kStandard)
          warn_("the dealer has the small blind here, not Botzone's order");
        if (!hand.odd.empty()) warn_(hand.odd);
        return "";
      }
    }
    return first;
  }

  std::int64_t decide(const BotzoneRequest& told) {
    BotzoneHand hand(rules_, 2, holdem::Order::kBotzone);
    if (const std::string wrong = replayed(told, hand); !wrong.empty()) return give_up(wrong);
    holdem::Chips action = safe_action(hand.rules, hand.now.state);
    if (told.players != 2) {
      warn_("got " + std::to_string(told.players) + " players, wanted 2; checks or folds");
      return hand.said(action);
    }
    const double luck = decision_luck(seed_, static_cast<std::uint64_t>(told.hand), told.history.size());
    if (!choose(player_, hand.rules, hand.now, luck, action)) {
      warn_("the networks give no numbers; checks or folds");
    }
    return hand.said(action);
  }

  // To fold is legal whatever happened.
  std::int64_t give_up(const std::string& why) {
    warn_(why + "; folds");
    return kBotzoneFold;
  }

  HeadsUpPlayer* player_;
  holdem::Rules rules_;
  std::uint64_t seed_;
  Warn warn_;
};

}  // namespace zerosum::protocols
