// What a seat of a table of two to six sees, as one small row: cards, the betting in big blinds, and the
// latest actions as tokens. From rows come the arrays that the encoder of `zerosum.encoding` reads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "zerosum/cards/card.hpp"
#include "zerosum/games/holdem/hand.hpp"
#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

inline constexpr int kSixSeats = 6;
inline constexpr int kTokens = 24;      // the latest actions
inline constexpr int kTokenWidth = 17;  // position 6, type 6, amount, street 4
inline constexpr int kOwnNumbers = 14;  // position 6, stack, pot, to call, raises, street 4
inline constexpr int kOthersNumbers = 3 * (kSixSeats - 1);
inline constexpr double kAmountUnit = 100.0;  // big blinds
inline constexpr double kRaisesUnit = 4.0;

enum class Told : std::uint8_t { kFold, kCheck, kCall, kBet, kRaise, kAllIn };

// UTG 0, HJ, CO, BTN, SB, BB 5, counted back from the big blind.
inline int position_of(const Rules& rules, int seat) {
  if (rules.players == 2) return rules.order == Order::kBotzone ? 4 + seat : 5 - seat;
  return seat < 2 ? 4 + seat : std::max(0, seat - rules.players + 4);
}

inline double big_blind(const Rules& rules) {
  return static_cast<double>(*std::max_element(rules.blinds.begin(), rules.blinds.end()));
}

// The latest actions of a hand, oldest first.
struct History {
  std::array<float, kTokens> amount{};        // chips added, in hundreds of big blinds
  std::array<std::uint8_t, kTokens> token{};  // (position * 6 + type) * 4 + street
  std::uint8_t count = 0;

  void add(int position, Told type, int street, float amount_added) {
    if (count == kTokens) {
      std::copy(amount.begin() + 1, amount.end(), amount.begin());
      std::copy(token.begin() + 1, token.end(), token.begin());
      --count;
    }
    amount[count] = amount_added;
    token[count++] = static_cast<std::uint8_t>((position * 6 + static_cast<int>(type)) * 4 + street);
  }
};

inline float as_amount(const Rules& rules, Chips chips) {
  return static_cast<float>(static_cast<double>(chips) / big_blind(rules) / kAmountUnit);
}

// What an action that added so many chips is called; `opens`: nobody has bet on the street.
inline Told told_as(Chips action, Chips added, bool all_in, bool opens) {
  if (all_in) return Told::kAllIn;
  if (action == kFold) return Told::kFold;
  if (action == kCall) return added > 0 ? Told::kCall : Told::kCheck;
  return opens ? Told::kBet : Told::kRaise;
}

// The actor is about to act.
inline void add_action(const Rules& rules, const State& s, Chips action, History& history) {
  const int seat = s.actor;
  const Chips added = action == kFold   ? 0
                      : action == kCall ? std::min(s.stack[seat], s.highest - s.bet[seat])
                                        : action - s.bet[seat];
  const bool all_in = added > 0 && added == s.stack[seat], opens = s.street > 0 && s.raises == 0;
  history.add(position_of(rules, seat), told_as(action, added, all_in, opens), s.street,
              as_amount(rules, added));
}

// The same for all that happened in a hand.
inline History history_of(const Hand& hand) {
  History history;
  std::array<bool, kMostStreets> raised{true};  // the blinds are a bet
  for (const Event& event : hand.actions()) {
    const Told type = told_as(event.action, event.added, event.all_in, !raised[event.street]);
    if (event.action > 0) raised[event.street] = true;
    history.add(position_of(hand.rules(), event.seat), type, event.street,
                as_amount(hand.rules(), event.added));
  }
  return history;
}

// One seat's sight of a hand; plain bytes, so that buffers hold little more than what there is to know.
struct SixMaxRow {
  std::array<std::uint8_t, 7> card;  // hole cards, the higher first; the board, its flop sorted; 52: none
  std::uint8_t position, street, raises;
  std::uint8_t active;  // bits: opponents who have not folded, in the order of acting after us
  std::uint8_t tokens;
  std::array<std::uint8_t, kTokens> token;
  std::array<float, kTokens> amount;
  std::array<float, 3> own;  // stack, pot, to call
  std::array<float, kSixSeats - 1> stack, invested;
};
static_assert(sizeof(SixMaxRow) == 184, "rows are saved as they are");

inline void want_six(const Rules& rules) {
  if (rules.players > kSixSeats) {
    throw RuleError("players: got " + std::to_string(rules.players) + ", wanted 2 to 6 for this encoding");
  }
}

// The order in which cards were dealt tells nothing: the higher first, of hole cards and flop.
inline void sort_cards(SixMaxRow& row) {
  const auto higher = [](std::uint8_t a, std::uint8_t b) { return a < kNoCard && (b >= kNoCard || a > b); };
  std::sort(row.card.begin(), row.card.begin() + 2, higher);
  std::sort(row.card.begin() + 2, row.card.begin() + 5, higher);
}

