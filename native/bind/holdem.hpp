// What the bindings of hold'em share.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "zerosum/games/holdem/hand.hpp"

namespace zerosum::bind {

// The first so many values, as a list.
template <typename T, std::size_t kSize>
std::vector<T> first(const std::array<T, kSize>& values, int count) {
  return {values.begin(), values.begin() + count};
}

inline holdem::OddChips odd_named(const std::string& name) {
  if (name == "exact") return holdem::OddChips::kExact;
  if (name == "seats") return holdem::OddChips::kSeats;
  if (name == "first") return holdem::OddChips::kFirst;
  throw holdem::RuleError("odd chips: got '" + name + "', wanted exact, seats or first");
}

}  // namespace zerosum::bind
