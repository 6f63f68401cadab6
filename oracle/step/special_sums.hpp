#pragma once

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// The addends of one pre-activation, of which some are infinite or NaN, or whose sum leaves the range of `double`.
template <class Real>
struct SpecialAddends {
  struct Products {
    const double* weights = nullptr;  ///< of one row, each `rows` after the one before
    const Real* vector = nullptr;
    const double* radius = nullptr;  ///< of `vector`; null where it is exact
    int count = 0;
    double bias = 0;
  };
  Products over_x, over_h;
  int rows = 0;
  bool absent_state = false;
};

template <class Real>
struct SpecialSum {
  Enclosure<Real> set;
  bool without_state = false;  ///< only the flags of `set` count: for the rest, it is the sum over x and both biases
};

/// Encloses what honest arithmetic can make of the sum.
template <class Real>
SpecialSum<Real> special_sum(const SpecialAddends<Real>& addends, const Arithmetic& arithmetic);

/// The same with p times the cell added to it, where the sum, the cell or p is infinite or NaN. `absent`: the cell is
/// that of a node without initial_c before its first step.
template <class Real>
Enclosure<Real> special_peephole(const Enclosure<Real>& sum, const Enclosure<Real>& C, double p, bool absent,
                                 const Arithmetic& arithmetic);

extern template SpecialSum<double> special_sum(const SpecialAddends<double>&, const Arithmetic&);
extern template SpecialSum<Ball> special_sum(const SpecialAddends<Ball>&, const Arithmetic&);
extern template Enclosure<double> special_peephole(const Enclosure<double>&, const Enclosure<double>&, double, bool,
                                                   const Arithmetic&);
extern template Enclosure<Ball> special_peephole(const Enclosure<Ball>&, const Enclosure<Ball>&, double, bool,
                                                 const Arithmetic&);

}  // namespace cellproof::oracle
