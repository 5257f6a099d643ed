// Leaves as a network sees them, and its answers as a tree wants them.
#pragma once

#include <algorithm>
#include <vector>

#include "zerosum/mcts/tree.hpp"

namespace zerosum::mcts {

// How many times a network looks at each leaf.
inline int looks(const gomoku::Lines& lines, const Settings& settings) {
  return settings.symmetry == Symmetry::all ? static_cast<int>(lines.symmetries.size()) : 1;
}

// Writes planes [looks, 3, cells]: own stones, the other's, and ones throughout when the first player moves.
inline void write_planes(const gomoku::Lines& lines, const Settings& settings, const Leaf& leaf,
                         float* planes) {
  int cells = lines.rules.cells(), times = looks(lines, settings);
  for (int look = 0; look < times; ++look, planes += 3 * cells) {
    const auto& to = lines.symmetries[times > 1 ? look : leaf.symmetry];
    std::fill(planes, planes + 2 * cells, 0.0f);
    std::fill(planes + 2 * cells, planes + 3 * cells, leaf.black ? 1.0f : 0.0f);
    leaf.stones[0].for_each([&](int cell) { planes[to[cell]] = 1; });
    leaf.stones[1].for_each([&](int cell) { planes[cells + to[cell]] = 1; });
  }
}

// An answer as a tree wants it: answers [looks, cells] and [looks] turned back, and their mean.
struct Turned {
  const float* probabilities;
  float value;
};

inline Turned turned_back(const gomoku::Lines& lines, const Settings& settings, const Leaf& leaf,
                          const float* probabilities, const float* values, std::vector<float>& room) {
  int cells = lines.rules.cells(), times = looks(lines, settings);
  if (times == 1 && leaf.symmetry == 0) return {probabilities, values[0]};
  room.assign(cells, 0.0f);
  float value = 0;
  for (int look = 0; look < times; ++look, probabilities += cells) {
    const auto& to = lines.symmetries[times > 1 ? look : leaf.symmetry];
    for (int cell = 0; cell < cells; ++cell)
      room[cell] += probabilities[to[cell]] / static_cast<float>(times);
    value += values[look] / static_cast<float>(times);
  }
  return {room.data(), value};
}

}  // namespace zerosum::mcts
