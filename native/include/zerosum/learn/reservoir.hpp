// Reservoir sampling (Vitter 1985, algorithm R): after n samples each is in the buffer with probability
// capacity / n. The decision on the n-th sample is a function of (seed, stream, n), so it is the same however
// the samples arrive.
#pragma once

#include <cstdint>
#include <vector>

#include "zerosum/random.hpp"

namespace zerosum::learn {

// Uniform on 0 .. n - 1 (Lemire 2019, without its rejection: the bias is below n / 2^64).
inline std::uint64_t below(std::uint64_t bits, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits) * n) >> 64);
}

// Samples seen .. seen + count - 1 arrive: which of them (counted from 0) go to which slots, in their order.
// A slot may come twice; the later sample stays.
inline void reservoir(std::uint64_t seed, std::uint64_t stream, std::uint64_t seen, std::uint64_t count,
                      std::uint64_t capacity, std::vector<std::int64_t>& rows,
                      std::vector<std::int64_t>& slots) {
  const CounterRng rng(seed, stream, 0);
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t n = seen + k;
    const std::uint64_t slot = n < capacity ? n : below(rng.at(n), n + 1);
    if (slot >= capacity) continue;
    rows.push_back(static_cast<std::int64_t>(k));
    slots.push_back(static_cast<std::int64_t>(slot));
  }
}

}  // namespace zerosum::learn
