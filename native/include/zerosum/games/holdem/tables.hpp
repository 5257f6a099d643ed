// Thousands of tables that step together: an action for each in, rewards out. Cards come from the seed, the
// number of the table and the number of its hand, so that neither threads nor the order of tables shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "zerosum/games/holdem/hand.hpp"
#include "zerosum/random.hpp"
#include "zerosum/threads.hpp"

namespace zerosum::holdem {

class Tables {
 public:
  Tables(std::shared_ptr<const Rules> rules, std::size_t count, std::uint64_t seed, int threads)
      : rules_(std::move(rules)),
        seed_(seed),
        threads_(threads),
        actions_(static_cast<std::size_t>(rules_->menu.actions())),
        tables_(count) {
    first_ = start(*rules_);
    while (first_.actor == kDeal) deal(*rules_, first_, kNoCard);
    offers_.resize(count * actions());
    first_offers_.resize(actions());
    masks_.resize(count);
    first_mask_ = list(first_, first_offers_.data());
    for_each([&](std::size_t t) { new_hand(t); });
  }

  const Rules& rules() const { return *rules_; }
  std::size_t size() const { return tables_.size(); }
  std::size_t actions() const { return actions_; }
  const State& state(std::size_t t) const { return tables_[t].state; }
  bool offers(std::size_t t, std::size_t action) const { return masks_[t] >> action & 1; }

  // One number of the menu for each table -> rewards [tables, players] in chips, which are not zero only
  // where a hand ended; such tables are dealt a new one. Returns the first table whose action is not offered
  // there (then nothing has changed), or size().
  std::size_t step(const std::int64_t* numbers, double* rewards, bool* over) {
    for (std::size_t t = 0; t < size(); ++t) {
      const auto number = static_cast<std::size_t>(numbers[t]);
      if (number >= actions() || !offers(t, number)) return t;
    }
    const auto players = static_cast<std::size_t>(rules_->players);
    for_each([&](std::size_t t) {
      Table& table = tables_[t];
      act(*rules_, table.state, offers_[t * actions() + static_cast<std::size_t>(numbers[t])]);
      deal_on(table);
      double* row = rewards + t * players;
      over[t] = table.state.actor == kOver;
      if (!over[t]) {
        for (std::size_t i = 0; i < players; ++i) row[i] = 0.0;
        masks_[t] = list(table.state, offers_.data() + t * actions());
        return;
      }
      const auto won = payoffs(*rules_, table.state, rules_->odd);
      for (std::size_t i = 0; i < players; ++i)
        row[i] = static_cast<double>(won[i]) / static_cast<double>(kParts);
      new_hand(t);
    });
    return size();
  }

  // One of the offered actions for each table, all alike.
  void sample(std::uint64_t seed, std::uint64_t round, std::int64_t* numbers) const {
    const CounterRng rng(seed, round, 0);
    for_each([&](std::size_t t) {
      std::uint32_t offered = masks_[t], count = 0;
      for (std::uint32_t left = offered; left != 0; left &= left - 1) ++count;
      std::uint64_t skip = ((rng.at(t) >> 32) * count) >> 32;
      for (; skip > 0; --skip) offered &= offered - 1;
      numbers[t] = __builtin_ctz(offered);
    });
  }

 private:
  struct Table {
    State state;
    std::uint64_t hand = 0;
    std::uint64_t dealt = 0;  // a bit for each card
    CounterRng rng{0, 0, 0};
  };

  template <typename Work>
  void for_each(Work work) const {
    on_threads(threads_, [&](int thread) {
      const std::size_t from = size() * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads_),
                        to = size() * static_cast<std::size_t>(thread + 1) /
                             static_cast<std::size_t>(threads_);
      for (std::size_t t = from; t < to; ++t) work(t);
    });
  }

  // Until the first decision hands differ by their cards alone.
  void new_hand(std::size_t t) {
    Table& table = tables_[t];
    table.rng = CounterRng(seed_, t, table.hand++);
    table.state = first_;
    table.dealt = 0;
    for (int k = 0; k < first_.dealt; ++k) {
      (k < 2 * rules_->players ? table.state.hole[k] : table.state.board[k - 2 * rules_->players]) =
          draw(table);
    }
    std::copy(first_offers_.begin(), first_offers_.end(),
              offers_.begin() + static_cast<std::ptrdiff_t>(t * actions()));
    masks_[t] = first_mask_;
  }

  void deal_on(Table& table) const {
    while (table.state.actor == kDeal) deal(*rules_, table.state, draw(table));
  }

  static std::uint8_t draw(Table& table) {
    for (;;) {
      const auto card = static_cast<std::uint8_t>(((table.rng.bits() >> 32) * cards::kCards) >> 32);
      if (table.dealt >> card & 1) continue;
      table.dealt |= std::uint64_t{1} << card;
      return card;
    }
  }

  // What each number of the menu means at the table now.
  std::uint32_t list(const State& state, Chips* offers) const {
    const Limits may = limits(*rules_, state);
    std::uint32_t mask = 0;
    for (std::size_t a = 0; a < actions(); ++a) {
      offers[a] = menu_action(*rules_, state, may, static_cast<int>(a));
      mask |= static_cast<std::uint32_t>(offers[a] != kIllegal) << a;
    }
    return mask;
  }

  std::shared_ptr<const Rules> rules_;
  std::uint64_t seed_;
  int threads_;
  std::size_t actions_;
  State first_;  // the first decision, without cards
  std::vector<Chips> first_offers_;
  std::vector<Table> tables_;
  std::uint32_t first_mask_ = 0;
  std::vector<std::uint32_t> masks_;  // [tables] a bit for each action that is offered
  std::vector<Chips> offers_;         // [tables, actions] the engine's action, or kIllegal
};

}  // namespace zerosum::holdem
