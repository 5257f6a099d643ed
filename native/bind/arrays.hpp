// numpy in, numpy out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace zerosum::bind {

namespace nb = nanobind;

template <typename T>
using In = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
using In2 = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename T>
using Out = nb::ndarray<T, nb::numpy, nb::c_contig, nb::device::cpu>;

template <typename T>
std::vector<T> to_vector(const In<T>& array) {
  return std::vector<T>(array.data(), array.data() + array.size());
}

// Hands a vector's memory to numpy.
template <typename T>
Out<T> to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(data, shape, owner);
}

template <typename T>
Out<T> to_numpy(std::vector<T> values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

// A vector of bools has no array to hand over.
inline Out<bool> bools_to_numpy(std::unique_ptr<bool[]> values, std::initializer_list<std::size_t> shape) {
  bool* data = values.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  return Out<bool>(data, shape, owner);
}

inline void want_size(const char* name, std::size_t got, std::size_t wanted) {
  if (got != wanted) {
    throw std::invalid_argument(std::string(name) + ": got " + std::to_string(got) + " numbers, wanted " +
                                std::to_string(wanted));
  }
}

}  // namespace zerosum::bind
