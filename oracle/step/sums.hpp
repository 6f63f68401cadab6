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

/// Places for the sums in double: one element per row of the matrix each.
struct SumPlaces {
  double *value, *magnitude, *walk, *squares, *spread;
};

/// Adds weights[c][r] * v[c] for all columns c, for the rows that are asked for. `before`: per row, the sum that stands
/// there already when the natural order comes to these columns (or to which they are added as a whole: both are
/// walked). `radius`: of v, or nullptr where v is exact. The same bits with every vector width.
void add_products(const Columns& matrix, const double* v, const double* radius, const double* before,
                  const SumPlaces& sums);

template <class Real>
SumPlaces places_of(Sums<Real>& sums) {
  return {sums.in_double().data(), sums.magnitude.data(), sums.walk.data(), sums.squares.data(), sums.spread.data()};
}

template <class Real>
void add_products(const Columns& matrix, const Real* v, const double* radius, const double* before, Sums<Real>& sums) {
  if constexpr (carries_its_error<Real>) {
    std::vector<double> near(static_cast<std::size_t>(matrix.columns));
    std::transform(v, v + matrix.columns, near.begin(), [](const Real& x) { return static_cast<double>(x); });
    add_products(matrix, near.data(), radius, before, places_of(sums));
  } else {
    add_products(matrix, v, radius, before, places_of(sums));
  }
}

}  // namespace cellproof::oracle
