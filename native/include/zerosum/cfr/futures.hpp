// Histories with the same future: from there on the same players decide, knowing the same, between the same
// ends. Hands that differ only in suits are such, so what was learnt about one of them is known of all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "zerosum/cfr/tree.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cfr {

// [nodes] a number for each future, from 0 on. `situation` [infosets] tells which information sets are one to
// their owner. Futures are told apart by 64-bit hashes.
inline std::vector<std::int32_t> number_futures(const Tree& tree, const std::int32_t* situation) {
  const auto mix = [](std::uint64_t hash, std::uint64_t more) {
    return mix64(hash + 0x9e3779b97f4a7c15ULL + mix64(more));
  };
  const auto bits = [](double number) {
    std::uint64_t found;
    std::memcpy(&found, &number, sizeof found);
    return found;
  };
  std::vector<std::uint64_t> hash(tree.nodes.size());
  std::vector<std::uint64_t> below;
  for (std::size_t n = tree.nodes.size(); n-- > 0;) {
    const Node& node = tree.nodes[n];
    std::uint64_t sum = mix(0, static_cast<std::uint64_t>(node.actor + 2));
    if (node.actor == kTerminal) {
      for (int p = 0; p < tree.players; ++p) {
        sum = mix(sum, bits(tree.returns[std::size_t(node.index) * tree.players + p]));
      }
    } else {
      below.assign(static_cast<std::size_t>(node.children), 0);
      for (int k = 0; k < node.children; ++k) {
        const int child = node.first_child + k;
        const auto label = static_cast<std::uint64_t>(tree.action[child]);
        below[k] = mix(hash[child], node.actor == kChance ? bits(tree.probability[child]) : label);
      }
      if (node.actor == kChance) std::sort(below.begin(), below.end());
      if (node.actor >= 0) sum = mix(sum, static_cast<std::uint64_t>(situation[node.index]));
      for (const std::uint64_t part : below) sum = mix(sum, part);
    }
    hash[n] = sum;
  }
  std::unordered_map<std::uint64_t, std::int32_t> numbers;
  std::vector<std::int32_t> future(tree.nodes.size());
  for (std::size_t n = 0; n < future.size(); ++n) {
    future[n] = numbers.try_emplace(hash[n], static_cast<std::int32_t>(numbers.size())).first->second;
  }
  return future;
}

}  // namespace zerosum::cfr
