// External sampling of heads-up hold'em with many hands at once: a walk is one board and the same betting for
// all hands of both seats. At the traverser's turns every action is tried (Lanctot et al. 2009). At the
// other's one is drawn, as often as its hands together take it and the more often the larger the pot; each
// hand's weight is then how likely it is to come here, over how likely that was. Actions after which little
// can happen are all looked at: those that end the hand, and all-ins, which leave two answers. So a regret is
// a mean over the other seat's hands, where a walk with one hand would hang on it (public chance sampling,
// Johanson et al. 2012, does the same with tables).
//
// Luck that can be named is taken out: where nobody can bet any more, a hand is worth its equity; a board
// that comes before changes the equity, by something whose mean is nothing (as in AIVAT, Burch et al. 2018);
// and where the other seat's action is drawn, what each would be worth if nobody bet after it is a baseline
// (Schmid et al. 2019).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "zerosum/games/holdem/heads_up.hpp"
#include "zerosum/games/holdem/heads_up_deal.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/state.hpp"
#include "zerosum/random.hpp"

namespace zerosum::holdem {

// Rows of a network: which cards, and at which node.
struct HandsAsked {
  std::vector<std::int32_t> cards, node;
};

// What walks found. Rows are [actions] wide; what is not legal is zero.
struct HandsFound {
  HandsAsked own;                // the traverser's decisions
  std::vector<double> regret;    // [own, actions] in big blinds
  std::vector<float> weight;     // [own] how likely the other seat is to come here
  HandsAsked others;             // some of the other seat's decisions, each as often as its hand is likely
  std::vector<double> strategy;  // [others, actions]
  std::vector<float>
      others_weight;  // [others] how likely its hands are to come here, over how likely the walk was
};

class HeadsUpWalk {
 public:
  static constexpr int kWidest = 8;

  // A place in the betting, the same for all hands.
  struct Node {
    State table;
    BettingHistory history;
    std::array<std::uint8_t, kWidest> offered{};
    std::uint8_t count = 0;
    std::int8_t all_in = -1;  // the street on which betting ended for good, before the river
    std::array<double, HeadsUpDeal::kStreets>
        luck{};  // what is taken out: so many chips times each street's share
    std::uint64_t key = 0;
    std::int32_t deal = 0;
    std::array<std::int32_t, kWidest> child{};  // the node after each action; 0 where there is none
    std::int8_t drawn = -1;                     // the action that was drawn of several, if one was
    std::int32_t reach = -1;                    // where the other seat's weights are: [hands]
    std::int32_t strategy = -1;                 // [hands, count]
    std::int32_t value = -1;                    // [hands] to the traverser's hands
  };

  HeadsUpWalk(const Rules& rules, int traverser, int hands)
      : rules_(rules),
        traverser_(traverser),
        hands_(static_cast<std::size_t>(hands)),
        actions_(rules.menu.actions()),
        unit_(static_cast<double>(*std::max_element(rules.blinds.begin(), rules.blinds.end()))) {}

  void begin(std::uint64_t key) {
    Node first;
    first.key = key;
    first.table = start(rules_);
    first.deal = static_cast<std::int32_t>(deals_.size());
    const HeadsUpDeal& deal = deals_.emplace_back(key, static_cast<int>(hands_), traverser_);
    for (int k = 0; k < 9; ++k) first.table.card[static_cast<std::size_t>(k)] = deal.card(k);
    first.reach = room(hands_, 1.0);
    settle(first);
    nodes_.push_back(first);
  }

  // Goes on until every walk has ended or needs an answer; the hands that need one. A hand of the other seat
  // that cannot be here is not asked.
  const HandsAsked& advance() {
    asked_.cards.clear();
    asked_.node.clear();
    for (; next_ < nodes_.size(); ++next_) {
      const Node& node = nodes_[next_];
      if (node.table.actor < 0) continue;
      for (std::size_t hand = 0; hand < hands_; ++hand) {
        if (node.table.actor != traverser_ && at(node.reach)[hand] == 0.0) continue;
        asked_.cards.push_back(card_row(node, hand));
        asked_.node.push_back(static_cast<std::int32_t>(next_));
      }
    }
    return asked_;
  }

