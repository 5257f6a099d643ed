// zerosum.native: hold'em. Hands are values; tables step together.
#include "holdem.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "interrupt.hpp"
#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/hand.hpp"
#include "zerosum/games/holdem/perft.hpp"
#include "zerosum/games/holdem/view.hpp"
#include "zerosum/random.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

static std::vector<int> board_of(const Hand& hand) {
  std::vector<int> board;
  for (int k = 0; k < hand.state().board_count(hand.rules()); ++k)
    board.push_back(hand.state().board(hand.rules(), k));
  return board;
}

static void want_seat(const Hand& hand, int seat) {
  if (seat < 0 || seat >= hand.rules().players) {
    throw RuleError("seat: got " + std::to_string(seat) + ", wanted 0 to " +
                    std::to_string(hand.rules().players - 1));
  }
}

// Every step of a Python loop asks for these, and there are few different ones: each is made once.
static nb::typed<nb::tuple, int, nb::ellipsis> legal_of(const Hand& hand) {
  static std::unordered_map<std::uint64_t, PyObject*> made;  // for the life of the process
  std::array<std::uint8_t, kMostActions> offered;
  const int count = hand.legal(offered);
  std::uint64_t mask = 0;
  for (int k = 0; k < count; ++k) mask |= std::uint64_t{1} << offered[k];
  PyObject*& numbers = made[mask];
  if (numbers == nullptr) {
    numbers = PyTuple_New(count);
    if (numbers == nullptr) throw nb::python_error();
    for (int k = 0; k < count; ++k) PyTuple_SET_ITEM(numbers, k, PyLong_FromLong(offered[k]));
  }
  return nb::borrow<nb::typed<nb::tuple, int, nb::ellipsis>>(numbers);
}

// What hands and views have in common: a view's hand has no hidden cards.
template <typename Class, typename HandOf>
static void bind_shared(Class& c, HandOf hand) {
  using T = typename Class::Type;
  c.def_prop_ro(
      "actor", [=](const T& self) { return hand(self).actor(); },
      "The seat to act, -1 where a card is due, -2 at the end.");
  c.def_prop_ro("players", [=](const T& self) { return hand(self).rules().players; });
  c.def_prop_ro(
      "street", [=](const T& self) { return int{hand(self).state().street}; }, "0 pre-flop .. 3 river.");
  c.def_prop_ro(
      "pot", [=](const T& self) { return hand(self).state().pot; }, "With what is bet on this street.");
  c.def_prop_ro(
      "raises", [=](const T& self) { return int{hand(self).state().raises}; }, "Made on this street.");
  c.def_prop_ro(
      "stacks", [=](const T& self) { return first(hand(self).state().stack, hand(self).rules().players); },
      "What is behind.");
  c.def_prop_ro(
      "bets", [=](const T& self) { return first(hand(self).state().bet, hand(self).rules().players); },
      "On this street.");
  c.def_prop_ro(
      "invested",
      [=](const T& self) {
        std::vector<Chips> put;
        for (int i = 0; i < hand(self).rules().players; ++i)
          put.push_back(hand(self).state().put(hand(self).rules(), i));
        return put;
      },
      "Over the whole hand.");
  c.def_prop_ro("folded", [=](const T& self) {
    std::vector<bool> folded;
    for (int i = 0; i < hand(self).rules().players; ++i) folded.push_back(!hand(self).state().is_in(i));
    return folded;
  });
  c.def_prop_ro("board", [=](const T& self) { return board_of(hand(self)); });
  c.def_prop_ro(
      "betting", [=](const T& self) { return hand(self).betting(); },
      "f, c, r and the total put in; a slash between streets.");
  c.def_prop_ro("min_bet", [=](const T& self) { return hand(self).rules().bets[hand(self).state().street]; });
  c.def(
      "limits",
      [=](const T& self) {
        const Limits may = hand(self).may();
        return std::make_tuple(may.fold, may.call, may.raise, may.low, may.high);
      },
      "What the actor may do: (fold, chips to call, raise, raise to at least, at most).");
  c.def(
      "legal", [=](const T& self) { return legal_of(hand(self)); },
      "The numbers of the menu that are offered; none at the end.");
  c.def(
      "amount",
      [=](const T& self, int number) {
        return menu_action(hand(self).rules(), hand(self).state(), hand(self).may(), number);
      },
      "number"_a,
      "The engine's action for a number of the menu: -1 fold, 0 call, else raise to; -2 where not offered.");
  c.def(
      "events",
      [=](const T& self) {
        std::vector<std::tuple<int, int, Chips, Chips, bool>> all;
        for (const Event& e : hand(self).events())
          all.emplace_back(e.seat, e.street, e.action, e.added, e.all_in);
        return all;
      },
      "What happened: (seat or -1 for a card, street, action or card, chips added, whether all-in).");
  c.def(
      "pots",
      [=](const T& self) {
        std::vector<std::pair<Chips, std::vector<int>>> all;
        const Pots found = pots(hand(self).rules(), hand(self).state());
        for (int k = 0; k < found.count; ++k) {
          std::vector<int> seats;
          for (int i = 0; i < hand(self).rules().players; ++i) {
            if (found.pot[k].seats >> i & 1) seats.push_back(i);
          }
          all.emplace_back(found.pot[k].amount, seats);
        }
        return all;
      },
      "Main pot and side pots without what is bet on this street: (chips, seats that may win it).");
}

