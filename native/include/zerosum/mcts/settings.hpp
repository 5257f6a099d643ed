// How a search goes about it.
#pragma once

#include <cstdint>

namespace zerosum::mcts {

enum class Root : int { puct = 0, gumbel = 1 };
enum class Symmetry : int { none = 0, random = 1, all = 2 };  // in which of them a network sees a position

struct Settings {
  float exploration = 1.0f;       // c of PUCT
  bool unvisited_parent = false;  // moves not tried yet count as much as their parent, not as 0 ...
  float unvisited_less = 0.0f;    // ... less this
  bool prove = true;              // wins and losses that are certain are backed up as such
  int forced_nodes = 0;           // of a search for continuous fours at each new position
  int threat_nodes = 0;           // of a search for wins by threats, at the root and after each of its moves
  Root root = Root::puct;
  int considered = 16;         // moves that Gumbel's root looks at
  float visit_offset = 50.0f;  // of Gumbel's transformation of values
  float value_scale = 1.0f;
  Symmetry symmetry = Symmetry::none;
  std::uint64_t seed = 0;
};

}  // namespace zerosum::mcts