  // Strategies [asked, actions] for what `advance` told, in its order.
  void answer(const double* strategy) {
    const HandsAsked asked = asked_;
    decisions_ += static_cast<std::int64_t>(asked.node.size());
    for (std::size_t row = 0; row < asked.node.size();) {
      const std::int32_t id = asked.node[row];
      const std::size_t count = nodes_[id].count;
      const std::int32_t place = room(hands_ * count, 0.0);
      nodes_[id].strategy = place;
      const std::int32_t first = card_row(nodes_[id], 0);
      for (; row < asked.node.size() && asked.node[row] == id; ++row) {
        double* shares = at(place) + static_cast<std::size_t>(asked.cards[row] - first) * count;
        for (std::size_t k = 0; k < count; ++k)
          shares[k] = strategy[row * static_cast<std::size_t>(actions_) + nodes_[id].offered[k]];
      }
      if (nodes_[id].table.actor == traverser_)
        try_all(id);
      else
        draw_one(id);
    }
  }

  // Once all walks have ended: values from the leaves up, and what is to be learnt from them. Of each of the
  // other seat's decisions so many hands are told.
  HandsFound finish(std::size_t told) {
    HandsFound found;
    for (std::size_t id = nodes_.size(); id-- > 0;) {
      Node& node = nodes_[id];
      node.value = room(hands_, 0.0);
      if (node.table.actor == kOver) {
        add_worth(node, ended(node), at(node.reach), at(node.value), 1.0);
      } else if (node.table.actor == traverser_) {
        tried(static_cast<std::int32_t>(id), found);
      } else {
        answered(node);
        tell_others(static_cast<std::int32_t>(id), told, found);
      }
    }
    return found;
  }

  const Node& node(std::int32_t id) const { return nodes_[static_cast<std::size_t>(id)]; }
  const std::vector<HeadsUpDeal>& deals() const { return deals_; }
  int actions() const { return actions_; }
  std::int64_t decisions() const { return decisions_; }

 private:
  // What a path is worth to the traverser against one hand: chips, and chips times its share on each street.
  struct Worth {
    double chips = 0.0;
    std::array<double, HeadsUpDeal::kStreets> share{};
  };

  double* at(std::int32_t place) { return pool_.data() + place; }
  std::int32_t room(std::size_t count, double value) {
    const auto place = static_cast<std::int32_t>(pool_.size());
    pool_.resize(pool_.size() + count, value);
    return place;
  }
  std::int32_t card_row(const Node& node, std::size_t hand) const {
    const int street = (node.deal * 2 + node.table.actor) * HeadsUpDeal::kStreets + node.table.street;
    return street * static_cast<std::int32_t>(hands_) + static_cast<std::int32_t>(hand);
  }

  Node below(const Node& from, std::size_t k) const {
    Node next = from;
    const Chips action = menu_action(rules_, from.table, limits(rules_, from.table), from.offered[k]);
    next.history.add(from.table, action);
    act(rules_, next.table, action);
    next.key = mix64(from.key + 0x9e3779b97f4a7c15ULL * (k + 1));
    next.child.fill(0);
    next.drawn = -1;
    next.strategy = -1;
    settle(next);
    return next;
  }

  void add_child(std::int32_t id, std::size_t k, Node next, std::int32_t reach) {
    next.reach = reach;
    nodes_[id].child[k] = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back(next);
  }

  void try_all(std::int32_t id) {
    for (std::size_t k = 0; k < nodes_[id].count; ++k)
      add_child(id, k, below(nodes_[id], k), nodes_[id].reach);
  }

  // Draws one of the actions after which much can happen, and looks at every all-in; what ends the hand needs
  // no node.
  void draw_one(std::int32_t id) {
    const std::size_t count = nodes_[id].count;
    std::array<double, kWidest> often{};  // of what is drawn from: how likely, times the pot
    double whole = 0.0;
    std::size_t last = kWidest;
    int several = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Node next = below(nodes_[id], k);
      const double taken = taken_by_all(nodes_[id], k);
      if (taken == 0.0 || next.table.actor == kOver) continue;
      if ((next.table.able >> nodes_[id].table.actor & 1) == 0) {
        add_child(id, k, next, reach_after(id, k, 1.0));
        continue;
      }
      often[k] = taken * static_cast<double>(next.table.pot);
      whole += often[k];
      last = k;
      ++several;
    }
    if (several == 0) return;
    const double point = whole * unit(mix64(nodes_[id].key));
    std::size_t k = 0;
    for (double sum = often[0]; k < last && point >= sum;) sum += often[++k];
    if (several > 1) nodes_[id].drawn = static_cast<std::int8_t>(k);
    add_child(id, k, below(nodes_[id], k), reach_after(id, k, whole / often[k]));
  }

