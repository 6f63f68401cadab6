#pragma once

#include <functional>
#include <vector>

namespace cellproof::oracle {

/// The differences that are to vanish, for given unknowns; always as many.
using Residuals = std::function<std::vector<double>(const std::vector<double>& unknowns)>;

/// The place of the least sum of squares.
struct LeastSquares {
  std::vector<double> unknowns;
  double fit;            ///< root of the mean square there
  double largest_error;  ///< of an unknown, in parts of it or of 1, if every residual is off by a float's rounding and
                         ///< only the even or only the odd ones are there. Infinite where these do not show it
};

/// Starts from given unknowns (Levenberg and Marquardt, slopes by differences).
LeastSquares least_squares(const Residuals& residuals, std::vector<double> start);

}  // namespace cellproof::oracle
