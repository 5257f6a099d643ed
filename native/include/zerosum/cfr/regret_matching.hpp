// Regret matching (Hart & Mas-Colell 2000): play in proportion to positive regret.
#pragma once

namespace zerosum::cfr {

// Sums below this are taken as none: their reciprocal would overflow.
inline constexpr double kLeastRegret = 1e-300;

// [size] numbers, none negative -> [size] probabilities; all alike where there is nothing positive. `wanted`
// and `strategy` may be the same. Free of branches that data could mispredict.
template <typename Size>
inline void normalise(Size size, const double* wanted, double* strategy) {
  double total = 0.0;
  for (int a = 0; a < size; ++a) total += wanted[a];
  const double scale = total > kLeastRegret ? 1.0 / total : 0.0,
               rest = total > kLeastRegret ? 0.0 : 1.0 / size;
  for (int a = 0; a < size; ++a) strategy[a] = wanted[a] * scale + rest;
}

}  // namespace zerosum::cfr
