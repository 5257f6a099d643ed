// The match protocol of the Annual Computer Poker Competition, version 2.0.0, as a player hears it:
//   MATCHSTATE:position:hand:betting:hole|hole/flop/turn/river
// and answers, where it is its turn, with the same line and :f, :c or :rN, N being all it will have put in
// over the whole hand.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "zerosum/games/holdem/state.hpp"
#include "zerosum/protocols/heads_up_player.hpp"
#include "zerosum/protocols/lines.hpp"

namespace zerosum::protocols {

using Warn = std::function<void(const std::string&)>;

inline constexpr const char* kAcpcVersion = "VERSION:2.0.0";

// Two letters -> a card; kNoCard for what is none.
inline std::uint8_t card_named(std::string_view name) {
  constexpr std::string_view kRankLetters = "23456789TJQKA", kSuitLetters = "cdhs";
  if (name.size() != 2) return holdem::kNoCard;
  const std::size_t rank = kRankLetters.find(name[0]), suit = kSuitLetters.find(name[1]);
  if (rank == std::string_view::npos || suit == std::string_view::npos) return holdem::kNoCard;
  return static_cast<std::uint8_t>(4 * rank + suit);
}

// Digits -> a number below 10^12; nothing for what is none.
inline std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.empty() || text.size() > 12) return std::nullopt;
  std::int64_t value = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = 10 * value + (digit - '0');
  }
  return value;
}

// A line taken apart. Cards that are not told are kNoCard.
struct MatchState {
  int position = 0;
  std::int64_t hand = 0;
  std::string_view betting;
  std::array<std::uint8_t, 2> hole{};
  std::array<std::uint8_t, 5> board{};
  int board_count = 0;
  bool shown = false;      // the other's cards
  const char* wrong = "";  // what of it cannot be read, if anything
};

namespace detail {

inline bool read_cards(std::string_view text, std::uint8_t* cards, std::size_t count) {
  if (text.size() != 2 * count) return false;
  for (std::size_t k = 0; k < count; ++k) {
    cards[k] = card_named(text.substr(2 * k, 2));
    if (cards[k] == holdem::kNoCard) return false;
  }
  return true;
}

// What stands before the mark; the text goes on behind it.
inline std::string_view before(std::string_view& text, char mark) {
  const std::string_view part = text.substr(0, text.find(mark));
  text.remove_prefix(part.size() < text.size() ? part.size() + 1 : part.size());
  return part;
}

}  // namespace detail

namespace detail {

// The cards of a line; false where they are none.
inline bool read_all_cards(std::string_view text, MatchState& found) {
  std::string_view holes = before(text, '/');
  if (holes.find('|') == std::string_view::npos) return false;
  const std::string_view first = before(holes, '|');
  const std::string_view mine = found.position == 0 ? first : holes,
                         other = found.position == 0 ? holes : first;
  std::array<std::uint8_t, 2> theirs{};
  if (!read_cards(mine, found.hole.data(), 2)) return false;
  if (!other.empty() && !read_cards(other, theirs.data(), 2)) return false;
  found.shown = !other.empty();
  while (!text.empty() && found.board_count < 5) {
    const int count = found.board_count == 0 ? 3 : 1;
    if (!read_cards(before(text, '/'), found.board.data() + found.board_count,
                    static_cast<std::size_t>(count)))
      return false;
    found.board_count += count;
  }
  return text.empty();
}

inline bool is_card_twice(const MatchState& told) {
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k < 7; ++k) {
    const std::uint8_t card = k < 2 ? told.hole[k] : told.board[k - 2];
    if (card != holdem::kNoCard && (seen >> card & 1) != 0) return true;
    if (card != holdem::kNoCard) seen |= std::uint64_t{1} << card;
  }
  return false;
}

}  // namespace detail

