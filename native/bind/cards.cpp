// zerosum.native: cards. Sets of cards travel as arrays of card numbers; what is no hand comes back as a row
// number.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "zerosum/cards/all_hands.hpp"
#include "zerosum/cards/enumerate.hpp"
#include "zerosum/cards/evaluate_rows.hpp"
#include "zerosum/cards/hands_equity.hpp"
#include "zerosum/cards/isomorphism.hpp"
#include "zerosum/cards/many_ranges.hpp"
#include "zerosum/cards/monte_carlo.hpp"
#include "zerosum/cards/range_equity.hpp"
#include "zerosum/cards/river_rows.hpp"
#include "zerosum/cards/tables.hpp"
#include "zerosum/cards/versus_random.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::cards;

using Rows = nb::ndarray<const std::uint8_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Cards = nb::bytes;  // one byte a card

static std::uint64_t to_set(const Cards& cards) {
  std::uint64_t set = 0;
  for (std::size_t k = 0; k < cards.size(); ++k)
    set += kCardSets[static_cast<const std::uint8_t*>(cards.data())[k]];
  if (__builtin_popcountll(set & kRankBits) != static_cast<int>(cards.size())) {
    throw std::invalid_argument("cards: wanted different numbers from 0 to 51");
  }
  return set;
}

static void want_proper(std::size_t row, std::size_t count) {
  if (row != count)
    throw std::invalid_argument("row " + std::to_string(row) + ": wanted different cards from 0 to 51");
}

static void bind_evaluation(nb::module_& m) {
  m.def(
      "evaluate_cards",
      [](const Rows& cards) {
        const std::size_t count = cards.shape(0);
        const int size = static_cast<int>(cards.shape(1));
        if (size < 5 || size > 7) throw std::invalid_argument("cards: wanted 5, 6 or 7 a row");
        std::vector<std::uint16_t> values(count);
        std::size_t row;
        {
          nb::gil_scoped_release unlocked;
          row = evaluate_rows(cards.data(), count, size, values.data());
        }
        want_proper(row, count);
        return to_numpy(std::move(values));
      },
      "cards"_a, "[B, 5..7] cards -> [B] values; higher is better, equal means split.");
  m.def("hand_category", &category_of, "value"_a, "0 high card .. 8 straight flush.");
  m.def(
      "count_classes",
      [](int threads) {
        std::vector<std::uint64_t> counts;
        {
          nb::gil_scoped_release unlocked;
          counts = count_seven_card_values(threads);
        }
        return to_numpy(std::move(counts));
      },
      "threads"_a, "[values] how many of all 133,784,560 seven-card hands have each value.");
  m.def(
      "board_values",
      [](const Cards& board) {
        if (board.size() != 5) throw std::invalid_argument("board: wanted five cards");
        std::vector<std::uint16_t> values(kCombos);
        board_values(to_set(board), values.data());
        return to_numpy(std::move(values));
      },
      "board"_a,
      "[1326] the value of every pair of hole cards on a river board; 0 where a card is on the board.");
}

static nb::tuple outcome_tuple(const Outcome& outcome) {
  return nb::make_tuple(outcome.share, outcome.wins, outcome.ties);
}

