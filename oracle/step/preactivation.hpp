#pragma once

#include <algorithm>
#include <cmath>

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// Which bound on a sum's rounding is used: the worst case over all orders of summation (a theorem), or the sharper one
/// that follows the partial sums (the gate).
enum class Tier { Running, Certified };

/// The addends of one pre-activation and what is known of them.
template <class Real>
struct Addends {
  Real x = 0, h = 0;                                        ///< the two matrix products
  double magnitude = 0, walk = 0, squares = 0, spread = 0;  ///< of both (oracle/step/sums.hpp)
  double Wb = 0, Rb = 0;
  Real peephole = 0;
  double peephole_radius = 0;
  int terms = 0;           ///< how many numbers are added up
  int grid = 0;            ///< of all of them
  double lost = 0;         ///< by factors, biases and peepholes that underflow or are flushed on their way in
  bool overflows = false;  ///< a factor, bias or peephole may be infinite on its way in
  bool whole = false;      ///< all that a function or clip takes: no other part is added to an infinity that it becomes
};

/// Terms that depend on the number of terms and the unit roundoff of a sum alone: the same for all rows of a cell.
struct SumErrors {
  SumErrors(int terms, double u);

  double gamma;               ///< Higham's: the worst relative error of rounded products, in any order, fused or not
  double share;               ///< of one term: 1 / terms
  double of_scatter, of_sum;  ///< what the partial sums of a random order amount to
  double of_partial_sums;     ///< the error for each unit of partial sums
};

/// Wilkinson's running bound: each addition errs by u times its result. The natural order's partial sums are known;
/// other orders are represented by what the partial sums of a random order amount to.
inline double running_error(double walk, double squares, double sum, double magnitude, double added_apart,
                            const SumErrors& e) {
  const double mean = sum * e.share;
  const double scatter = std::sqrt(std::max(0.0, squares * e.share - mean * mean));
  const double random_order = e.of_scatter * scatter + e.of_sum * std::abs(sum);
  return e.of_partial_sums * (std::max(walk, random_order) + magnitude + 2 * added_apart + 2 * std::abs(sum));
}

/// Encloses what honest arithmetic can make of the sum. The addends must be finite. A whole sum that can leave the
/// format's range to one side alone reaches that infinity.
template <class Real>
Enclosure<Real> preactivation(const Addends<Real>& addends, const SumErrors& errors, Tier tier,
                              const Arithmetic& arithmetic);

extern template Enclosure<double> preactivation(const Addends<double>&, const SumErrors&, Tier, const Arithmetic&);
extern template Enclosure<Ball> preactivation(const Addends<Ball>&, const SumErrors&, Tier, const Arithmetic&);

}  // namespace cellproof::oracle