// Nothing where even the betting, and with it whose turn it is, cannot be read.
inline std::optional<MatchState> parse_match_state(std::string_view line) {
  std::array<std::string_view, 4> parts;
  for (std::string_view& part : parts) {
    const std::size_t end = line.find(':');
    if (end == std::string_view::npos) return std::nullopt;
    part = line.substr(0, end);
    line.remove_prefix(end + 1);
  }
  const auto position = whole_number(parts[1]), hand = whole_number(parts[2]);
  if (parts[0] != "MATCHSTATE" || !position || *position > 1) return std::nullopt;
  MatchState found;
  found.position = static_cast<int>(*position);
  found.hand = hand.value_or(0);
  found.betting = parts[3];
  found.hole.fill(holdem::kNoCard);
  found.board.fill(holdem::kNoCard);
  if (!detail::read_all_cards(line, found)) {
    found.wrong = "the cards cannot be read";
  } else if (detail::is_card_twice(found)) {
    found.wrong = "a card is given twice";
  } else if (!hand) {
    found.wrong = "the number of the hand cannot be read";
  }
  return found;
}

// What the actor may say.
inline std::string acpc_wanted(const holdem::Rules& rules, const holdem::State& s) {
  const holdem::Limits may = limits(rules, s);
  const holdem::Chips before = s.put(rules, s.actor) - s.bet[static_cast<std::size_t>(s.actor)];
  const std::string words = may.fold ? "f or c" : "c";
  if (!may.raise) return words;
  return words + ", or r" + std::to_string(before + may.low) + " to r" + std::to_string(before + may.high) +
         ": all that it has put in over the hand";
}

namespace detail {

// A letter, with its digits where it is an r; the text goes on behind it.
inline std::string_view next_word(std::string_view& text) {
  const std::size_t end = text[0] == 'r' ? text.find_first_not_of("0123456789", 1) : 1;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(word.size());
  return word;
}

// An action of the betting; the empty text where the rules allow it, else what is wrong.
inline std::string take_word(const holdem::Rules& rules, std::string_view word, Situation& now) {
  const holdem::State& s = now.state;
  const auto total = word[0] == 'r' ? whole_number(word.substr(1)) : std::nullopt;
  if (word != "f" && word != "c" && !total) return "the betting is not f, c, r and chips, and slashes";
  if (s.actor < 0) return "got " + std::string(word) + " where a street ends";
  holdem::Chips action = word == "f" ? holdem::kFold : holdem::kCall;
  if (total) action = *total - (s.put(rules, s.actor) - s.bet[static_cast<std::size_t>(s.actor)]);
  if ((total && action <= 0) || !is_legal(limits(rules, s), action))
    return "got " + std::string(word) + ", wanted " + acpc_wanted(rules, s);
  now.take(rules, action);
  return "";
}

}  // namespace detail

inline bool is_over(const holdem::State& s) { return s.actor == holdem::kOver || s.run_out; }

// The hand as far as it is told, cards that are not told being unknown. The empty text, or how the betting is
// against the rules.
inline std::string replay(const holdem::Rules& rules, const MatchState& told, Situation& now) {
  holdem::State& s = now.state;
  s = start(rules);
  for (int seat = 0; seat < 2; ++seat) {
    for (std::size_t k = 0; k < 2; ++k)
      deal(rules, s, seat == told.position ? told.hole[k] : holdem::kNoCard);
  }
  std::size_t board = 0;
  for (std::string_view rest = told.betting; !rest.empty();) {
    const std::string_view word = detail::next_word(rest);
    if (is_over(s)) {
      if (word != "/") return "it goes on after the end of the hand";
    } else if (word != "/") {
      if (const std::string wrong = detail::take_word(rules, word, now); !wrong.empty()) return wrong;
    } else if (s.actor != holdem::kDeal) {
      return "got / where no street ends";
    }
    while (word == "/" && s.actor == holdem::kDeal && !s.run_out && board < told.board.size())
      deal(rules, s, told.board[board++]);
  }
  return s.actor != holdem::kDeal || s.run_out ? "" : "the betting ends where a street does";
}

