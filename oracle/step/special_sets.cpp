#include <limits>

#include "oracle/step/enclosure.hpp"

namespace cellproof::oracle {

template <class Real>
Enclosure<Real> special_sum(const Enclosure<Real>& a, const Enclosure<Real>& b) {
  const auto flags = static_cast<std::uint8_t>(a.flags | b.flags);
  if (a.empty() || b.empty()) return Enclosure<Real>::nan(flags);
  const Real infinity = std::numeric_limits<Real>::infinity();
  const bool opposite = (a.hi == infinity && b.lo == -infinity) || (a.lo == -infinity && b.hi == infinity);
  const auto all = static_cast<std::uint8_t>(flags | (opposite ? may_be_nan : 0));
  const Real lo = a.lo == -infinity || b.lo == -infinity ? -infinity : a.lo + b.lo;
  const Real hi = a.hi == infinity || b.hi == infinity ? infinity : a.hi + b.hi;
  if (opposite && a.is_point() && b.is_point()) return Enclosure<Real>::nan(all);
  return {a.centre + b.centre, lo, hi, all};
}

template <class Real>
Enclosure<Real> special_product(const Enclosure<Real>& a, const Enclosure<Real>& b) {
  const auto flags = static_cast<std::uint8_t>(a.flags | b.flags);
  if (a.empty() || b.empty()) return Enclosure<Real>::nan(flags);
  const bool zero_times_infinity = (a.contains(0) && !b.is_finite()) || (b.contains(0) && !a.is_finite());
  const auto all = static_cast<std::uint8_t>(flags | (zero_times_infinity ? may_be_nan : 0));
  if (zero_times_infinity && a.is_point() && b.is_point()) return Enclosure<Real>::nan(all);
  const auto times = [](const Real& x, const Real& y) {
    return (x == 0 && is_exact(x)) || (y == 0 && is_exact(y)) ? Real(0) : x * y;
  };
  const Real p = times(a.lo, b.lo), q = times(a.lo, b.hi), r = times(a.hi, b.lo), s = times(a.hi, b.hi);
  if (isnan(p) || isnan(q) || isnan(r) || isnan(s)) {  // an infinite end and one that may be 0
    const Real infinity = std::numeric_limits<Real>::infinity();
    return {times(a.centre, b.centre), -infinity, infinity, static_cast<std::uint8_t>(all | may_be_nan)};
  }
  return {times(a.centre, b.centre), min(min(p, q), min(r, s)), max(max(p, q), max(r, s)), all};
}

template <class Real>
Enclosure<Real> special_blend(const Enclosure<Real>& z, const Enclosure<Real>& a, const Enclosure<Real>& b,
                              EvaluationMode::Blend chosen) {
  const Enclosure<Real> rest{1 - z.centre, 1 - z.hi, 1 - z.lo, z.flags};
  const Enclosure<Real> minus_a{-a.centre, -a.hi, -a.lo, a.flags};
  const Enclosure<Real> as_written = sum(product(rest, a), product(z, b));
  const Enclosure<Real> shorter = sum(a, product(z, sum(b, minus_a)));
  if (chosen != EvaluationMode::Blend::Any) return chosen == EvaluationMode::Blend::AsWritten ? as_written : shorter;
  const bool same = as_written.lo == shorter.lo && as_written.hi == shorter.hi && as_written.flags == shorter.flags;
  return same ? as_written : hull(as_written, shorter).with(is_unspecified);
}

template Enclosure<double> special_sum(const Enclosure<double>&, const Enclosure<double>&);
template Enclosure<Ball> special_sum(const Enclosure<Ball>&, const Enclosure<Ball>&);
template Enclosure<double> special_product(const Enclosure<double>&, const Enclosure<double>&);
template Enclosure<Ball> special_product(const Enclosure<Ball>&, const Enclosure<Ball>&);
template Enclosure<double> special_blend(const Enclosure<double>&, const Enclosure<double>&, const Enclosure<double>&,
                                         EvaluationMode::Blend);
template Enclosure<Ball> special_blend(const Enclosure<Ball>&, const Enclosure<Ball>&, const Enclosure<Ball>&,
                                       EvaluationMode::Blend);

}  // namespace cellproof::oracle