static void bind_equity(nb::module_& m) {
  m.attr("WHOLE_POT") = kWholePot;
  m.def(
      "hands_equity",
      [](const std::vector<Cards>& hands, const Cards& board) {
        std::vector<std::uint64_t> sets;
        for (const auto& hand : hands) sets.push_back(to_set(hand));
        HandsEquity equity(sets, to_set(board), static_cast<int>(board.size()));
        {
          nb::gil_scoped_release unlocked;
          equity.run();
        }
        nb::list outcomes;
        for (const auto& outcome : equity.outcomes()) outcomes.append(outcome_tuple(outcome));
        return std::make_pair(equity.boards(), outcomes);
      },
      "hands"_a, "board"_a,
      nb::sig("def hands_equity(hands: collections.abc.Sequence[bytes], board: bytes) -> tuple[int, "
              "list[tuple[int, int, int]]]"),
      "Known hands on every board: (boards, a (share of the pot in 1/WHOLE_POT, wins, ties) for each).");
  m.def(
      "versus_random",
      [](const Cards& hand, const Cards& board) {
        if (hand.size() != 2 || board.size() < 3 || board.size() > 5) {
          throw std::invalid_argument("versus_random: wanted two cards and a board of three to five");
        }
        const Versus found = VersusRandom(to_set(hand), to_set(board), static_cast<int>(board.size())).run();
        return std::make_tuple(found.wins, found.ties, found.total);
      },
      "hand"_a, "board"_a, "A hand against a random one: (wins, ties, all) over boards and opponents.");
  m.def(
      "tally_range",
      [](const In<std::uint32_t>& mine, const In<std::uint32_t>& theirs, const Cards& board, bool canonical,
         int threads) {
        want_size("mine", mine.size(), kCombos);
        want_size("theirs", theirs.size(), kCombos);
        const std::uint64_t set = to_set(board);
        std::unique_ptr<Tally> tally;
        Interrupt interrupt;
        {
          nb::gil_scoped_release unlocked;
          const auto boards =
              canonical ? canonical_boards(5) : river_boards(set, static_cast<int>(board.size()));
          tally = std::make_unique<Tally>(
              tally_range(boards, mine.data(), theirs.data(), threads, [&] { return interrupt.is_asked(); }));
        }
        interrupt.raise();
        const auto column = [](const auto& array) {
          return to_numpy(std::vector<std::uint64_t>(array.begin(), array.end()));
        };
        return nb::make_tuple(column(tally->beats), column(tally->ties), column(tally->meets));
      },
      "mine"_a, "theirs"_a, "board"_a, "canonical"_a, "threads"_a,
      nb::sig("def tally_range(mine: numpy.typing.NDArray[numpy.uint32], theirs: "
              "numpy.typing.NDArray[numpy.uint32], "
              "board: bytes, canonical: bool, threads: int) -> tuple[numpy.typing.NDArray[numpy.uint64], "
              "numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]]"),
      "[1326] for each of my hands, the summed weight of theirs that it beats, ties with and meets, over all "
      "rivers; "
      "`canonical` takes one board of each kind, for ranges that are the same in every suit.");
  m.def(
      "deal_steps",
      [](const std::vector<WeightedHands>& seats, const Cards& board, std::uint64_t most) {
        return ManyRanges(seats).steps(to_set(board), most);
      },
      "seats"_a, "board"_a, "most"_a,
      "How many hands are dealt, seat by seat, on the way to every deal without a card twice; `most` where "
      "more.");
  m.def(
      "many_ranges",
      [](const std::vector<WeightedHands>& seats, const Cards& board, bool canonical, int threads) {
        const std::uint64_t set = to_set(board);
        ManyRanges::Sums sums;
        Interrupt interrupt;
        {
          nb::gil_scoped_release unlocked;
          const auto boards =
              canonical ? canonical_boards(5) : river_boards(set, static_cast<int>(board.size()));
          sums = ManyRanges(seats).run(boards, threads, [&] { return interrupt.is_asked(); });
        }
        interrupt.raise();
        const nb::int_ word(64);
        const auto whole = [&](Wide value) {
          return (nb::int_(static_cast<std::uint64_t>(value >> 64)) << word) |
                 nb::int_(static_cast<std::uint64_t>(value));
        };
        nb::list all;
        for (const auto& seat : sums) {
          nb::list hands;
          for (const HandSums& hand : seat) {
            hands.append(
                nb::make_tuple(whole(hand.share), whole(hand.wins), whole(hand.ties), whole(hand.weight)));
          }
          all.append(hands);
        }
        return all;
      },
      "seats"_a, "board"_a, "canonical"_a, "threads"_a,
      nb::sig("def many_ranges(seats: collections.abc.Sequence[collections.abc.Sequence[tuple[int, int]]], "
              "board: "
              "bytes, canonical: bool, threads: int) -> list[list[tuple[int, int, int, int]]]"),
      "For each hand of each seat, summed over all deals and rivers: (share of the pot in 1/WHOLE_POT, wins, "
      "ties, "
      "weight).");
  m.def(
      "monte_carlo",
      [](const std::vector<std::vector<std::pair<int, std::uint64_t>>>& seats, const Cards& board,
         std::uint64_t samples, std::uint64_t seed, int threads, bool by_hand) {
        MonteCarlo sampler(seats, to_set(board), static_cast<int>(board.size()), seed, by_hand);
        bool possible;
        Interrupt interrupt;
        {
          nb::gil_scoped_release unlocked;
          possible = sampler.run(samples, threads, [&] { return interrupt.is_asked(); });
        }
        interrupt.raise();
        nb::list outcomes;
        for (const auto& sampled : sampler.outcomes()) {
          const auto& [outcome, squares, shares, counts] = sampled;
          outcomes.append(nb::make_tuple(outcome.share, outcome.wins, outcome.ties, squares,
                                         to_numpy(std::vector<std::uint64_t>(shares.begin(), shares.end())),
                                         to_numpy(std::vector<std::uint64_t>(counts.begin(), counts.end()))));
        }
        return std::make_pair(possible, outcomes);
      },
      "seats"_a, "board"_a, "samples"_a, "seed"_a, "threads"_a, "by_hand"_a,
      nb::sig("def monte_carlo(seats: collections.abc.Sequence[collections.abc.Sequence[tuple[int, int]]], "
              "board: "
              "bytes, samples: int, seed: int, threads: int, by_hand: bool) -> tuple[bool, list[tuple[int, "
              "int, int, int, "
              "numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint64]]]]"),
      "Weighted (combo, weight) lists, an empty one for any two cards: (whether hands could be dealt, a "
      "(share, wins, "
      "ties, sum of squared shares, [1326] shares and samples by hand) for each).");
}

