// zerosum.native: flat trees and the solvers that see nothing else.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "compiled_tree.hpp"
#include "zerosum/cfr/sampled_solver.hpp"
#include "zerosum/cfr/sequence_form.hpp"
#include "zerosum/cfr/solver.hpp"
#include "zerosum/cfr/tree.hpp"
#include "zerosum/cfr/tree_match.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace nb::literals;
using namespace zerosum::cfr;

static const char* const kFaults[] = {"", "chance", "sum", "recall", "depth"};

static void bind_tree(nb::module_& m) {
  nb::class_<CompiledTree>(
      m, "Tree",
      "A game tree as flat arrays, with its sequence form. A sequence is one action of one "
      "information set; a profile is [sequences] probabilities.")
      .def(nb::init<int, const In<std::int32_t>&, const In<std::int32_t>&, const In<std::int32_t>&,
                    const In<std::int32_t>&, const In<std::int32_t>&, const In<double>&, const In<double>&,
                    const In<std::int32_t>&, const In<std::int32_t>&>(),
           "players"_a, "actor"_a, "index"_a, "first_child"_a, "children"_a, "action"_a, "probability"_a,
           "returns"_a, "owner"_a, "first"_a)
      .def_prop_ro(
          "fault",
          [](const CompiledTree& self) {
            return std::make_tuple(std::string(kFaults[static_cast<int>(self.fault.kind)]), self.fault.node,
                                   self.fault.got);
          },
          "(kind, node, got) of the first fault: 'chance', 'sum', 'recall', 'depth', or '' for none.")
      .def(
          "counterfactual_values",
          [](const CompiledTree& self, const In<double>& profile) {
            const double* probability = self.profile(profile);
            std::vector<double> value(self.tree->reaches());
            {
              nb::gil_scoped_release unlocked;
              counterfactual_values(*self.tree, *self.form, probability, value.data());
            }
            value.resize(self.tree->sequences());
            return to_numpy(std::move(value));
          },
          "profile"_a, "[sequences] probabilities -> [sequences] counterfactual values for the actor.")
      .def(
          "own_reaches",
          [](const CompiledTree& self, const In<double>& profile) {
            const double* probability = self.profile(profile);
            std::vector<double> reach(self.tree->reaches());
            own_reaches(*self.tree, probability, reach.data());
            reach.resize(self.tree->sequences());
            return to_numpy(std::move(reach));
          },
          "profile"_a, "[sequences] probabilities -> [sequences] how likely its owner is to play that far.")
      .def(
          "average",
          [](const CompiledTree& self, const In<double>& sum) {
            const double* weight = self.profile(sum);
            return to_numpy(behaviour(*self.tree, weight));
          },
          "sum"_a, "[sequences] summed reaches -> [sequences] the policy they stand for.")
      .def(
          "expected_values",
          [](const CompiledTree& self, const In<double>& profile) {
            const double* probability = self.profile(profile);
            std::vector<double> values(self.tree->players);
            {
              nb::gil_scoped_release unlocked;
              std::vector<double> reach(self.tree->reaches()), scratch(self.tree->reaches());
              own_reaches(*self.tree, probability, reach.data());
              for (int p = 0; p < self.tree->players; ++p) {
                values[p] = expected_value(self.form->payoffs[p], reach.data(), scratch.data());
              }
            }
            return to_numpy(std::move(values));
          },
          "profile"_a, "[sequences] probabilities -> [players] expected payoffs.")
      .def(
          "best_responses",
          [](const CompiledTree& self, const In<double>& profile) {
            const double* probability = self.profile(profile);
            std::vector<double> values(self.tree->players);
            std::vector<std::int32_t> choice(self.tree->infosets());
            {
              nb::gil_scoped_release unlocked;
              std::vector<double> reach(self.tree->reaches()), scratch(self.tree->reaches());
              own_reaches(*self.tree, probability, reach.data());
              for (int p = 0; p < self.tree->players; ++p) {
                values[p] =
                    best_response(*self.tree, *self.form, p, reach.data(), scratch.data(), choice.data());
              }
            }
            return std::make_pair(to_numpy(std::move(values)), to_numpy(std::move(choice)));
          },
          "profile"_a,
          "[sequences] probabilities -> ([players] best response values, [infosets] best sequences), each "
          "player "
          "alone against the rest of the profile.")
      .def(
          "match",
          [](const CompiledTree& self, const std::vector<In<double>>& profiles, const In<double>& reference,
             int labels, std::uint64_t seed, std::uint64_t first, std::size_t deals, std::size_t rotations,
             int threads) {
            const auto players = static_cast<std::size_t>(self.tree->players);
            want_size("profiles", profiles.size(), players);
            if (deals < 1 || rotations < 1 || rotations > players || threads < 1)
              throw std::invalid_argument(
                  "match: wanted deals, threads, and one to as many rotations as players");
            for (const Node& node : self.tree->nodes) {
              for (int k = 0; node.actor >= 0 && k < node.children; ++k) {
                if (self.tree->action[node.first_child + k] >= labels)
                  throw std::invalid_argument("match: an action has a larger number");
              }
            }
            std::vector<const double*> players_of;
            for (const auto& profile : profiles) players_of.push_back(self.profile(profile));
            const double* fixed = self.profile(reference);
            TreeMatch match;
            {
              nb::gil_scoped_release unlocked;
              match = play(*self.tree, players_of, node_values(*self.tree, fixed), labels, seed, first, deals,
                           rotations, threads);
            }
            const std::size_t hands = deals * rotations;
            return nb::make_tuple(
                to_numpy(std::move(match.won), {hands, players}),
                to_numpy(std::move(match.chance), {hands, players}),
                to_numpy(std::move(match.aivat), {hands, players}),
                to_numpy(std::move(match.actions), {players, static_cast<std::size_t>(labels)}));
          },
          "profiles"_a, "reference"_a, "labels"_a, "seed"_a, "first"_a, "deals"_a, "rotations"_a, "threads"_a,
          nb::sig("def match(self, profiles: collections.abc.Sequence[numpy.typing.NDArray[numpy.float64]], "
                  "reference: "
                  "numpy.typing.NDArray[numpy.float64], labels: int, seed: int, first: int, deals: int, "
                  "rotations: "
                  "int, threads: int) -> tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.int64]]"),
          "Hands between policies [sequences]: [hands, players] what each won, the same without the luck of "
          "chance, "
          "and by AIVAT with the values of `reference`; [players, labels] how often each action was chosen.");
}

