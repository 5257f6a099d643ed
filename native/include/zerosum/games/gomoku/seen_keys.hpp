// Positions that were looked at already, by their keys: a small table that forgets all at once, and an old
// key where a new one needs its place.
#pragma once

#include <array>
#include <cstdint>

namespace zerosum::gomoku {

class SeenKeys {
 public:
  // Keys of different turns do not look alike, except by a chance that 64 bits leave.
  void clear() { turn_ += 0x9e3779b97f4a7c15ULL; }
  void add(std::uint64_t key) { kept_[place(key)] = key ^ turn_; }
  bool has(std::uint64_t key) const { return kept_[place(key)] == (key ^ turn_); }

 private:
  static constexpr int kBits = 10;
  static std::size_t place(std::uint64_t key) { return key >> (64 - kBits); }

  std::uint64_t turn_ = 0x9e3779b97f4a7c15ULL;
  std::array<std::uint64_t, 1 << kBits> kept_{};
};

}  // namespace zerosum::gomoku