// Whose turn a betting that the rules do not know seems to leave: heads-up, seats take turns.
inline bool seems_mine(const MatchState& told) {
  const std::size_t slash = told.betting.rfind('/');
  const bool first_street = slash == std::string_view::npos;
  int actions = 0;
  for (const char what : told.betting.substr(first_street ? 0 : slash + 1)) {
    actions += what == 'c' || what == 'r';
  }
  return !told.shown && told.betting.find('f') == std::string_view::npos &&
         (actions + first_street) % 2 == told.position;
}

inline std::string acpc_action(const holdem::Rules& rules, const holdem::State& s, holdem::Chips action) {
  if (action == holdem::kFold) return "f";
  if (action == holdem::kCall) return "c";
  return "r" + std::to_string(s.put(rules, s.actor) - s.bet[static_cast<std::size_t>(s.actor)] + action);
}

class AcpcBot {
 public:
  // Without a player it checks and folds. `rules` are heads-up and in the standard order.
  AcpcBot(HeadsUpPlayer* player, holdem::Rules rules, std::uint64_t seed, Warn warn)
      : player_(player), rules_(std::move(rules)), seed_(seed), warn_(std::move(warn)) {}

  // What to say to a line without its end; nothing where it is not our turn, or nobody can tell whose it is.
  std::optional<std::string> answer(std::string_view line) {
    if (!line.empty() && (line[0] == '#' || line[0] == ';')) return std::nullopt;
    const auto told = parse_match_state(line);
    if (!told) {
      tell(line, "wanted MATCHSTATE:position:hand:betting:cards; gives no answer");
      return std::nullopt;
    }
    Situation now;
    if (const std::string against = replay(rules_, *told, now); !against.empty()) {
      const bool over = is_over(now.state), mine = !over && seems_mine(*told);
      const char* does = mine   ? "; calls"
                         : over ? "; gives no answer, the hand is over"
                                : "; gives no answer, it seems to be the other's turn";
      tell(line, "the betting is against the rules: " + against + does);
      return mine ? std::optional(std::string(line) + ":c") : std::nullopt;
    }
    const std::string wrong = what_is_wrong(*told, now.state);
    if (now.state.actor != told->position) {
      if (!wrong.empty()) tell(line, wrong + "; gives no answer, it is not our turn");
      return std::nullopt;
    }
    return std::string(line) + ":" + acpc_action(rules_, now.state, chosen(line, *told, now, wrong));
  }

 private:
  holdem::Chips chosen(std::string_view line, const MatchState& told, const Situation& now,
                       const std::string& wrong) {
    holdem::Chips action = safe_action(rules_, now.state);
    std::uint64_t actions = 0;
    for (const char what : told.betting) actions += what == 'c' || what == 'r';
    if (!wrong.empty()) {
      tell(line, wrong + (action == holdem::kFold ? "; folds" : "; checks"));
    } else if (!choose(player_, rules_, now,
                       decision_luck(seed_, static_cast<std::uint64_t>(told.hand), actions), action)) {
      warn_("the networks give no numbers; checks or folds");
    }
    return action;
  }

  // What of the cards keeps the networks from playing them.
  std::string what_is_wrong(const MatchState& told, const holdem::State& state) const {
    if (told.wrong[0] != '\0' || state.actor != told.position) return told.wrong;
    if (told.board_count != state.board_count(rules_)) return "the board does not fit the betting";
    return told.shown ? "the other's cards are shown before the end" : "";
  }

  void tell(std::string_view line, const std::string& what) {
    warn_("got '" + readable(line.substr(0, 80)) + "': " + what);
  }

  HeadsUpPlayer* player_;
  holdem::Rules rules_;
  std::uint64_t seed_;
  Warn warn_;
};

}  // namespace zerosum::protocols
