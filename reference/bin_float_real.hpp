#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <limits>

#include "reference/real.hpp"

namespace cellproof::reference {

/// The same 50 digits from an independent library, Boost's own arithmetic: the check on Mpfr50. No expression
/// templates, as there.
using BinFloat50 =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

template <>
struct Functions<BinFloat50> {
  static bool is_nan(const BinFloat50& x) { return boost::multiprecision::isnan(x); }
  static bool is_infinite(const BinFloat50& x) { return boost::multiprecision::isinf(x); }
  static bool is_negative(const BinFloat50& x) { return boost::multiprecision::signbit(x) != 0; }
  static BinFloat50 exp(const BinFloat50& x) { return boost::multiprecision::exp(x); }

  /// e^x - 1. Near 0, where the difference would cancel, its Taylor series x + x^2/2! + x^3/3! + ...
  static BinFloat50 expm1(const BinFloat50& x) {
    if (!(abs(x) < 0.5)) return exp(x) - 1;
    BinFloat50 term = x, sum = x;
    for (int n = 2; is_significant(term, sum); ++n) {
      term *= x / n;
      sum += term;
    }
    return sum;
  }

  /// log(1 + x) for 0 <= x <= 1, by log((1 + z) / (1 - z)) = 2 (z + z^3/3 + z^5/5 + ...) with z = x / (2 + x) <= 1/3.
  static BinFloat50 log1p(const BinFloat50& x) {
    const BinFloat50 z = x / (2 + x);
    BinFloat50 power = z, sum = z;
    for (int n = 3; is_significant(power, sum); n += 2) {
      power *= z * z;
      sum += power / n;
    }
    return 2 * sum;
  }

 private:
  /// Can a further term of a series still change the sum? (No for NaN and for an exact 0.)
  static bool is_significant(const BinFloat50& term, const BinFloat50& sum) {
    return abs(term) > abs(sum) * std::numeric_limits<BinFloat50>::epsilon() / 16;
  }
};

}  // namespace cellproof::reference