static void bind_hand(nb::module_& m) {
  nb::class_<View> view(m, "HoldemView",
                        "What one seat sees of a hand; equal views are one information set.");
  bind_shared(view, [](const View& self) -> const Hand& { return self.hand(); });
  view.def_prop_ro("seat", &View::seat)
      .def_prop_ro("hole",
                   [](const View& self) {
                     const auto& card = self.hand().state().card;
                     return std::make_pair(int{card[2 * self.seat()]}, int{card[2 * self.seat() + 1]});
                   })
      .def_prop_ro("key", &View::key)
      .def("words", &View::words)
      .def("action_words", &View::action_words, "action"_a)
      .def("__str__", [](const View& self) { return self.hand().text(); })
      .def(
          "__eq__",
          [](const View& self, nb::handle other) {
            return nb::isinstance<View>(other) && self.seat() == nb::cast<const View&>(other).seat() &&
                   self.hand().rules() == nb::cast<const View&>(other).hand().rules() &&
                   self.key() == nb::cast<const View&>(other).key();
          },
          nb::is_operator(), "other"_a.none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const View& self) { return std::hash<std::string>()(self.key()) + self.seat(); });
  nb::class_<Hand> hand(m, "HoldemHand",
                        "A hand of hold'em. A step gives a new hand; this one stays as it is.");
  bind_shared(hand, [](const Hand& self) -> const Hand& { return self; });
  hand.def(
          "__init__", [](Hand* self, std::shared_ptr<Rules> rules) { new (self) Hand(std::move(rules)); },
          "rules"_a)
      .def(
          "__init__",
          [](Hand* self, std::shared_ptr<Rules> rules, const nb::bytes& cards) {
            new (self) Hand(std::move(rules), static_cast<const std::uint8_t*>(cards.data()), cards.size());
          },
          "rules"_a, "cards"_a,
          "With cards that lie in order, two for each seat in turn and then the board: dealt when due.")
      .def_static(
          "seeded",
          [](std::shared_ptr<Rules> rules, std::uint64_t seed, std::uint64_t number) {
            return Hand(std::move(rules), CounterRng(seed, number, 0));
          },
          "rules"_a, "seed"_a, "number"_a, "With cards in an order that depends on seed and number alone.")
      .def(
          "hole",
          [](const Hand& self, int seat) {
            want_seat(self, seat);
            const auto& card = self.state().card;
            return std::make_pair(int{card[2 * seat]}, int{card[2 * seat + 1]});
          },
          "seat"_a, "Two cards, 52 where unknown.")
      .def("child", &Hand::child, nb::sig("def child(self, action: int, /) -> HoldemHand"),
           "After a number of the menu, or a card where one is due.")
      .def("act", &Hand::with_action, "action"_a,
           "After -1 fold, 0 check or call, n bet or raise to n on this street.")
      .def(
          "deal",
          [](const Hand& self, const nb::bytes& cards) {
            return self.with_cards(static_cast<const std::uint8_t*>(cards.data()), cards.size());
          },
          "cards"_a, "After these cards; 52 for one that is not known.")
      .def(
          "show",
          [](const Hand& self, int seat, int low, int high) {
            want_seat(self, seat);
            return self.with_shown(seat, low, high);
          },
          "seat"_a, "low"_a, "high"_a, "With cards that were dealt face down known.")
      .def(
          "muck",
          [](const Hand& self, int seat) {
            want_seat(self, seat);
            return self.with_muck(seat);
          },
          "seat"_a, "Without the seat's claim to the pot, the betting being over.")
      .def(
          "chance",
          [](const Hand& self) {
            std::vector<std::pair<int, double>> outcomes;
            const auto left = self.cards_left();
            for (std::uint8_t card : left)
              outcomes.emplace_back(card, 1.0 / static_cast<double>(left.size()));
            return outcomes;
          },
          "The cards that may come, and their probabilities.")
      .def(
          "view",
          [](const Hand& self, int seat) {
            want_seat(self, seat);
            return View(self, seat);
          },
          "seat"_a)
      .def(
          "returns",
          [](const Hand& self) {
            std::vector<double> chips(static_cast<std::size_t>(self.rules().players));
            const auto won = self.payoff_parts(self.rules().odd);
            for (std::size_t i = 0; i < chips.size(); ++i) {
              chips[i] = static_cast<double>(won[i]) / static_cast<double>(kParts);
            }
            return chips;
          },
          "At the end, what each seat wins.")
      .def(
          "payoff_parts",
          [](const Hand& self, const std::string& odd) {
            return first(self.payoff_parts(odd.empty() ? self.rules().odd : odd_named(odd)),
                         self.rules().players);
          },
          "odd"_a = "",
          "The same in 1/2520 of a chip, exactly; odd chips by the rules, or `exact`, `seats` or `first`.")
      .def("__copy__", [](const Hand& self) { return self; })
      .def(
          "__deepcopy__", [](const Hand& self, nb::handle) { return self; }, "memo"_a)
      .def(
          "__eq__",
          [](const Hand& self, nb::handle other) {
            return nb::isinstance<Hand>(other) && self == nb::cast<const Hand&>(other);
          },
          nb::is_operator(), "other"_a.none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Hand& self) { return std::hash<std::string>()(self.text()); })
      .def(
          "__getstate__",
          [](const Hand& self) {
            const std::string saved = self.save();
            return std::make_tuple(std::const_pointer_cast<Rules>(self.shared_rules()),
                                   nb::bytes(saved.data(), saved.size()));
          },
          nb::sig("def __getstate__(self) -> tuple[HoldemRules, bytes]"))
      .def(
          "__setstate__",
          [](Hand& self, const std::tuple<std::shared_ptr<Rules>, nb::bytes>& state) {
            const auto& [rules, saved] = state;
            new (&self) Hand(Hand::load(rules, {saved.c_str(), saved.size()}));
          },
          nb::sig("def __setstate__(self, state: tuple[HoldemRules, bytes], /) -> None"))
      .def(
          "save",
          [](const Hand& self) {
            const std::string saved = self.save();
            return nb::bytes(saved.data(), saved.size());
          },
          "The whole hand, with cards that lie in order, as bytes.")
      .def_static(
          "load",
          [](std::shared_ptr<Rules> rules, const nb::bytes& saved) {
            return Hand::load(std::move(rules), {saved.c_str(), saved.size()});
          },
          "rules"_a, "saved"_a, "What `save` gave, as a hand again.")
      .def("__str__", &Hand::text);
  m.def(
      "holdem_perft",
      [](const Rules& rules) {
        Interrupt interrupt;
        NodeCounts counts;
        {
          nb::gil_scoped_release unlocked;
          counts = Perft(rules).count([&] { return interrupt.is_asked(); });
        }
        interrupt.raise();
        return first(counts, rules.streets);
      },
      "rules"_a, "Decision nodes of the betting tree on each street, with every size of bet.");
}

void bind_holdem(nb::module_& m) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const RuleError& error) {
      PyErr_SetString(nb::module_::import_("zerosum.errors").attr("RuleError").ptr(), error.what());
    }
  });
  bind_hand(m);
}

}  // namespace zerosum::bind