static void bind_all_hands(nb::module_& m) {
  m.def(
      "all_hands",
      [](const Cards& board) {
        if (board.size() < 3 || board.size() > 5)
          throw std::invalid_argument("board: wanted three to five cards");
        const std::uint64_t set = to_set(board);
        auto all = std::make_unique<AllHands>();
        {
          nb::gil_scoped_release unlocked;
          all_hands(set, static_cast<int>(board.size()), *all);
        }
        std::vector<std::uint16_t> bins;
        bins.reserve(std::size_t{kCombos} * kBins);
        for (const auto& row : all->histogram) bins.insert(bins.end(), row.begin(), row.end());
        const auto column = [](const auto& array) {
          return to_numpy(std::vector<std::uint32_t>(array.begin(), array.end()));
        };
        return nb::make_tuple(column(all->points), column(all->rivers),
                              to_numpy(std::move(bins), {kCombos, kBins}));
      },
      "board"_a,
      nb::sig("def all_hands(board: bytes) -> tuple[numpy.typing.NDArray[numpy.uint32], "
              "numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint16]]"),
      "([1326] points, [1326] rivers, [1326, 50] histogram): a hand's equity is points / (1980 rivers).");
  m.def(
      "river_rows",
      [](const Rows& boards, int hands, std::uint64_t seed, std::uint64_t number) {
        if (boards.shape(1) != 5 || hands < 1 || hands > 1081)
          throw std::invalid_argument("river rows: wanted boards of five cards, and 1 to 1081 hands on each");
        const std::size_t count = boards.shape(0), each = static_cast<std::size_t>(hands);
        std::vector<std::uint16_t> combos(count * each), points(count * each);
        std::vector<std::uint8_t> cards(count * each * 7);
        const auto fill = [&] {
          nb::gil_scoped_release unlocked;
          for (std::size_t b = 0; b < count; ++b) {
            std::uint64_t set = 0, dealt = 0;
            for (std::size_t k = 0; k < 5; ++k) {
              const int card = boards.data()[5 * b + k];
              if (card >= kCards || (dealt >> card & 1) != 0)
                throw std::invalid_argument("river rows: wanted boards of five different cards");
              set += card_set(card);
              dealt |= std::uint64_t{1} << card;
            }
            river_rows(set, dealt, hands, CounterRng(seed, number, b), combos.data() + b * each,
                       points.data() + b * each);
            for (std::size_t k = 0; k < each; ++k) {
              std::uint8_t* row = cards.data() + (b * each + k) * 7;
              row[0] = kCombo[combos[b * each + k]].low;
              row[1] = kCombo[combos[b * each + k]].high;
              std::copy_n(boards.data() + 5 * b, 5, row + 2);
            }
          }
        };
        fill();
        return nb::make_tuple(to_numpy(std::move(cards), {count * each, std::size_t{7}}),
                              to_numpy(std::move(points)));
      },
      "boards"_a, "hands"_a, "seed"_a, "number"_a,
      nb::sig(
          "def river_rows(boards: numpy.typing.NDArray[numpy.uint8], hands: int, seed: int, number: int) -> "
          "tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint16]]"),
      "[B, 5] boards -> ([B * hands, 7] hands drawn on each, [B * hands] points): equity is points / 1980.");
  const auto fill = [](int board_cards, std::uint64_t first, std::uint64_t last, int threads,
                       nb::handle points, nb::handle histogram) {
    using Points = nb::ndarray<std::uint32_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    using Wide = nb::ndarray<std::uint16_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    using Narrow = nb::ndarray<std::uint8_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    const auto rows = nb::cast<Points>(points);
    const HandIndexer hands({2, board_cards});
    want_size("points", rows.size(), hands.size());
    if (board_cards == 3) {
      const auto bins = nb::cast<Wide>(histogram);
      want_size("histogram", bins.size(), hands.size() * kBins);
      nb::gil_scoped_release unlocked;
      fill_tables(3, first, last, threads, rows.data(), bins.data());
    } else {
      const auto bins = nb::cast<Narrow>(histogram);
      want_size("histogram", bins.size(), hands.size() * kBins);
      nb::gil_scoped_release unlocked;
      fill_tables(4, first, last, threads, rows.data(), bins.data());
    }
  };
  m.def("fill_tables", fill, "board_cards"_a, "first"_a, "last"_a, "threads"_a, "points"_a, "histogram"_a,
        nb::sig("def fill_tables(board_cards: int, first: int, last: int, threads: int, points: "
                "numpy.typing.NDArray[numpy.uint32], histogram: numpy.typing.NDArray[numpy.uint16] | "
                "numpy.typing.NDArray[numpy.uint8]) -> None"),
        "Fills the rows of canonical flops (uint16 bins) or turns (uint8 bins) first .. last - 1.");
}

