#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/step/real.hpp"

namespace cellproof::oracle {

/// One dot product per row, with what its error bounds need: everything in one pass over the columns, rows innermost,
/// so that the compiler can use vector registers. Balls are summed apart from it (oracle/ball/dots.hpp), by Arb.
template <class Real>
struct Sums {
  std::vector<Real> value;
  std::vector<double> near;  ///< `value` in double, where Real is something else; what partial sums are walked with
  std::vector<double> magnitude;  ///< of |w v|
  std::vector<double> walk;       ///< of the magnitudes of the partial sums, in the natural order
  std::vector<double> squares;    ///< of (w v)^2
  std::vector<double> spread;     ///< of |w| times the radius of v

  void reset(int rows) {
    const auto n = static_cast<std::size_t>(rows);
    value.assign(n, 0);
    if constexpr (carries_its_error<Real>) near.assign(n, 0);
    for (auto* part : {&magnitude, &walk, &squares, &spread}) part->assign(n, 0);
  }

  std::vector<double>& in_double() {
    if constexpr (carries_its_error<Real>) {
      return near;
    } else {
      return value;
    }
  }
};

/// Rows first <= r < last of a matrix that stands by columns: weights[c * rows + r].
struct Columns {
  const double* weights;
  int rows, first, last, columns;
};

/// Adds weights[c][r] * v[c] for all columns c, for the rows that are asked for. `before`: per row, the sum that stands
/// there already when the natural order comes to these columns (or to which they are added as a whole: both are
/// walked). `radius`: of v, or nullptr where v is exact.
template <class Real>
void add_products(const Columns& matrix, const Real* v, const double* radius, const double* before, Sums<Real>& sums) {
  double* __restrict const value = sums.in_double().data();
  double* __restrict const magnitude = sums.magnitude.data();
  double* __restrict const walk = sums.walk.data();
  double* __restrict const squares = sums.squares.data();
  double* __restrict const spread = sums.spread.data();
  const int first = matrix.first, last = matrix.last;
  for (int c = 0; c < matrix.columns; ++c) {
    const double* __restrict const w =
        matrix.weights + static_cast<std::size_t>(c) * static_cast<std::size_t>(matrix.rows);
    const auto x = static_cast<double>(v[c]);
    for (int r = first; r < last; ++r) {
      const double p = w[r] * x;
      const double s = value[r] + p;
      const double size = std::abs(p);
      const double alone = std::abs(s), together = std::abs(before[r] + s);
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
