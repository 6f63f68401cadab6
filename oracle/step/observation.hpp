#pragma once

#include "oracle/step/arithmetic.hpp"
#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

/// An observed output element against what it may be.
struct Match {
  bool inside = false;
  bool open = false;  ///< inside as far as the judge can tell; its own error could have put it there
  double error = 0;   ///< |observed - centre|
  double bound = 0;   ///< how far it may be from the centre on that side, output rounding included
  double ratio = 0;   ///< error / bound; at most 1 exactly when inside; 0 or infinity where there is no distance
  double below = 0, above = 0;  ///< of what is inside: how far the set reaches to either side of it, rounding included
};

/// Is `a`, of two branches that are both admissible, the one that explains the element, or without a close call?
inline bool explains_better(const Match& a, const Match& b) {
  return a.inside && (!b.inside || (b.open && !a.open));
}

/// Is `observed`, an element of an output tensor, one of the values that rounding a member of `value` to the tensor's
/// type can give? What is not inside is so for sure. `double` calls it open what lies within a thousandth of the
/// bound's edge, far more than its own error; of balls it is known exactly how far they reach.
template <class Real>
Match match(const Enclosure<Real>& value, double observed, const Arithmetic& arithmetic);

/// The state that the next step may start from: the value as computed, or rounded to the tensor's type.
template <class Real>
Enclosure<Real> fed_back(const Enclosure<Real>& value, const Arithmetic& arithmetic);

/// An input, as it may be on its way in.
template <class Real>
Enclosure<Real> input_set(double value, const Arithmetic& arithmetic) {
  using Set = Enclosure<Real>;
  if (std::isnan(value)) return Set::nan();
  const double radius = arithmetic.radius_of_input(value);
  if (std::isinf(radius)) return Set::anything(value, 0);
  return radius > 0 ? Set::around(value, radius) : Set::point(value);
}

/// The radius of the state that stands behind an observed element.
double radius_behind(double observed, const Arithmetic& arithmetic);

/// The centre rounded to the tensor's type: what a perfect step gives.
template <class Real>
double expected_value(const Enclosure<Real>& value, const Arithmetic& arithmetic);

/// The least and the greatest number of the tensor's type that match() finds inside; none where lo > hi.
struct StorableEnds {
  double lo = 0, hi = 0;
};
StorableEnds storable_ends(const Enclosure<Ball>& value, const Arithmetic& arithmetic);

/// Distance between neighbours of the format at this magnitude (the finer one at a power of two).
double ulp_at(double value, const FloatFormat& format);

extern template Match match(const Enclosure<double>&, double, const Arithmetic&);
extern template Match match(const Enclosure<Ball>&, double, const Arithmetic&);
extern template Enclosure<double> fed_back(const Enclosure<double>&, const Arithmetic&);
extern template Enclosure<Ball> fed_back(const Enclosure<Ball>&, const Arithmetic&);
extern template double expected_value(const Enclosure<double>&, const Arithmetic&);
extern template double expected_value(const Enclosure<Ball>&, const Arithmetic&);

}  // namespace cellproof::oracle
