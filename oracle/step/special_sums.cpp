#include "oracle/step/special_sums.hpp"

#include <cmath>

#include "oracle/at.hpp"
#include "oracle/step/elementwise.hpp"

namespace cellproof::oracle {
namespace {

/// Special values that stand in a sum besides numbers.
struct Found {
  bool nan = false, plus = false, minus = false, unknown = false, skippable_nan = false;
  double finite_magnitude = 0;  ///< of the addends that are neither infinite nor NaN

  template <class Real>
  void add(const Real& term) {
    if (isfinite(term)) finite_magnitude += upper(abs(term));
    nan = nan || isnan(term);
    plus = plus || term == std::numeric_limits<Real>::infinity();
    minus = minus || term == -std::numeric_limits<Real>::infinity();
  }
};

/// May one of two factors become 0 beside an infinity, or a finite one infinite, on its way into the product?
bool may_be_anything(double a, double b, const Arithmetic& m) {
  const auto changes = [&](double factor, double other) {
    const bool vanishes = std::isinf(other) && m.lost_as_operand(std::abs(factor)) > 0;
    return vanishes || (std::isfinite(factor) && std::abs(factor) > m.largest_operand);
  };
  return changes(a, b) || changes(b, a);
}

template <class Real>
void add_over_x(const SpecialAddends<Real>& in, const Arithmetic& m, Found& found) {
  const auto& x = in.over_x;
  for (int k = 0; k < x.count; ++k) {
    const double w = x.weights[at(k) * at(in.rows)];
    if (may_be_anything(w, static_cast<double>(x.vector[k]), m)) {
      found.unknown = true;
    } else {
      found.add(static_cast<Real>(w) * x.vector[k]);
    }
  }
  found.add(x.bias);
}

template <class Real>
void add_over_h(const SpecialAddends<Real>& in, const Arithmetic& m, Found& found) {
  const bool may_be_left_out = in.absent_state && m.mode.state != EvaluationMode::Absent::Multiplied;
  for (int k = 0; k < in.over_h.count; ++k) {
    const double w = in.over_h.weights[at(k) * at(in.rows)], radius = in.over_h.radius[k];
    const Real& h = in.over_h.vector[k];
    // A NaN out of nothing but zeros: by an infinite or NaN weight, or made of the state by the reset gate.
    if (may_be_left_out && ((!std::isfinite(w) && h == 0) || isnan(h))) {
      found.skippable_nan = true;
    } else if (std::isinf(radius) || (std::isinf(w) && upper(abs(h)) <= radius && !(h == 0)) ||
               may_be_anything(w, static_cast<double>(h), m)) {
      found.unknown = true;
    } else {
      found.add(static_cast<Real>(w) * h);
    }
  }
  found.add(in.over_h.bias);
}

}  // namespace

template <class Real>
SpecialSum<Real> special_sum(const SpecialAddends<Real>& addends, const Arithmetic& m) {
  using Set = Enclosure<Real>;
  Found found;
  add_over_x(addends, m, found);
  add_over_h(addends, m, found);
  const bool may_be_skipped = found.skippable_nan && m.mode.state == EvaluationMode::Absent::Any;
  const auto flags = static_cast<std::uint8_t>(may_be_skipped ? may_be_nan | is_unspecified : 0);
  if (found.nan || (found.plus && found.minus)) return {Set::nan(flags)};
  if (found.unknown) return {Set::anything(0, flags)};
  if (found.plus || found.minus) {
    // A finite part that overflows to the other infinity makes an honest NaN.
    if (!(found.finite_magnitude <= m.largest_accumulated)) return {Set::anything(0, flags)};
    const Real infinity = std::numeric_limits<Real>::infinity();
    return {Set::point(found.plus ? infinity : Real(-infinity)).with(flags)};
  }
  if (!found.skippable_nan) return {Set::anything(0, 0)};  // finite addends whose sum leaves the range of double
  return {Set{}.with(flags), true};
}

template <class Real>
Enclosure<Real> special_peephole(const Enclosure<Real>& sum, const Enclosure<Real>& C, double p, bool absent,
                                 const Arithmetic& m) {
  Enclosure<Real> factor = Enclosure<Real>::point(static_cast<Real>(p));
  if (m.lost_as_input(std::abs(p)) > 0) factor = hull(factor, Enclosure<Real>::point(0));
  Enclosure<Real> through = product(factor, C);
  if (std::isfinite(p) && std::abs(p) > m.largest_input) through.flags |= may_have_overflowed;
  if (absent && !std::isfinite(p)) {  // an absent state may or may not be multiplied
    if (m.mode.state == EvaluationMode::Absent::LeftOut) return sum.with(C.flags);
    if (m.mode.state == EvaluationMode::Absent::Any) return hull(sum, through).with(may_be_nan | is_unspecified);
  }
  return elementwise(sum_of_parts(sum, through, m), through.magnitude(), false, false, m).with(C.flags);
}

template SpecialSum<double> special_sum(const SpecialAddends<double>&, const Arithmetic&);
template SpecialSum<Ball> special_sum(const SpecialAddends<Ball>&, const Arithmetic&);
template Enclosure<double> special_peephole(const Enclosure<double>&, const Enclosure<double>&, double, bool,
                                            const Arithmetic&);
template Enclosure<Ball> special_peephole(const Enclosure<Ball>&, const Enclosure<Ball>&, double, bool,
                                          const Arithmetic&);

}  // namespace cellproof::oracle