static void bind_isomorphism(nb::module_& m) {
  nb::class_<HandIndexer>(m, "HandIndexer",
                          "Numbers hands dealt in rounds, one number for all renamings of suits.")
      .def(
          "__init__",
          [](HandIndexer* self, const std::vector<int>& rounds) {
            int cards = 0;
            bool proper = !rounds.empty();
            for (int round : rounds) {
              proper &= round >= 1 && round <= 7;
              cards += proper ? round : 0;
            }
            if (!proper || cards > 7) throw std::invalid_argument("rounds: wanted one to seven cards in all");
            new (self) HandIndexer(rounds);
          },
          "rounds"_a)
      .def("__len__", &HandIndexer::size)
      .def_prop_ro("cards", &HandIndexer::cards)
      .def(
          "index",
          [](const HandIndexer& self, const Rows& cards) {
            if (static_cast<int>(cards.shape(1)) != self.cards())
              throw std::invalid_argument("cards: wrong number a row");
            const std::size_t count = cards.shape(0);
            std::vector<std::uint64_t> indices(count);
            std::size_t row;
            {
              nb::gil_scoped_release unlocked;
              row = index_rows(self, cards.data(), count, indices.data());
            }
            want_proper(row, count);
            return to_numpy(std::move(indices));
          },
          "cards"_a, "[B, cards] hands, round by round -> [B] numbers.")
      .def(
          "hands",
          [](const HandIndexer& self, const In<std::uint64_t>& indices) {
            std::vector<std::uint8_t> cards(indices.size() * static_cast<std::size_t>(self.cards()));
            for (std::size_t row = 0; row < indices.size(); ++row) {
              if (indices.data()[row] >= self.size())
                throw std::invalid_argument("row " + std::to_string(row) + ": no such hand");
              self.hand(indices.data()[row], cards.data() + row * static_cast<std::size_t>(self.cards()));
            }
            return to_numpy(std::move(cards), {indices.size(), static_cast<std::size_t>(self.cards())});
          },
          "indices"_a, "[B] numbers -> [B, cards] canonical hands.");
}

void bind_cards(nb::module_& m) {
  bind_evaluation(m);
  bind_equity(m);
  bind_all_hands(m);
  bind_isomorphism(m);
}

}  // namespace zerosum::bind