static void bind_solver(nb::module_& m) {
  nb::class_<Solver>(m, "Solver", "The CFR family with full passes over the sequence form.")
      .def(
          "__init__",
          [](Solver* self, const CompiledTree& tree, double positive, double negative, double average,
             bool predictive, bool by_history) {
            if (!tree.form) throw std::invalid_argument("this tree has a fault");
            if (predictive && by_history)
              throw std::invalid_argument("no solver is both predictive and by history");
            new (self)
                Solver(tree.tree, tree.form, Discount{positive, negative, average, predictive, by_history});
          },
          "tree"_a, "positive"_a, "negative"_a, "average"_a, "predictive"_a, "by_history"_a)
      .def("run", &Solver::run, "iterations"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("iteration", [](const Solver& self) { return self.iteration; })
      .def("average_profile", [](const Solver& self) { return to_numpy(self.average_profile()); })
      .def(
          "state",
          [](const Solver& self) {
            nb::dict state;
            state["regret"] = to_numpy(self.regret);
            state["average"] = to_numpy(self.average);
            state["strategy"] = to_numpy(self.strategy);
            return std::make_pair(self.iteration, state);
          },
          nb::sig("def state(self) -> tuple[int, dict[str, numpy.typing.NDArray[numpy.float64]]]"))
      .def(
          "restore",
          [](Solver& self, std::int64_t iteration, const In<double>& regret, const In<double>& average,
             const In<double>& strategy) {
            want_size("regret", regret.size(), self.regret.size());
            want_size("average", average.size(), self.average.size());
            want_size("strategy", strategy.size(), self.strategy.size());
            self.iteration = iteration;
            self.regret = to_vector(regret);
            self.average = to_vector(average);
            self.strategy = to_vector(strategy);
          },
          "iteration"_a, "regret"_a, "average"_a, "strategy"_a);
}

static Sampling sampling_named(const std::string& name) {
  if (name == "external") return Sampling::kExternal;
  if (name == "outcome") return Sampling::kOutcome;
  if (name == "pcs") return Sampling::kPublicChance;
  throw std::invalid_argument("sampling: got " + name + ", wanted external, outcome or pcs");
}

static void bind_sampled_solver(nb::module_& m) {
  nb::class_<SampledSolver>(m, "SampledSolver", "Monte-Carlo CFR; the result does not depend on `threads`.")
      .def(
          "__init__",
          [](SampledSolver* self, const CompiledTree& tree, const std::string& sampling, std::uint64_t seed,
             int threads) {
            if (!tree.form) throw std::invalid_argument("this tree has a fault");
            new (self) SampledSolver(tree.tree, sampling_named(sampling), seed, threads);
          },
          "tree"_a, "sampling"_a, "seed"_a, "threads"_a)
      .def("run", &SampledSolver::run, "iterations"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("iteration", &SampledSolver::iteration)
      .def_prop_ro("batch", &SampledSolver::batch)
      .def("average_profile", [](const SampledSolver& self) { return to_numpy(self.average_profile()); })
      .def(
          "state",
          [](const SampledSolver& self) {
            nb::dict state;
            state["table"] = to_numpy(self.saved_table());
            return std::make_pair(self.saved_iteration(), state);
          },
          nb::sig("def state(self) -> tuple[int, dict[str, numpy.typing.NDArray[numpy.float64]]]"),
          "The last whole batch: its iteration and the table there.")
      .def(
          "restore",
          [](SampledSolver& self, std::int64_t iteration, const In<double>& table) {
            want_size("table", table.size(), self.table.size());
            self.restore(iteration, table.data());
          },
          "iteration"_a, "table"_a);
}

void bind_cfr(nb::module_& m) {
  bind_tree(m);
  bind_solver(m);
  bind_sampled_solver(m);
}

}  // namespace zerosum::bind
