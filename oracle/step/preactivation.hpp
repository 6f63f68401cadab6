#pragma once

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
  double operand_sum = 0;  ///< of the magnitudes of all factors: what flushed operands can cost, in units of min_normal
};

/// What depends on the number of terms and the unit roundoff of a sum alone: the same for all rows of a cell.
struct SumErrors {
  SumErrors(int terms, double u);

  double gamma;               ///< Higham's: the worst relative error of rounded products, in any order, fused or not
  double share;               ///< of one term: 1 / terms
  double of_scatter, of_sum;  ///< what the partial sums of a random order amount to
  double of_partial_sums;     ///< the error for each unit of partial sums
};

/// What honest arithmetic can make of the sum. The addends must be finite.
template <class Real>
Enclosure<Real> preactivation(const Addends<Real>& addends, const SumErrors& errors, Tier tier,
                              const Arithmetic& arithmetic);

extern template Enclosure<double> preactivation(const Addends<double>&, const SumErrors&, Tier, const Arithmetic&);
extern template Enclosure<Ball> preactivation(const Addends<Ball>&, const SumErrors&, Tier, const Arithmetic&);

}  // namespace cellproof::oracle
