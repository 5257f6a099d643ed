// zerosum.native: what seats at tables of two to six see, as rows of bytes and as the encoder's arrays.
#include "sixmax.hpp"

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "zerosum/games/holdem/sixmax_equity.hpp"
#include "zerosum/games/holdem/view.hpp"

namespace zerosum::bind {

using namespace nb::literals;

static SixMaxRow seen(const Hand& hand, int seat, bool named) {
  want_six(hand.rules());
  SixMaxRow row = see(hand.rules(), hand.state(), seat, history_of(hand));
  if (named) name_suits(row);
  return row;
}

static const SixMaxRow* rows_in(const In2<std::uint8_t>& rows) {
  if (rows.shape(1) != sizeof(SixMaxRow))
    throw std::invalid_argument("rows: wanted " + std::to_string(sizeof(SixMaxRow)) + " bytes each");
  return reinterpret_cast<const SixMaxRow*>(rows.data());
}

// A row that was not written by `see` could point outside of the arrays.
static void want_sound(const SixMaxRow* rows, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    bool sound = rows[k].position < kSixSeats && rows[k].street < kMostStreets && rows[k].tokens <= kTokens;
    for (const std::uint8_t card : rows[k].card) sound &= card <= kNoCard;
    for (std::size_t t = 0; sound && t < rows[k].tokens; ++t) sound &= rows[k].token[t] < 144;
    if (!sound) throw std::invalid_argument("rows: row " + std::to_string(k) + " is none of this encoding");
  }
}

static void write_cards(const SixMaxRow& row, std::int64_t* hole_ranks, std::int64_t* hole_suits,
                        std::int64_t* board_ranks, std::int64_t* board_suits) {
  const auto rank = [](std::uint8_t card) { return card < kNoCard ? card >> 2 : 13; };
  const auto suit = [](std::uint8_t card) { return card < kNoCard ? card & 3 : 4; };
  for (std::size_t c = 0; c < 2; ++c) {
    hole_ranks[c] = rank(row.card[c]);
    hole_suits[c] = suit(row.card[c]);
  }
  for (std::size_t c = 0; c < 5; ++c) {
    board_ranks[c] = rank(row.card[2 + c]);
    board_suits[c] = suit(row.card[2 + c]);
  }
}

static nb::tuple batch(const In2<std::uint8_t>& given) {
  const SixMaxRow* rows = rows_in(given);
  const std::size_t count = given.shape(0), tokens = kTokens, width = kTokenWidth;
  want_sound(rows, count);
  std::vector<std::int64_t> hole_ranks(2 * count), hole_suits(2 * count), board_ranks(5 * count),
      board_suits(5 * count);
  std::vector<float> own(kOwnNumbers * count), others(kOthersNumbers * count),
      actions(tokens * width * count);
  auto mask = std::make_unique<bool[]>(tokens * count);
  for (std::size_t k = 0; k < count; ++k) {
    write_cards(rows[k], &hole_ranks[2 * k], &hole_suits[2 * k], &board_ranks[5 * k], &board_suits[5 * k]);
    write_own(rows[k], &own[kOwnNumbers * k]);
    write_others(rows[k], &others[kOthersNumbers * k]);
    for (std::size_t t = 0; t < rows[k].tokens; ++t)
      write_token(rows[k].token[t], rows[k].amount[t], &actions[(k * tokens + t) * width]);
    for (std::size_t t = rows[k].tokens; t < tokens; ++t) mask[k * tokens + t] = true;
  }
  const std::size_t two = 2, five = 5, own_width = kOwnNumbers, others_width = kOthersNumbers;
  return nb::make_tuple(
      to_numpy(std::move(hole_ranks), {count, two}), to_numpy(std::move(hole_suits), {count, two}),
      to_numpy(std::move(board_ranks), {count, five}), to_numpy(std::move(board_suits), {count, five}),
      to_numpy(std::move(own), {count, own_width}), to_numpy(std::move(others), {count, others_width}),
      to_numpy(std::move(actions), {count, tokens, width}), bools_to_numpy(std::move(mask), {count, tokens}));
}

