// What the bindings of six-max rows share.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "arrays.hpp"
#include "zerosum/games/holdem/sixmax.hpp"

namespace zerosum::bind {

namespace nb = nanobind;
using namespace zerosum::holdem;

// [rows, 184], without a copy.
inline Out<std::uint8_t> as_bytes(std::vector<SixMaxRow> rows) {
  auto owned = std::make_unique<std::vector<SixMaxRow>>(std::move(rows));
  const std::size_t count = owned->size();
  auto* data = reinterpret_cast<std::uint8_t*>(owned->data());
  nb::capsule owner(owned.release(),
                    [](void* p) noexcept { delete static_cast<std::vector<SixMaxRow>*>(p); });
  return Out<std::uint8_t>(data, {count, sizeof(SixMaxRow)}, owner);
}

}  // namespace zerosum::bind
