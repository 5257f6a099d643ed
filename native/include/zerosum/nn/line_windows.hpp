// What a Gomoku network is told about lines, as in networks/line_windows.py: `line` channels for each side
// and direction, in which a window that the side can still fill counts max(0, stones - step), step = -1 ..
// line - 2, divided by `line`, for every cell it lies in.
#pragma once

#include <algorithm>
#include <cstddef>

namespace zerosum::nn {

inline constexpr int kWays[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

inline int line_channels(int line) { return 2 * 4 * line; }

// Planes [2 or more, height, width] of the stones of either side; cell (row, column) of `to` begins at
// to[row * line_step + column * cell_step], zeros before.
inline void line_windows(const float* planes, int height, int width, int line, float* to,
                         std::size_t line_step, std::size_t cell_step) {
  const int cells = height * width;
  for (int way = 0; way < 4; ++way) {
    const int down = kWays[way][0], right = kWays[way][1], reach = line - 1;
    const int first = right < 0 ? reach : 0, last = right > 0 ? width - reach : width;
    for (int row = 0; row + down * reach < height; ++row)
      for (int column = first; column < last; ++column)
        for (int side = 0; side < 2; ++side) {
          int stones = 0, others = 0;
          for (int k = 0, cell = row * width + column; k < line; ++k, cell += down * width + right) {
            stones += planes[side * cells + cell] != 0.0f;
            others += planes[(1 - side) * cells + cell] != 0.0f;
          }
          if (others > 0) continue;
          float* at = to + row * line_step + column * cell_step + std::size_t(4 * side + way) * line;
          const std::ptrdiff_t step = std::ptrdiff_t(down * line_step) + right * std::ptrdiff_t(cell_step);
          for (int k = 0; k < line; ++k, at += step)
            for (int less = 0; less < std::min(line, stones + 1); ++less)
              at[less] += static_cast<float>(stones + 1 - less) / static_cast<float>(line);
        }
  }
}

}  // namespace zerosum::nn
