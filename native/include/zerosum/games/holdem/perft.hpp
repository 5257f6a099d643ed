// The betting tree counted: decision nodes on each street, with every size of bet.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>

#include "zerosum/games/holdem/state.hpp"

namespace zerosum::holdem {

using NodeCounts = std::array<std::uint64_t, kMostStreets>;

class Perft {
 public:
  explicit Perft(const Rules& rules) : rules_(rules) {}

  // `is_stopped` is asked now and then; what is counted then is of no use.
  template <typename IsStopped>
  NodeCounts count(IsStopped is_stopped) {
    State s = start(rules_);
    pass_deals(s);
    return below(s, is_stopped);
  }

 private:
  // Cards do not matter here.
  void pass_deals(State& s) const {
    while (s.actor == kDeal) deal(rules_, s, kNoCard);
  }

  // The same chips with the same rights to act have the same tree below: counted once.
  template <typename IsStopped>
  NodeCounts below(const State& s, IsStopped& is_stopped) {
    NodeCounts counts{};
    if (s.actor == kOver || stopped_) return counts;
    if ((++visited_ & 0xffff) == 0) stopped_ = is_stopped();
    const auto key = std::make_tuple(s.stack, s.bet, s.last_raise, s.short_raises,
                                     std::make_tuple(s.in, s.waiting, s.acted, s.actor, s.street, s.raises));
    if (const auto seen = seen_.find(key); seen != seen_.end()) return seen->second;
    ++counts[s.street];
    const Limits may = limits(rules_, s);
    const auto add = [&](Chips action) {
      State next = s;
      act(rules_, next, action);
      pass_deals(next);
      const NodeCounts more = below(next, is_stopped);
      for (int k = 0; k < kMostStreets; ++k) counts[k] += more[k];
    };
    if (may.fold) add(kFold);
    add(kCall);
    for (Chips to = may.low; may.raise && to <= may.high; ++to) add(to);
    seen_.emplace(key, counts);
    return counts;
  }

  using Key = std::tuple<
      std::array<Chips, kMostSeats>, std::array<Chips, kMostSeats>, Chips, Chips,
      std::tuple<std::uint16_t, std::uint16_t, std::uint16_t, std::int8_t, std::uint8_t, std::uint8_t>>;
  const Rules& rules_;
  std::uint64_t visited_ = 0;
  bool stopped_ = false;
  std::map<Key, NodeCounts> seen_;
};

}  // namespace zerosum::holdem
