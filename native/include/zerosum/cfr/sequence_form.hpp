// The sequence form (von Stengel 1996; Koller, Megiddo & von Stengel 1994): a player's strategy is a vector
// of reaches over its sequences, and the payoffs are one sparse array over tuples of sequences. What every
// sequence is worth to a player is then one sparse product, and a best response one pass from the leaves up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "zerosum/cfr/tree.hpp"

namespace zerosum::cfr {

// Player i's payoffs, a row for each of its sequences that ends a game: value(row) = sum over entries of
// weight * product of the opponents' reaches. Rows of equal length stand together, so that the product's
// inner loop has a predictable length.
struct Payoffs {
  struct Group {
    int rows;
    int length;
  };
  int opponents = 1;
  std::vector<Group> groups;
  std::vector<std::int32_t> row;    // [rows] the player's sequence
  std::vector<std::int32_t> other;  // [entries, opponents] the opponents' sequences
  std::vector<double> weight;       // [entries] chance probability times payoff
};

namespace detail {

// One player's payoff entries before they are grouped: sorted by own sequence, equal tuples merged.
struct Entries {
  int width;                      // 1 + opponents; own sequence first
  std::vector<std::int32_t> key;  // [entries, width]
  std::vector<double> weight;     // [entries]

  void sort_and_merge() {
    std::vector<std::uint32_t> order(weight.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto tuple = [&](std::uint32_t e) { return key.data() + std::size_t(e) * width; };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(tuple(a), tuple(a) + width, tuple(b), tuple(b) + width);
    });
    Entries merged{width, {}, {}};
    for (std::uint32_t e : order) {
      const bool same =
          !merged.weight.empty() && std::equal(tuple(e), tuple(e) + width, merged.key.end() - width);
      if (same) {
        merged.weight.back() += weight[e];
      } else {
        merged.key.insert(merged.key.end(), tuple(e), tuple(e) + width);
        merged.weight.push_back(weight[e]);
      }
    }
    *this = std::move(merged);
  }
};

inline Payoffs group_by_length(const Entries& entries) {
  struct Run {
    std::size_t from;
    int length;
  };
  std::vector<Run> runs;
  for (std::size_t e = 0; e < entries.weight.size(); ++e) {
    const bool same =
        !runs.empty() && entries.key[e * entries.width] == entries.key[runs.back().from * entries.width];
    if (same) {
      ++runs.back().length;
    } else {
      runs.push_back({e, 1});
    }
  }
  std::stable_sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.length < b.length; });
  Payoffs payoffs;
  payoffs.opponents = entries.width - 1;
  for (const Run& run : runs) {
    if (payoffs.groups.empty() || payoffs.groups.back().length != run.length)
      payoffs.groups.push_back({0, run.length});
    ++payoffs.groups.back().rows;
    payoffs.row.push_back(entries.key[run.from * entries.width]);
    for (std::size_t e = run.from; e < run.from + run.length; ++e) {
      const auto* key = entries.key.data() + e * entries.width;
      payoffs.other.insert(payoffs.other.end(), key + 1, key + entries.width);
      payoffs.weight.push_back(entries.weight[e]);
    }
  }
  return payoffs;
}

}  // namespace detail

struct SequenceForm {
  std::vector<Payoffs> payoffs;  // [players]

  explicit SequenceForm(const Tree& tree) {
    std::vector<detail::Entries> entries(tree.players, {tree.players, {}, {}});
    for_each_node(tree, [&](int id, const std::int32_t* last, double reach) {
      const Node& node = tree.nodes[id];
      if (node.actor != kTerminal || reach == 0.0) return;
      for (int p = 0; p < tree.players; ++p) {
        const double payoff = tree.returns[std::size_t(node.index) * tree.players + p];
        if (payoff == 0.0) continue;
        entries[p].key.push_back(last[p]);
        for (int q = 0; q < tree.players; ++q) {
          if (q != p) entries[p].key.push_back(last[q]);
        }
        entries[p].weight.push_back(reach * payoff);
      }
    });
    for (auto& mine : entries) {
      mine.sort_and_merge();
      payoffs.push_back(detail::group_by_length(mine));
      mine = {};
    }
  }
};

