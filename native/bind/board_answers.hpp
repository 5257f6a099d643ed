// A Gomoku network in native code as Python asks it: planes in, probabilities and values out, on a few
// threads.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "zerosum/crew.hpp"

namespace zerosum::bind {

namespace nb = nanobind;

template <int kDims>
using Floats = nb::ndarray<const float, nb::ndim<kDims>, nb::c_contig, nb::device::cpu>;
using Told = nb::ndarray<nb::numpy, float>;

inline Told told(std::unique_ptr<float[]> values, std::initializer_list<std::size_t> shape) {
  float* kept = values.release();
  nb::capsule owner(kept, [](void* p) noexcept { delete[] static_cast<float*>(p); });
  return Told(kept, shape.size(), shape.begin(), owner);
}

// Planes [B, 3, h, w] -> probabilities [B, h·w] and values [B]. Each thread of a crew calls
// some(planes, rows, shares, values) for a few rows at a time.
template <typename Some>
std::pair<Told, Told> answered(const Floats<4>& planes, Crew& crew, std::mutex& asking, std::size_t at_once,
                               Some some) {
  const std::size_t rows = planes.shape(0), cells = planes.shape(2) * planes.shape(3);
  if (planes.shape(1) != 3) throw nb::value_error("wanted three planes of a board");
  auto shares = std::make_unique<float[]>(rows * cells);
  auto values = std::make_unique<float[]>(rows);
  {
    nb::gil_scoped_release released;
    const std::size_t share = (rows + crew.size() - 1) / crew.size();
    const std::size_t few = std::max<std::size_t>(1, std::min(at_once, share));
    const auto part = [&](std::size_t first, std::size_t step) {
      for (std::size_t r = first * few; r < rows; r += step * few)
        some(planes.data() + 3 * cells * r, static_cast<int>(std::min(few, rows - r)),
             shares.get() + cells * r, values.get() + r);
    };
    if (crew.size() == 1 || rows < 4) {
      part(0, 1);
    } else {
      std::lock_guard<std::mutex> held(asking);
      crew.run([&](int thread) { part(thread, crew.size()); });
    }
  }
  return {told(std::move(shares), {rows, cells}), told(std::move(values), {rows})};
}

}  // namespace zerosum::bind
