// A range of hands, from which one is drawn at the cost of one multiplication and one look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "zerosum/cards/card.hpp"

namespace zerosum::cards {

// Hands and how much each weighs.
using WeightedHands = std::vector<std::pair<int, std::uint64_t>>;

// A player's hands, drawn by Walker's alias method (1977): one slot at random, which stands for itself below
// its limit and for another hand above.
class Seat {
 public:
  explicit Seat(const WeightedHands& weighted) {
    const std::uint64_t count = weighted.size();
    std::uint64_t total = 0;
    for (const auto& [hand, weight] : weighted) total += weight;
    std::vector<std::uint64_t> left;  // scaled by count: a slot holds total
    std::vector<std::size_t> small, large;
    for (const auto& [hand, weight] : weighted) {
      const auto itself = static_cast<std::uint16_t>(hand);
      slots_.push_back({~std::uint32_t{0}, itself, itself});
      left.push_back(weight * count);
      (left.back() < total ? small : large).push_back(left.size() - 1);
    }
    while (!small.empty() && !large.empty()) {
      const std::size_t poor = small.back(), rich = large.back();
      small.pop_back();
      slots_[poor].limit = static_cast<std::uint32_t>((left[poor] << 32) / total);
      slots_[poor].other = slots_[rich].hand;
      left[rich] -= total - left[poor];
      if (left[rich] < total) {
        large.pop_back();
        small.push_back(rich);
      }
    }
  }

  bool is_random() const { return slots_.empty(); }
  std::uint16_t first() const { return slots_[0].hand; }
  // From 32 random bits: which slot they fall into, and how far.
  ZEROSUM_INLINE std::uint16_t draw(std::uint32_t bits) const {
    const std::uint64_t place = bits * std::uint64_t{slots_.size()};
    const Slot& slot = slots_[place >> 32];
    const std::uint32_t above = static_cast<std::uint32_t>(place) >= slot.limit;
    const std::uint32_t hand = slot.hand ^ ((slot.hand ^ slot.other) & (0 - above));  // `?:` may branch
    return static_cast<std::uint16_t>(hand);
  }

 private:
  struct Slot {
    std::uint32_t limit;  // out of 2^32
    std::uint16_t hand, other;
  };
  std::vector<Slot> slots_;  // none: any two cards
};

}  // namespace zerosum::cards
