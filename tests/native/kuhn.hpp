// A flat tree of Kuhn poker for the native tests, built by hand: the headers are tested without Python.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "zerosum/cfr/tree.hpp"

namespace zerosum::test {

struct Builder {
  cfr::Tree tree;
  std::map<std::pair<int, std::string>, int>
      numbers;  // (seat, view), sorted: player by player, parents first

  struct Todo {
    int node;
    std::vector<int> cards;
    std::string bets;
  };
  std::vector<Todo> stack{{0, {}, ""}};

  static int actor(const Todo& at) {
    if (at.cards.size() < 2) return cfr::kChance;
    for (const char* end : {"pp", "bp", "bb", "pbp", "pbb"}) {
      if (at.bets == end) return cfr::kTerminal;
    }
    return static_cast<int>(at.bets.size() % 2);
  }

  void add_children(const Todo& at, const std::vector<int>& labels, double probability) {
    cfr::Node& node = tree.nodes[at.node];
    node.first_child = static_cast<int>(tree.nodes.size());
    node.children = static_cast<int>(labels.size());
    const int first = node.first_child;
    for (int label : labels) {
      tree.nodes.push_back({});
      tree.action.push_back(label);
      tree.probability.push_back(probability);
    }
    for (int k = static_cast<int>(labels.size()) - 1; k >= 0; --k) {
      Todo next{first + k, at.cards, at.bets};
      if (at.cards.size() < 2) {
        next.cards.push_back(labels[k]);
      } else {
        next.bets += labels[k] == 0 ? 'p' : 'b';
      }
      stack.push_back(next);
    }
  }

  void visit(const Todo& at) {
    const int who = actor(at);
    tree.nodes[at.node].actor = who;
    if (who == cfr::kTerminal) {
      const double stake = at.bets == "pp" || at.bets == "bp" || at.bets == "pbp" ? 1.0 : 2.0;
      double won = at.cards[0] > at.cards[1] ? stake : -stake;
      if (at.bets == "bp") won = 1.0;
      if (at.bets == "pbp") won = -1.0;
      tree.nodes[at.node].index = static_cast<int>(tree.returns.size() / 2);
      tree.returns.insert(tree.returns.end(), {won, -won});
    } else if (who == cfr::kChance) {
      std::vector<int> left;
      for (int card = 0; card < 3; ++card) {
        if (at.cards.empty() || at.cards[0] != card) left.push_back(card);
      }
      add_children(at, left, 1.0 / static_cast<double>(left.size()));
    } else {
      const std::string view = std::string(1, static_cast<char>('0' + at.cards[who])) + at.bets;
      tree.nodes[at.node].index = numbers.emplace(std::make_pair(who, view), 0).first->second;
      seen.push_back({at.node, {who, view}});
      add_children(at, {0, 1}, 1.0);
    }
  }

  std::vector<std::pair<int, std::pair<int, std::string>>> seen;
};

inline std::shared_ptr<cfr::Tree> kuhn_tree() {
  Builder builder;
  builder.tree.players = 2;
  builder.tree.nodes.push_back({});
  builder.tree.action.push_back(-1);
  builder.tree.probability.push_back(1.0);
  while (!builder.stack.empty()) {
    const auto at = builder.stack.back();
    builder.stack.pop_back();
    builder.visit(at);
  }
  int count = 0;
  builder.tree.first.push_back(0);
  for (auto& [view, number] : builder.numbers) {
    number = count++;
    builder.tree.owner.push_back(view.first);
    builder.tree.first.push_back(2 * count);
  }
  for (const auto& [node, view] : builder.seen) builder.tree.nodes[node].index = builder.numbers[view];
  return std::make_shared<cfr::Tree>(std::move(builder.tree));
}

}  // namespace zerosum::test
