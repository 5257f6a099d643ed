// Which chance events every player sees. Two nodes belong to one public state when some player, now or later,
// cannot tell them apart; a chance event is public when its outcomes lead to different public states.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "zerosum/cfr/tree.hpp"

namespace zerosum::cfr {

struct PublicChance {
  std::vector<std::int32_t> group;  // [nodes] the public event a chance node belongs to, else -1
  std::vector<std::vector<std::int32_t>> labels;  // [groups] the outcomes that some node of the event allows

  explicit PublicChance(const Tree& tree) : group(tree.nodes.size(), -1) {
    const int count = static_cast<int>(tree.nodes.size());
    std::vector<std::int32_t> parent(count, -1), depth(count, 0), joined(count);
    for (int n = 0; n < count; ++n) {
      for (int k = 0; k < tree.nodes[n].children; ++k) {
        parent[tree.nodes[n].first_child + k] = n;
        depth[tree.nodes[n].first_child + k] = depth[n] + 1;
      }
    }
    std::iota(joined.begin(), joined.end(), 0);
    const auto find = [&](int n) {
      while (joined[n] != n) n = joined[n] = joined[joined[n]];
      return n;
    };
    std::vector<std::int32_t> member(tree.infosets(), -1);
    for (int n = 0; n < count; ++n) {
      if (tree.nodes[n].actor < 0) continue;
      int a = n, b = member[tree.nodes[n].index];
      if (b < 0) {
        member[tree.nodes[n].index] = n;
        continue;
      }
      for (; a >= 0 && b >= 0 && find(a) != find(b); a = parent[a], b = parent[b]) joined[find(a)] = find(b);
    }
    number_groups(tree, depth, find);
  }

 private:
  // An event counts as public when its nodes stand at one depth (so that no game meets it twice) and no
  // public state is reached by two of its outcomes. All others are left to be enumerated, which is always
  // right.
  template <typename Find>
  void number_groups(const Tree& tree, const std::vector<std::int32_t>& depth, Find find) {
    struct Event {
      std::vector<std::int32_t> nodes;
      std::map<std::int32_t, std::int32_t> outcome_of;  // public state after it -> outcome
      std::set<std::int32_t> labels;
      bool is_public = true;
    };
    std::map<std::int32_t, Event> events;
    for (int n = 0; n < static_cast<int>(tree.nodes.size()); ++n) {
      if (tree.nodes[n].actor != kChance) continue;
      Event& event = events[find(n)];
      if (!event.nodes.empty() && depth[event.nodes.front()] != depth[n]) event.is_public = false;
      event.nodes.push_back(n);
      for (int k = 0; k < tree.nodes[n].children; ++k) {
        const int child = tree.nodes[n].first_child + k;
        const auto [known, is_new] = event.outcome_of.emplace(find(child), tree.action[child]);
        if (!is_new && known->second != tree.action[child]) event.is_public = false;
        event.labels.insert(tree.action[child]);
      }
    }
    for (const auto& [root, event] : events) {
      if (!event.is_public) continue;
      for (std::int32_t n : event.nodes) group[n] = static_cast<std::int32_t>(labels.size());
      labels.emplace_back(event.labels.begin(), event.labels.end());
    }
  }
};

}  // namespace zerosum::cfr
