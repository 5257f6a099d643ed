// Counter-based random numbers: the n-th draw is a pure function of (key, n), so a walk's luck depends on its
// key alone and never on which thread ran it (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2,
// 3"; the mixing function is SplitMix64's, Steele, Lea & Flood 2014).
#pragma once

#include <cstdint>

namespace zerosum {

inline std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Uniform on [0, 1), 53 bits.
inline double unit(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

class CounterRng {
 public:
  CounterRng(std::uint64_t seed, std::uint64_t iteration, std::uint64_t player, std::uint64_t stream = 0)
      : key_(mix64(mix64(mix64(mix64(seed + kGolden) + iteration) + player) + stream)) {}

  std::uint64_t bits() { return mix64(key_ + kGolden * ++counter_); }

  // The n-th draw, whatever was drawn before.
  std::uint64_t at(std::uint64_t n) const { return mix64(key_ + kGolden * (n + 1)); }

  double uniform() { return unit(bits()); }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace zerosum
