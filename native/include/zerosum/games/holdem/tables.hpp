// Thousands of tables that step together: an action for each in, rewards out. Cards come from the seed, the
// number of the table and the number of its hand, so that neither threads nor the order of tables shows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "zerosum/cards/shuffle.hpp"
#include "zerosum/games/holdem/menu.hpp"
#include "zerosum/games/holdem/payoffs.hpp"
#include "zerosum/games/holdem/state.hpp"
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
    offers_.resize(count * actions_);
    choices_.resize(count * actions_);
    counts_.resize(count);
    for (std::size_t t = 0; t < count; ++t) {
      new_hand(t);
      list(t);
    }
  }

  const Rules& rules() const { return *rules_; }
  std::size_t size() const { return tables_.size(); }
  std::size_t actions() const { return actions_; }
  const State& state(std::size_t t) const { return tables_[t].state; }
  bool offers(std::size_t t, std::size_t action) const {
    return action < actions() && offers_[t * actions_ + action] != kIllegal;
  }

  // One number of the menu for each table -> rewards [tables, players] in chips, which are not zero only
  // where a hand ended; such tables are dealt a new one. Returns the first table whose action is not offered
  // there (then nothing has changed), or size().
  std::size_t step(const std::int64_t* numbers, double* rewards, bool* over) {
    for (std::size_t t = 0; t < size(); ++t) {
      if (!offers(t, static_cast<std::size_t>(numbers[t]))) return t;
    }
    const auto players = static_cast<std::size_t>(rules_->players);
    std::fill(rewards, rewards + size() * players, 0.0);
    std::fill(over, over + size(), false);
    for_each_block([&](std::size_t from, std::size_t to) {
      step_block(
          from, to, [&](std::size_t t) { return static_cast<std::size_t>(numbers[t]); },
          [&](std::size_t t, std::size_t i, double won) { rewards[t * players + i] = won; },
          [&](std::size_t t) { over[t] = true; });
    });
    return size();
  }

  // One of the offered actions for each table, all alike.
  void sample(std::uint64_t seed, std::uint64_t round, std::int64_t* numbers) const {
    const CounterRng rng(seed, round, 0);
    for (std::size_t t = 0; t < size(); ++t) numbers[t] = static_cast<std::int64_t>(any_of(t, rng.at(t)));
  }

  // Several rounds of `sample` and `step` without leaving the tables -> the sum of rewards [tables, players],
  // and how many hands each table has ended.
  void play(std::uint64_t seed, std::uint64_t round, std::uint64_t rounds, double* rewards,
            std::int64_t* ended) {
    const auto players = static_cast<std::size_t>(rules_->players);
    for_each_block([&](std::size_t from, std::size_t to) {
      for (std::uint64_t k = 0; k < rounds; ++k) {
        const CounterRng rng(seed, round + k, 0);
        step_block(
            from, to, [&](std::size_t t) { return any_of(t, rng.at(t)); },
            [&](std::size_t t, std::size_t i, double won) { rewards[t * players + i] += won; },
            [&](std::size_t t) { ++ended[t]; });
      }
    });
  }

 private:
  static constexpr std::size_t kBlock = 64;  // tables that stay in the nearest cache

  struct Table {
    State state;
    std::uint64_t hand = 0;
  };

  struct Turn {
    Table* table;
    Chips action;
  };

  // Any of the actions that are offered.
  std::size_t any_of(std::size_t t, std::uint64_t bits) const {
    return choices_[t * actions_ + (((bits >> 32) * counts_[t]) >> 32)];
  }

  template <typename Work>
  void for_each_block(Work work) const {
    const std::size_t blocks = (size() + kBlock - 1) / kBlock,
                      threads = std::min(blocks, static_cast<std::size_t>(threads_));
    on_threads(static_cast<int>(threads), [&](int thread) {
      const auto k = static_cast<std::size_t>(thread);
      for (std::size_t b = blocks * k / threads; b < blocks * (k + 1) / threads; ++b)
        work(b * kBlock, std::min(size(), (b + 1) * kBlock));
    });
  }

  // Tables go through each part of a step together, those it concerns, so that one does as the last one did.
  template <typename Choose, typename Reward, typename End>
  void step_block(std::size_t from, std::size_t to, Choose choose, Reward reward, End end) {
    const Rules& rules = *rules_;
    std::array<Turn, kBlock> turns[3];  // folds, calls, raises
    std::array<std::size_t, 3> kinds{};
    std::array<Table*, kBlock> ended, over;
    std::size_t streets = 0, hands = 0;
    Table* table = &tables_[from];
    const Chips* offers = &offers_[from * actions_];
    for (std::size_t t = from; t < to; ++t, ++table, offers += actions_) {
      const std::size_t number = choose(t), kind = std::min<std::size_t>(number, kMenuSizes);
      turns[kind][kinds[kind]++] = {table, offers[number]};
    }
    for (std::size_t kind = 0; kind < 3; ++kind) {
      for (std::size_t k = 0; k < kinds[kind]; ++k) {
        const Turn turn = turns[kind][k];
        State& s = turn.table->state;
        bet(s, turn.action);
        ended[streets] = turn.table;
        streets += s.street_is_over();
        s.actor = next_actor(s);
      }
    }
    for (std::size_t k = 0; k < streets; ++k) {
      State& s = ended[k]->state;
      pass_on(rules, s);
      while (s.actor == kDeal) deal(rules, s, s.card[s.dealt]);
      over[hands] = ended[k];
      hands += s.actor == kOver;
    }
    for (std::size_t k = 0; k < hands; ++k) {
      const auto t = static_cast<std::size_t>(over[k] - tables_.data());
      const auto won = payoffs(rules, over[k]->state, rules.odd);
      for (std::size_t i = 0; i < static_cast<std::size_t>(rules.players); ++i)
        reward(t, i, static_cast<double>(won[i]) / static_cast<double>(kParts));
      end(t);
      new_hand(t);
    }
    for (std::size_t t = from; t < to; ++t) list(t);
  }

  void list(std::size_t t) {
    const State& s = tables_[t].state;
    const std::size_t row = t * actions_;
    counts_[t] = list_menu(*rules_, s, limits(*rules_, s), &offers_[row], &choices_[row]);
  }

  // Until the first decision hands differ by their cards alone.
  void new_hand(std::size_t t) {
    Table& table = tables_[t];
    table.state = first_;
    cards::shuffle(CounterRng(seed_, t, table.hand++), table.state.card.data(),
                   2 * rules_->players + kBoardCards[rules_->streets - 1]);
  }

  std::shared_ptr<const Rules> rules_;
  std::uint64_t seed_;
  int threads_;
  std::size_t actions_;
  State first_;  // the first decision, without cards
  std::vector<Table> tables_;
  std::vector<Chips> offers_;          // [tables, actions] the engine's action, or kIllegal
  std::vector<std::uint8_t> choices_;  // [tables, actions] the numbers that are offered, first
  std::vector<std::uint8_t> counts_;   // [tables] how many
};

}  // namespace zerosum::holdem