// What the encoder needs of rows, without padding; rows with the same history share its tokens.
static nb::tuple inputs(const In2<std::uint8_t>& given) {
  const SixMaxRow* rows = rows_in(given);
  const std::size_t count = given.shape(0);
  want_sound(rows, count);
  constexpr std::size_t kNumbers = kOwnNumbers + kOthersNumbers, kWidth = kTokenWidth;
  std::vector<std::int64_t> ranks(7 * count), suits(7 * count);
  std::vector<float> numbers(kNumbers * count);
  for (std::size_t k = 0; k < count; ++k) {
    write_cards(rows[k], &ranks[7 * k], &suits[7 * k], &ranks[7 * k + 2], &suits[7 * k + 2]);
    write_own(rows[k], &numbers[kNumbers * k]);
    write_others(rows[k], &numbers[kNumbers * k + kOwnNumbers]);
  }
  SharedHistories shared = share_histories(rows, count);
  std::vector<std::int64_t> offsets = {0}, places;
  std::vector<float> tokens;
  for (const std::size_t first : shared.first) {
    const SixMaxRow& row = rows[first];
    const std::size_t start = places.size();
    tokens.resize((start + row.tokens) * kWidth);
    for (std::size_t t = 0; t < row.tokens; ++t) {
      places.push_back(static_cast<std::int64_t>(t));
      write_token(row.token[t], row.amount[t], &tokens[(start + t) * kWidth]);
    }
    offsets.push_back(static_cast<std::int64_t>(places.size()));
  }
  const std::size_t many = places.size(), seven = 7;
  return nb::make_tuple(
      to_numpy(std::move(ranks), {count, seven}), to_numpy(std::move(suits), {count, seven}),
      to_numpy(std::move(numbers), {count, kNumbers}), to_numpy(std::move(tokens), {many, kWidth}),
      to_numpy(std::move(places)), to_numpy(std::move(offsets)), to_numpy(std::move(shared.which)));
}

// [rows, 3] chances to win, a tie for a part: against one random hand, against as many as are still in, and
// against one if no more cards came. From `samples` draws each.
static Out<float> equities(const In2<std::uint8_t>& given, int samples, std::uint64_t seed) {
  const SixMaxRow* rows = rows_in(given);
  const std::size_t count = given.shape(0);
  want_sound(rows, count);
  std::vector<float> found(3 * count);
  {
    nb::gil_scoped_release unlocked;
    for (std::size_t k = 0; k < count; ++k) {
      const auto one = draw_equities(rows[k], samples, CounterRng(seed, k, 0));
      std::copy(one.begin(), one.end(), found.begin() + static_cast<std::ptrdiff_t>(3 * k));
    }
  }
  return to_numpy(std::move(found), {count, std::size_t{3}});
}

void bind_sixmax(nb::module_& m) {
  m.def("sixmax_equities", &equities, "rows"_a, "samples"_a, "seed"_a,
        "[B, 3] how good each row's cards are, drawn: the chance to win against one random hand, against as "
        "many as are still in, and against one if no more cards came.");
  m.def(
      "sixmax_rows",
      [](const nb::list& views, bool named) {
        std::vector<SixMaxRow> rows;
        rows.reserve(views.size());
        for (std::size_t k = 0; k < views.size(); ++k) {
          const View& view = nb::cast<const View&>(views[k]);
          rows.push_back(seen(view.hand(), view.seat(), named));
        }
        return as_bytes(rows);
      },
      "views"_a, "named"_a = false,
      nb::sig("def sixmax_rows(views: list[HoldemView], named: bool = False) -> "
              "numpy.typing.NDArray[numpy.uint8]"),
      "[B, 184] what each view's seat sees; `named`: suits named by how much they matter.");
  m.def(
      "sixmax_rows_of_hands",
      [](const nb::list& hands, const In<std::int64_t>& seats) {
        want_size("seats", seats.size(), hands.size());
        std::vector<SixMaxRow> rows;
        rows.reserve(hands.size());
        for (std::size_t k = 0; k < hands.size(); ++k) {
          const Hand& hand = nb::cast<const Hand&>(hands[k]);
          const std::int64_t seat = seats.data()[k];
          if (seat < 0 || seat >= hand.rules().players)
            throw RuleError("seat: got " + std::to_string(seat) + ", wanted 0 to " +
                            std::to_string(hand.rules().players - 1));
          rows.push_back(seen(hand, static_cast<int>(seat), false));
        }
        return as_bytes(rows);
      },
      "hands"_a, "seats"_a,
      nb::sig("def sixmax_rows_of_hands(hands: list[HoldemHand], seats: "
              "numpy.typing.NDArray[numpy.int64]) -> numpy.typing.NDArray[numpy.uint8]"),
      "[B, 184] what a seat of each hand sees; nothing that it must not see is in it.");
  m.def("sixmax_batch", &batch, "rows"_a,
        nb::sig("def sixmax_batch(rows: numpy.typing.NDArray[numpy.uint8]) -> "
                "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], "
                "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.bool_]]"),
        "Rows as the encoder's arrays: hole ranks and suits [B, 2], the board's [B, 5], own numbers [B, 14], "
        "opponents' [B, 15], actions [B, 24, 17], padding [B, 24].");
  m.def("sixmax_inputs", &inputs, "rows"_a,
        nb::sig("def sixmax_inputs(rows: numpy.typing.NDArray[numpy.uint8]) -> "
                "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32], "
                "numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int64], "
                "numpy.typing.NDArray[numpy.int64]]"),
        "The same without padding: ranks and suits [B, 7], numbers [B, 29], the tokens of every different "
        "history [T, 17] with their places [T], where each begins [U + 1], and which one each row has [B].");
}

}  // namespace zerosum::bind
