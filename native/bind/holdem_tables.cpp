// zerosum.native: many hold'em tables that step together.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "zerosum/games/holdem/hand.hpp"
#include "zerosum/games/holdem/tables.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::holdem;

template <typename T, typename Get>
static Out<T> gather(const Tables& tables, std::size_t width, Get get) {
  std::vector<T> values(tables.size() * width);
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (std::size_t k = 0; k < width; ++k) values[t * width + k] = static_cast<T>(get(tables.state(t), k));
  }
  return to_numpy(std::move(values), {tables.size(), width});
}

template <typename T, typename Get>
static Out<T> gather_one(const Tables& tables, Get get) {
  std::vector<T> values(tables.size());
  for (std::size_t t = 0; t < tables.size(); ++t) values[t] = static_cast<T>(get(tables.state(t)));
  return to_numpy(std::move(values));
}

void bind_holdem_tables(nb::module_& m) {
  nb::class_<Tables>(m, "HoldemTables",
                     "Many tables that step together; a hand that ends is followed by the next.")
      .def(
          "__init__",
          [](Tables* self, std::shared_ptr<Rules> rules, std::size_t count, std::uint64_t seed, int threads) {
            State s = start(*rules);
            while (s.actor == kDeal) deal(*rules, s, kNoCard);
            if (s.actor == kOver) throw RuleError("tables: the blinds leave nobody anything to decide");
            if (count < 1 || threads < 1) throw RuleError("tables: wanted at least one table and one thread");
            new (self) Tables(std::move(rules), count, seed, threads);
          },
          "rules"_a, "count"_a, "seed"_a, "threads"_a = 1)
      .def("__len__", &Tables::size)
      .def(
          "step",
          [](Tables& self, const In<std::int64_t>& actions) {
            want_size("actions", actions.size(), self.size());
            const auto players = static_cast<std::size_t>(self.rules().players);
            std::vector<double> rewards(self.size() * players);
            auto over = std::make_unique<bool[]>(self.size());
            std::size_t done;
            {
              nb::gil_scoped_release unlocked;
              done = self.step(actions.data(), rewards.data(), over.get());
            }
            if (done != self.size()) {
              std::string offered;
              for (std::size_t a = 0; a < self.actions(); ++a) {
                if (self.offers(done, a)) offered += (offered.empty() ? "" : ", ") + std::to_string(a);
              }
              throw RuleError("table " + std::to_string(done) + ": action " +
                              std::to_string(actions.data()[done]) + " is not offered there, wanted one of " +
                              offered);
            }
            return std::make_pair(to_numpy(std::move(rewards), {self.size(), players}),
                                  bools_to_numpy(std::move(over), {self.size()}));
          },
          "actions"_a,
          "[T] numbers of the menu -> [T, players] rewards in chips, [T] whether the hand ended.")
      .def(
          "sample",
          [](const Tables& self, std::uint64_t seed, std::uint64_t round) {
            std::vector<std::int64_t> actions(self.size());
            {
              nb::gil_scoped_release unlocked;
              self.sample(seed, round, actions.data());
            }
            return to_numpy(std::move(actions));
          },
          "seed"_a, "round"_a, "[T] one of the offered actions each, all alike.")
      .def(
          "play",
          [](Tables& self, std::uint64_t seed, std::uint64_t round, std::uint64_t rounds) {
            const auto players = static_cast<std::size_t>(self.rules().players);
            std::vector<double> rewards(self.size() * players);
            std::vector<std::int64_t> ended(self.size());
            while (rounds > 0) {  // in parts, between which Ctrl-C is heard
              const std::uint64_t part = std::min<std::uint64_t>(rounds, 1 + 20'000'000 / self.size());
              {
                nb::gil_scoped_release unlocked;
                self.play(seed, round, part, rewards.data(), ended.data());
              }
              if (PyErr_CheckSignals() != 0) throw nb::python_error();
              round += part;
              rounds -= part;
            }
            return std::make_pair(to_numpy(std::move(rewards), {self.size(), players}),
                                  to_numpy(std::move(ended)));
          },
          "seed"_a, "round"_a, "rounds"_a,
          "Random play: what so many rounds of `sample` and `step` lead to, in one call -> [T, players] the "
          "sum of "
          "rewards, [T] hands ended.")
      .def_prop_ro(
          "legal",
          [](const Tables& self) {
            auto mask = std::make_unique<bool[]>(self.size() * self.actions());
            for (std::size_t t = 0; t < self.size(); ++t) {
              for (std::size_t a = 0; a < self.actions(); ++a)
                mask[t * self.actions() + a] = self.offers(t, a);
            }
            return bools_to_numpy(std::move(mask), {self.size(), self.actions()});
          },
          "[T, actions] what is offered.", nb::rv_policy::move)
      .def_prop_ro(
          "actor",
          [](const Tables& self) {
            return gather_one<std::int8_t>(self, [](const State& s) { return s.actor; });
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "street",
          [](const Tables& self) {
            return gather_one<std::int8_t>(self, [](const State& s) { return s.street; });
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "stacks",
          [](const Tables& self) {
            return gather<Chips>(self, static_cast<std::size_t>(self.rules().players),
                                 [](const State& s, std::size_t k) { return s.stack[k]; });
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "bets",
          [](const Tables& self) {
            return gather<Chips>(self, static_cast<std::size_t>(self.rules().players),
                                 [](const State& s, std::size_t k) { return s.bet[k]; });
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "invested",
          [](const Tables& self) {
            return gather<Chips>(
                self, static_cast<std::size_t>(self.rules().players),
                [&](const State& s, std::size_t k) { return s.put(self.rules(), static_cast<int>(k)); });
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "folded",
          [](const Tables& self) {
            return gather<std::uint8_t>(
                self, static_cast<std::size_t>(self.rules().players),
                [](const State& s, std::size_t k) { return !s.is_in(static_cast<int>(k)); });
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "board",
          [](const Tables& self) {
            return gather<std::uint8_t>(self, 5, [&](const State& s, std::size_t k) {
              return s.board(self.rules(), static_cast<int>(k));
            });
          },
          "[T, 5] cards, 52 where none.", nb::rv_policy::move)
      .def_prop_ro(
          "hole",
          [](const Tables& self) {
            return gather<std::uint8_t>(self, 2, [](const State& s, std::size_t k) {
              return s.card[static_cast<std::size_t>(2 * s.actor) + k];
            });
          },
          "[T, 2] the cards of the seat to act.", nb::rv_policy::move);
}

}  // namespace zerosum::bind
