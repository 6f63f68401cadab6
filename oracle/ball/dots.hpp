#pragma once

#include <cmath>
// Behind <cmath>, which undoes what C's <math.h> defines: macros by the names of functions on balls.
#include <mpfr.h>
// Behind MPFR: FLINT 3 declares its conversions only where MPFR is known.
#include <arb.h>

#include <vector>

#include "oracle/ball/ball.hpp"

namespace cellproof::oracle {

/// A matrix of exact weights, for products with vectors of balls.
class BallMatrix {
 public:
  BallMatrix() = default;
  /// weights[c * rows + r]: by columns, as a Cell has them.
  BallMatrix(const std::vector<double>& weights, int rows, int columns);
  ~BallMatrix();
  BallMatrix(const BallMatrix&) = delete;
  BallMatrix& operator=(const BallMatrix&) = delete;

  /// Adds to sums[r] the product of row r and the vector [columns], for first <= r < last: each sum and all its
  /// products are rounded once, at the end.
  void add_products(int first, int last, const Ball* vector, std::vector<Ball>& sums);

 private:
  arb_ptr weights_ = nullptr;  ///< [rows][columns]
  arb_ptr vector_ = nullptr;   ///< [columns]
  int rows_ = 0, columns_ = 0;
};

}  // namespace cellproof::oracle
