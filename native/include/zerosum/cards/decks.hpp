// Drawing without replacement from sixteen decks at once, one in each lane of a vector.
#pragma once

#include <array>
#include <cstdint>

#include "zerosum/cards/card.hpp"
#include "zerosum/cards/evaluate.hpp"
#include "zerosum/random.hpp"

namespace zerosum::cards {

// Card numbers, signed because AVX2 compares nothing else.
typedef std::int16_t CardLanes __attribute__((vector_size(32)));

// 1 << n for n from 0 to 15: the power of two is written as a float and converted.
ZEROSUM_INLINE Lanes shifted_one(CardLanes n) {
  typedef std::int32_t Wide __attribute__((vector_size(32)));
  typedef float Floats __attribute__((vector_size(32)));
  const Wide words = reinterpret_cast<Wide>(n);
  const auto power = [](Wide exponent) __attribute__((always_inline)) {
    return __builtin_convertvector(reinterpret_cast<Floats>((exponent + 127) << 23), Wide);
  };
  return reinterpret_cast<Lanes>(power(words & 0xffff) | (power(words >> 16) << 16));
}

// Four streams of xoshiro256++ (Blackman & Vigna 2021) side by side; where they start is drawn from a
// counter.
class LaneRng {
 public:
  typedef std::uint64_t Words __attribute__((vector_size(32)));

  ZEROSUM_INLINE explicit LaneRng(CounterRng start) {
    for (Words& part : state_) part = Words{start.bits(), start.bits(), start.bits(), start.bits()};
  }

  ZEROSUM_INLINE Words bits() {
    auto& [a, b, c, d] = state_;
    const Words sum = a + d, result = ((sum << 23) | (sum >> 41)) + a, shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 45) | (d >> 19);
    return result;
  }

 private:
  Words state_[4];
};

// What 2^16 leaves when divided by n.
inline constexpr std::array<std::uint16_t, kCards + 1> kLeftOf65536 = [] {
  std::array<std::uint16_t, kCards + 1> left{};
  for (int n = 1; n <= kCards; ++n) left[n] = static_cast<std::uint16_t>(65536 % n);
  return left;
}();

// Numbers below `size`, drawn without replacement in each lane.
class SixteenDraws {
 public:
  ZEROSUM_INLINE explicit SixteenDraws(int size) : size_(size) {}
  ZEROSUM_INLINE SixteenDraws(const SixteenDraws& other)
      : size_(other.size_), count_(other.count_), unfair_(other.unfair_) {
    for (int k = 0; k < count_; ++k) below_[k] = other.below_[k];
  }
  SixteenDraws& operator=(const SixteenDraws&) = delete;

  // Takes a number out of each lane's; numbers that are above all taken ones are cheaper.
  ZEROSUM_INLINE void take(CardLanes number) {
    CardLanes next = number - 1;
    for (int k = 0; k < count_; ++k) {
      const CardLanes here = below_[k];
      below_[k] = next < here ? next : here;
      next = next < here ? here : next;
    }
    below_[count_++] = next;
  }
  ZEROSUM_INLINE void take_above(CardLanes number) { below_[count_++] = number - 1; }

  // One of those left in each lane, where it stays: a number below how many are left, moved up past each
  // taken one. The draw is fair where the product's low half is not among the few that make 2^16 no multiple
  // of that (Lemire 2019); the caller asks is_fair() and starts again where it is not.
  ZEROSUM_INLINE CardLanes draw(LaneRng& rng) {
    typedef std::uint32_t Wide __attribute__((vector_size(32)));
    const std::uint32_t left = static_cast<std::uint32_t>(size_ - count_);
    const Wide bits = reinterpret_cast<Wide>(rng.bits());
    const Wide even = (bits & 0xffff) * left, odd = (bits >> 16) * left;
    const Lanes low = reinterpret_cast<Lanes>((even & 0xffff) | (odd << 16));
    unfair_ |= reinterpret_cast<Lanes>(low < kLeftOf65536[left]);
    return skip(reinterpret_cast<CardLanes>((even >> 16) | (odd & 0xffff0000)));
  }

  // The number-th of those left.
  ZEROSUM_INLINE CardLanes skip(CardLanes number) const {
    for (int k = 0; k < count_; ++k) number -= number > below_[k];
    return number;
  }

  ZEROSUM_INLINE bool is_fair() const {
    const LaneRng::Words any = reinterpret_cast<LaneRng::Words>(unfair_);
    return (any[0] | any[1] | any[2] | any[3]) == 0;
  }

 private:
  int size_, count_ = 0;
  CardLanes below_[32];  // [count] the numbers before the taken ones, in ascending order
  Lanes unfair_{};
};

}  // namespace zerosum::cards
