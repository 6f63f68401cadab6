#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace cellproof::oracle {

/// One dot product per row, with what its error bounds need: everything in one pass over the columns, rows innermost,
/// so that the compiler can use vector registers.
template <class Real>
struct Sums {
  std::vector<Real> value;
  std::vector<double> magnitude;  ///< of |w v|
  std::vector<double> walk;       ///< of the magnitudes of the partial sums, in the natural order
  std::vector<double> squares;    ///< of (w v)^2
  std::vector<double> spread;     ///< of |w| times the radius of v

  void reset(int rows) {
    const auto n = static_cast<std::size_t>(rows);
    value.assign(n, 0);
    for (auto* part : {&magnitude, &walk, &squares, &spread}) part->assign(n, 0);
  }
};

/// Adds weights[c][r] * v[c] for all columns c, for rows first <= r < last. `before`: per row, the sum that stands
/// there already when the natural order comes to these columns (or to which they are added as a whole: both are
/// walked). `radius`: of v, or nullptr where v is exact.
template <class Real>
void add_products(const double* weights, int rows, int first, int last, int columns, const Real* v,
                  const double* radius, const Real* before, Sums<Real>& sums) {
  Real* __restrict const value = sums.value.data();
  double* __restrict const magnitude = sums.magnitude.data();
  double* __restrict const walk = sums.walk.data();
  double* __restrict const squares = sums.squares.data();
  double* __restrict const spread = sums.spread.data();
  for (int c = 0; c < columns; ++c) {
    const double* __restrict const w = weights + static_cast<std::size_t>(c) * static_cast<std::size_t>(rows);
    const Real x = v[c];
    for (int r = first; r < last; ++r) {
      const Real p = w[r] * x;
      const Real s = value[r] + p;
      const auto size = static_cast<double>(std::abs(p));
      const auto alone = static_cast<double>(std::abs(s)), together = static_cast<double>(std::abs(before[r] + s));
      value[r] = s;
      magnitude[r] += size;
      squares[r] += size * size;
      walk[r] += alone > together ? alone : together;
    }
    if (radius && radius[c] != 0) {
      const double e = radius[c];
      for (int r = first; r < last; ++r) spread[r] += std::abs(w[r]) * e;
    }
  }
}

}  // namespace cellproof::oracle
