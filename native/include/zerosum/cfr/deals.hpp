// Where every chance event of a game is a fair draw, and the k-th of them has the same number of outcomes
// whatever was played, the deals can be numbered: a deal is one outcome of each event. A block of walks that
// takes each number once has no luck of the deal left.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "zerosum/cfr/tree.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cfr {

// How many deals there are, or 0 where they cannot be numbered.
inline std::uint64_t count_deals(const Tree& tree) {
  constexpr std::uint64_t kMost = 1u << 30;
  std::vector<std::int32_t> events(tree.nodes.size(), 0), outcomes;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Node& node = tree.nodes[n];
    const bool chance = node.actor == kChance;
    if (chance) {
      const auto event = static_cast<std::size_t>(events[n]);
      if (event == outcomes.size()) outcomes.push_back(node.children);
      if (node.index != 1 || event > outcomes.size() || outcomes[event] != node.children) return 0;
    }
    for (int k = 0; k < node.children; ++k) events[node.first_child + k] = events[n] + (chance ? 1 : 0);
  }
  std::uint64_t deals = 1;
  for (const std::int32_t count : outcomes) {
    deals *= static_cast<std::uint64_t>(count);
    if (deals > kMost) return 0;
  }
  return deals;
}

// The deal of the n-th walk of all: each block of `deals` walks takes every deal once, in an order of its
// own.
inline std::uint64_t deal_of(std::uint64_t n, std::uint64_t deals, std::uint64_t seed, int traverser) {
  const CounterRng rng(seed, n / deals, static_cast<std::uint64_t>(traverser), ~std::uint64_t{0});
  std::uint64_t step = rng.at(0) % deals;
  while (std::gcd(step, deals) != 1) step = (step + 1) % deals;
  return (n % deals * step + rng.at(1) % deals) % deals;
}

}  // namespace zerosum::cfr