  double taken_by_all(const Node& node, std::size_t k) const {
    const double *reach = pool_.data() + node.reach, *shares = pool_.data() + node.strategy;
    double sum = 0.0;
    for (std::size_t hand = 0; hand < hands_; ++hand) sum += reach[hand] * shares[hand * node.count + k];
    return sum;
  }

  std::int32_t reach_after(std::int32_t id, std::size_t k, double times) {
    const std::int32_t after = room(hands_, 0.0);
    write_reach(nodes_[id], k, times, at(after));
    return after;
  }
  void write_reach(const Node& node, std::size_t k, double times, double* after) const {
    const double *reach = pool_.data() + node.reach, *shares = pool_.data() + node.strategy;
    for (std::size_t hand = 0; hand < hands_; ++hand)
      after[hand] = reach[hand] * shares[hand * node.count + k] * times;
  }

  // Where a path is at its end.
  Worth ended(const Node& node) const {
    if (node.table.one_left()) {
      Worth worth = without_luck(node);
      worth.chips += node.table.is_in(traverser_) ? static_cast<double>(node.table.pot) : 0.0;
      return worth;
    }
    return kept(node, node.all_in >= 0 ? node.all_in : 3);
  }
  // If the pot is shared by the equity on a street.
  Worth kept(const Node& node, int street) const {
    Worth worth = without_luck(node);
    worth.share[static_cast<std::size_t>(street)] += static_cast<double>(node.table.pot);
    return worth;
  }
  Worth without_luck(const Node& node) const {
    Worth worth;
    worth.chips = -static_cast<double>(node.table.put(rules_, traverser_));
    for (std::size_t k = 0; k < worth.share.size(); ++k) worth.share[k] = -node.luck[k];
    return worth;
  }