namespace detail {

template <typename Opponents>
void leaf_values(const Payoffs& payoffs, Opponents opponents, const double* reach, double* value) {
  const std::int32_t* row = payoffs.row.data();
  const std::int32_t* other = payoffs.other.data();
  const double* weight = payoffs.weight.data();
  const auto term = [&](int e) {
    double product = weight[e] * reach[other[e * opponents]];
    for (int k = 1; k < opponents; ++k) product *= reach[other[e * opponents + k]];
    return product;
  };
  for (const auto& group : payoffs.groups) {
    with_fixed(group.length, [&](auto length) {
      for (int r = 0; r < group.rows; ++r, weight += length, other += length * opponents) {
        double even = 0.0, odd = 0.0;  // two sums, so that long rows do not wait for each addition
        for (int e = 0; e + 1 < length; e += 2) {
          even += term(e);
          odd += term(e + 1);
        }
        value[*row++] = even + odd + (length % 2 == 1 ? term(length - 1) : 0.0);
      }
    });
  }
}

}  // namespace detail

// value[s] = what player's sequence s earns directly at the leaves it ends at, given everyone's reaches.
inline void leaf_values(const Payoffs& payoffs, const double* reach, double* value) {
  if (payoffs.opponents == 1) {
    detail::leaf_values(payoffs, std::integral_constant<int, 1>{}, reach, value);
  } else {
    detail::leaf_values(payoffs, payoffs.opponents, reach, value);
  }
}

// [sequences] behaviour probabilities -> [reaches] products of a player's own probabilities along its
// sequences.
inline void own_reaches(const Tree& tree, const double* probability, double* reach) {
  for (int p = 0; p < tree.players; ++p) reach[tree.empty_sequence(p)] = 1.0;
  for (int i = 0; i < tree.infosets(); ++i) {
    const double before = reach[tree.parent[i]];
    for (int s = tree.first[i]; s < tree.first[i + 1]; ++s) reach[s] = before * probability[s];
  }
}

// From the leaves up, player's value of every sequence when fold(infoset, size, values of its actions) says
// what an information set is worth. `value` is [reaches]; the game's value stands at the player's empty
// sequence.
template <typename Fold>
void values_upward(const Tree& tree, const SequenceForm& form, int player, const double* reach, double* value,
                   Fold fold) {
  const int from = tree.owned_from[player], to = tree.owned_from[player + 1];
  if (from < to) std::fill(value + tree.first[from], value + tree.first[to], 0.0);
  value[tree.empty_sequence(player)] = 0.0;
  leaf_values(form.payoffs[player], reach, value);
  const auto& runs = tree.runs[player];
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    with_fixed(run->actions, [&](auto size) {
      for (int k = run->to - 1; k >= run->from; --k) {
        const int i = tree.order[k];
        value[tree.parent[i]] += fold(i, size, value + tree.first[i]);
      }
    });
  }
}

// Counterfactual value of every sequence of every player under a profile; value is [reaches].
inline void counterfactual_values(const Tree& tree, const SequenceForm& form, const double* probability,
                                  double* value) {
  std::vector<double> reach(tree.reaches());
  own_reaches(tree, probability, reach.data());
  for (int p = 0; p < tree.players; ++p) {
    values_upward(tree, form, p, reach.data(), value, [&](int i, auto size, const double* v) {
      double sum = 0.0;
      for (int a = 0; a < size; ++a) sum += probability[tree.first[i] + a] * v[a];
      return sum;
    });
  }
}

// The best a player can do against the others' reaches. Where `choice` is given, it gets the best sequence of
// each of the player's information sets (the first of equals).
inline double best_response(const Tree& tree, const SequenceForm& form, int player, const double* reach,
                            double* value, std::int32_t* choice = nullptr) {
  values_upward(tree, form, player, reach, value, [&](int i, auto size, const double* v) {
    int best = 0;
    double most = v[0];
    for (int a = 1; a < size; ++a) {
      best = v[a] > most ? a : best;
      most = v[a] > most ? v[a] : most;
    }
    if (choice != nullptr) choice[i] = tree.first[i] + best;
    return most;
  });
  return value[tree.empty_sequence(player)];
}

// What a player gets when everyone follows the reaches.
inline double expected_value(const Payoffs& payoffs, const double* reach, double* value) {
  leaf_values(payoffs, reach, value);
  double sum = 0.0;
  for (std::int32_t s : payoffs.row) sum += reach[s] * value[s];
  return sum;
}

// [sequences] summed reaches -> [sequences] probabilities; uniform where the player never came.
inline std::vector<double> behaviour(const Tree& tree, const double* summed) {
  std::vector<double> probability(tree.sequences());
  for (int i = 0; i < tree.infosets(); ++i) {
    double total = 0.0;
    for (int s = tree.first[i]; s < tree.first[i + 1]; ++s) total += summed[s];
    for (int s = tree.first[i]; s < tree.first[i + 1]; ++s) {
      probability[s] = total > 0.0 ? summed[s] / total : 1.0 / tree.actions(i);
    }
  }
  return probability;
}

}  // namespace zerosum::cfr
