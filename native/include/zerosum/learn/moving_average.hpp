// Moving averages in a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace zerosum::learn {

// Moves numbers of a table [size] towards values [count], one after the other.
inline void moving_average(double* table, std::size_t size, const std::int64_t* slots, const double* values,
                           std::size_t count, double rate) {
  for (std::size_t k = 0; k < count; ++k) {
    if (slots[k] < 0 || slots[k] >= static_cast<std::int64_t>(size))
      throw std::invalid_argument("slots: outside the table");
    table[slots[k]] += rate * (values[k] - table[slots[k]]);
  }
}

}  // namespace zerosum::learn
