// Answers of a network, by position. A newer answer takes the place of the one whose slot it needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace zerosum::mcts {

class Cache {
 public:
  // 2^bits answers about so many cells; none at all for bits = 0.
  Cache(int bits, int cells)
      : cells_(cells),
        mask_(bits == 0 ? 0 : (std::uint64_t(1) << bits) - 1),
        slots_(bits == 0 ? 0 : mask_ + 1),
        rows_(new float[slots_.size() * static_cast<std::size_t>(cells)]) {}

  // The probabilities of all cells, or nullptr.
  const float* find(std::uint64_t key, float* value) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[key & mask_];
    if (!slot.used || slot.key != key) return nullptr;
    *value = slot.value;
    return &rows_[(key & mask_) * cells_];
  }

  void put(std::uint64_t key, const float* probabilities, float value) {
    if (slots_.empty()) return;
    slots_[key & mask_] = {key, value, true};
    std::copy(probabilities, probabilities + cells_, &rows_[(key & mask_) * cells_]);
  }

  void clear() { std::fill(slots_.begin(), slots_.end(), Slot{}); }

 private:
  struct Slot {
    std::uint64_t key = 0;
    float value = 0;
    bool used = false;
  };
  int cells_;
  std::uint64_t mask_;
  std::vector<Slot> slots_;
  std::unique_ptr<float[]> rows_;  // not written before it is used: a new search must not wait for it
};

}  // namespace zerosum::mcts