  // Adds `times` what it is worth to each hand, in big blinds, against hands of these weights.
  void add_worth(const Node& node, const Worth& worth, const double* weights, double* values, double times) {
    const HeadsUpDeal& deal = deals_[static_cast<std::size_t>(node.deal)];
    add_product(deal.meets(), worth.chips * times, weights, values);
    for (int street = 0; street < HeadsUpDeal::kStreets; ++street)
      add_product(deal.share(street), worth.share[static_cast<std::size_t>(street)] * times, weights, values);
  }
  void add_product(const double* matrix, double chips, const double* weights, double* values) const {
    if (chips == 0.0) return;
    for (std::size_t i = 0; i < hands_; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < hands_; ++j) sum += matrix[i * hands_ + j] * weights[j];
      values[i] += sum * (chips / unit_);
    }
  }

  // What was looked at, and of what one was drawn from: what all are expected to be worth, corrected by how
  // wrong that was of this one.
  void answered(const Node& node) {
    double* values = at(node.value);
    weights_.resize(hands_);
    for (std::size_t k = 0; k < node.count; ++k) {
      const Node* child = node.child[k] > 0 ? &nodes_[static_cast<std::size_t>(node.child[k])] : nullptr;
      if (child != nullptr) {
        const double* found = at(child->value);
        for (std::size_t hand = 0; hand < hands_; ++hand) values[hand] += found[hand];
        if (node.drawn != static_cast<int>(k)) continue;
        add_worth(*child, kept(*child, child->table.street), at(child->reach), values, -1.0);
      }
      if (taken_by_all(node, k) == 0.0) continue;
      const Node next = below(node, k);
      write_reach(node, k, 1.0, weights_.data());
      add_worth(next, next.table.actor == kOver ? ended(next) : kept(next, next.table.street),
                weights_.data(), values, 1.0);
    }
  }

  // Every action was tried.
  void tried(std::int32_t id, HandsFound& found) {
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    const double *shares = at(node.strategy), *reach = at(node.reach);
    const double* meets = deals_[static_cast<std::size_t>(node.deal)].meets();
    for (std::size_t hand = 0; hand < hands_; ++hand) {
      std::array<double, kWidest> worth{};
      double value = 0.0, likely = 0.0;
      for (std::size_t k = 0; k < node.count; ++k) {
        worth[k] = at(nodes_[static_cast<std::size_t>(node.child[k])].value)[hand];
        value += shares[hand * node.count + k] * worth[k];
      }
      at(node.value)[hand] = value;
      for (std::size_t j = 0; j < hands_; ++j) likely += meets[hand * hands_ + j] * reach[j];
      const double weight = kept_weight(likely, node.key + hand);
      if (weight == 0.0) continue;
      add_row(found.own, id, hand);
      found.weight.push_back(static_cast<float>(weight));
      double* row = widen(found.regret);
      for (std::size_t k = 0; k < node.count; ++k) row[node.offered[k]] = (worth[k] - value) / likely;
    }
  }

  void tell_others(std::int32_t id, std::size_t told, HandsFound& found) {
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    const double *reach = at(node.reach), *shares = at(node.strategy);
    double whole = 0.0, sum = 0.0;
    for (std::size_t hand = 0; hand < hands_; ++hand) whole += reach[hand];
    const double weight = kept_weight(whole / static_cast<double>(hands_), node.key + hands_);
    if (weight == 0.0) return;
    const double first = unit(mix64(node.key + 1));
    std::size_t next = 0;  // draws at equal distances: each hand is told as often as it is likely
    for (std::size_t hand = 0; hand < hands_; ++hand) {
      sum += reach[hand];
      for (; next < told && (static_cast<double>(next) + first) * whole < sum * static_cast<double>(told);
           ++next) {
        add_row(found.others, id, hand);
        found.others_weight.push_back(static_cast<float>(weight));
        double* row = widen(found.strategy);
        for (std::size_t k = 0; k < node.count; ++k) row[node.offered[k]] = shares[hand * node.count + k];
      }
    }
  }

  // Rows that count for little are kept now and then, and then count for more.
  static double kept_weight(double weight, std::uint64_t key) {
    if (weight >= kLeast) return weight;
    return unit(mix64(mix64(key) + 7)) * kLeast < weight ? kLeast : 0.0;
  }

  void add_row(HandsAsked& rows, std::int32_t id, std::size_t hand) const {
    rows.cards.push_back(card_row(nodes_[static_cast<std::size_t>(id)], hand));
    rows.node.push_back(id);
  }
  double* widen(std::vector<double>& rows) const {
    rows.resize(rows.size() + static_cast<std::size_t>(actions_), 0.0);
    return rows.data() + rows.size() - actions_;
  }

  // A board that comes while both can still bet is luck; what it changes is noted to be taken out.
  void settle(Node& node) const {
    State& table = node.table;
    if (table.actor == kDeal && table.street > 0) {
      if (table.run_out) {
        node.all_in = static_cast<std::int8_t>(table.street - 1);
      } else {
        node.luck[table.street] += static_cast<double>(table.pot);
        node.luck[static_cast<std::size_t>(table.street - 1)] -= static_cast<double>(table.pot);
      }
    }
    while (table.actor == kDeal) deal(rules_, table, table.card[table.dealt]);
    node.count = 0;
    if (table.actor < 0) return;
    std::array<Chips, kMostActions> amounts;
    std::array<std::uint8_t, kMostActions + 1> offered;
    node.count = list_menu(rules_, table, limits(rules_, table), amounts.data(), offered.data());
    std::copy_n(offered.begin(), node.count, node.offered.begin());
  }

  static constexpr double kLeast = 0.1;  // that a row counts

  const Rules& rules_;
  const int traverser_;
  const std::size_t hands_;
  const int actions_;
  const double unit_;
  std::vector<HeadsUpDeal> deals_;
  std::vector<Node> nodes_;
  std::vector<double> pool_, weights_;
  HandsAsked asked_;
  std::size_t next_ = 0;
  std::int64_t decisions_ = 0;
};

}  // namespace zerosum::holdem