inline SixMaxRow see(const Rules& rules, const State& s, int seat, const History& history) {
  SixMaxRow row{};
  row.card = {s.card[2 * seat], s.card[2 * seat + 1]};
  for (int k = 0; k < 5; ++k) row.card[2 + k] = s.board(rules, k);
  sort_cards(row);
  row.position = static_cast<std::uint8_t>(position_of(rules, seat));
  row.street = s.street;
  row.raises = s.raises;
  row.own = {as_amount(rules, s.stack[seat]), as_amount(rules, s.pot),
             as_amount(rules, std::min(s.stack[seat], s.highest - s.bet[seat]))};
  for (int k = 1; k < rules.players; ++k) {
    const int i = (seat + k) % rules.players;
    row.active |= static_cast<std::uint8_t>(s.is_in(i) << (k - 1));
    row.stack[k - 1] = as_amount(rules, s.stack[i]);
    row.invested[k - 1] = as_amount(rules, s.put(rules, i));
  }
  row.tokens = history.count;
  row.token = history.token;
  row.amount = history.amount;
  return row;
}

// The same cards with suits named anew, by how much they matter: hands that differ in suits alone become one.
// The suit with the most cards comes first; then the one with more, and higher, hole cards; then by the
// board.
inline void name_suits(SixMaxRow& row) {
  std::array<std::uint64_t, 4> worth{};
  for (std::size_t k = 0; k < row.card.size(); ++k) {
    if (row.card[k] >= cards::kCards) continue;
    const int rank = cards::rank_of(row.card[k]);
    std::uint64_t& of = worth[static_cast<std::size_t>(cards::suit_of(row.card[k]))];
    of += std::uint64_t{1} << 58;
    if (k < 2) {
      of += (std::uint64_t{1} << 54) + (std::uint64_t{1} << (40 + rank));
    } else {
      of += (k < 5 ? std::uint64_t{1} << (26 + rank) : std::uint64_t(rank + 1) << (k == 5 ? 20 : 14));
    }
  }
  std::array<std::uint8_t, 4> order = {0, 1, 2, 3}, name{};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return worth[a] > worth[b]; });
  for (std::uint8_t k = 0; k < 4; ++k) name[order[k]] = k;
  for (std::uint8_t& card : row.card) {
    if (card < cards::kCards) card = static_cast<std::uint8_t>((card & ~3) | name[card & 3]);
  }
  sort_cards(row);
}

// [kTokenWidth], zeros before.
inline void write_token(std::uint8_t token, float amount, float* out) {
  const int position = token / 24, type = token / 4 % 6, street = token % 4;
  out[position] = out[6 + type] = out[13 + street] = 1.0f;
  out[12] = amount;
}

// [kOwnNumbers], zeros before.
inline void write_own(const SixMaxRow& row, float* out) {
  out[row.position] = 1.0f;
  std::copy(row.own.begin(), row.own.end(), out + 6);
  out[9] = static_cast<float>(row.raises / kRaisesUnit);
  out[10 + row.street] = 1.0f;
}

// [kOthersNumbers], zeros before.
inline void write_others(const SixMaxRow& row, float* out) {
  for (std::size_t k = 0; k < row.stack.size(); ++k, out += 3) {
    out[0] = (row.active >> k & 1) != 0 ? 1.0f : 0.0f;
    out[1] = row.stack[k];
    out[2] = row.invested[k];
  }
}

// Rows whose histories are alike: a number for each row, and for each number the first such row. The betting
// is public, so that of many seats and deals few histories are different.
struct SharedHistories {
  std::vector<std::int64_t> which;  // [rows]
  std::vector<std::size_t> first;   // [different ones]
};

inline SharedHistories share_histories(const SixMaxRow* rows, std::size_t count) {
  SharedHistories shared;
  shared.which.resize(count);
  std::size_t size = 16;
  while (size < 2 * count) size *= 2;
  std::vector<std::int64_t> table(size, -1);
  const auto same = [](const SixMaxRow& a, const SixMaxRow& b) {
    return a.tokens == b.tokens && std::memcmp(a.token.data(), b.token.data(), a.tokens) == 0 &&
           std::memcmp(a.amount.data(), b.amount.data(), a.tokens * sizeof(float)) == 0;
  };
  for (std::size_t k = 0; k < count; ++k) {
    const SixMaxRow& row = rows[k];
    std::uint64_t hash = row.tokens;
    for (std::size_t t = 0; t < row.tokens; ++t) {
      std::uint32_t bits;
      std::memcpy(&bits, &row.amount[t], sizeof bits);
      hash = (hash ^ (std::uint64_t{bits} << 8 | row.token[t])) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    }
    std::size_t at = hash & (size - 1);
    while (table[at] >= 0 && !same(rows[shared.first[static_cast<std::size_t>(table[at])]], row))
      at = (at + 1) & (size - 1);
    if (table[at] < 0) {
      table[at] = static_cast<std::int64_t>(shared.first.size());
      shared.first.push_back(k);
    }
    shared.which[k] = table[at];
  }
  return shared;
}

}  // namespace zerosum::holdem
