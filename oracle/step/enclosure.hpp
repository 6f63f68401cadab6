#pragma once

#include <cstdint>

#include "oracle/step/evaluation_mode.hpp"
#include "oracle/step/real.hpp"

namespace cellproof::oracle {

/// Knowledge of an enclosure besides its interval.
enum Flag : std::uint8_t {
  may_be_nan = 1,
  may_have_overflowed = 2,  ///< an intermediate may have left the format's range: nothing can be proved of the value
  is_unspecified = 4,       ///< depends on what no reading fixes (NaN through clip or Relu)
  is_branched = 8,          ///< both sides of a jump are admissible
  is_grazing = 16,        ///< nearly all of an interval was cut off: of what is left the judge's own error may be much
  reaches_infinity = 32,  ///< may be an infinity instead, that of its sign
};

/// Is there nothing out of the ordinary, as two honest values may have it?
inline bool is_ordinary(std::uint8_t flags) {
  return (flags & static_cast<std::uint8_t>(~is_grazing)) == 0;
}

/// The set of values that honest arithmetic can give something: an interval around the exact value (`centre`), and
/// flags. lo == hi means: exactly this value, no rounding can occur. An empty interval (lo > hi) with may_be_nan:
/// certainly NaN. Ends that are balls are known up to their radii, which may be so large that midpoints lie in the
/// wrong order, or that the midpoint is 0 of what is anything but 0.
template <class Real>
struct Enclosure {
  Real centre{}, lo{}, hi{};
  std::uint8_t flags = 0;

  static Enclosure point(const Real& x) { return {x, x, x, 0}; }
  static Enclosure around(const Real& centre, double radius) {
    const double r = rounded_up<Real>(radius);
    return {centre, centre - r, centre + r, 0};
  }
  static Enclosure nan(std::uint8_t flags = 0) {
    const Real infinity = std::numeric_limits<Real>::infinity();
    return {std::numeric_limits<Real>::quiet_NaN(), infinity, -infinity, static_cast<std::uint8_t>(flags | may_be_nan)};
  }
  static Enclosure anything(const Real& centre, std::uint8_t flags) {
    const Real infinity = std::numeric_limits<Real>::infinity();
    return {centre, -infinity, infinity, static_cast<std::uint8_t>(flags | may_be_nan | may_have_overflowed)};
  }

  bool empty() const { return isnan(lo) || isnan(hi) || surely_less(hi, lo); }
  bool is_point() const { return lo == hi && is_exact(lo) && is_exact(hi); }
  bool is_finite() const { return isfinite(lo) && isfinite(hi); }
  bool has(Flag flag) const { return (flags & flag) != 0; }
  /// As far as ends that are balls tell: surely not, if false.
  bool contains(const Real& x) const { return !empty() && !surely_less(x, lo) && !surely_less(hi, x); }
  /// Returns the largest magnitude of its members, rounded up.
  double magnitude() const { return empty() ? 0 : std::max(upper(lo < 0 ? -lo : lo), upper(hi < 0 ? -hi : hi)); }
  /// Returns the radius of an interval around the centre that holds it, rounded up.
  double radius() const { return empty() || is_point() ? 0 : std::max(upper(hi - centre), upper(centre - lo)); }
  /// The same as far as that infinity, where it reaches one.
  Enclosure to_infinity() const {
    if (!has(reaches_infinity)) return *this;
    Enclosure result = *this;
    const Real infinity = std::numeric_limits<Real>::infinity();
    if (!surely_less(hi, Real(0))) result.hi = infinity;
    if (!surely_less(Real(0), lo)) result.lo = -infinity;
    result.flags &= static_cast<std::uint8_t>(~reaches_infinity);
    return result;
  }
  Enclosure with(std::uint8_t more) const { return {centre, lo, hi, static_cast<std::uint8_t>(flags | more)}; }
};

/// The enclosure grown by an absolute error on both sides; infinite ends stay where they are.
template <class Real>
Enclosure<Real> widened(Enclosure<Real> e, double error) {
  if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
  const double by = rounded_up<Real>(error);
  if (isfinite(e.lo)) e.lo -= by;
  if (isfinite(e.hi)) e.hi += by;
  return e;
}

/// `part`, which is what a knee or a bound leaves of `whole`: marked where that is next to nothing.
template <class Real>
Enclosure<Real> grazed(Enclosure<Real> part, const Enclosure<Real>& whole) {
  if (64 * (part.hi - part.lo) < whole.hi - whole.lo && !part.is_point()) part.flags |= is_grazing;
  return part;
}

/// Everything between the two; the centre is that of `a`.
template <class Real>
Enclosure<Real> hull(const Enclosure<Real>& a, const Enclosure<Real>& b) {
  const auto flags = static_cast<std::uint8_t>(a.flags | b.flags);
  if (a.empty()) return {b.centre, b.lo, b.hi, flags};
  if (b.empty()) return a.with(flags);
  return {a.centre, min(a.lo, b.lo), max(a.hi, b.hi), flags};
}

/// `a` where NaN has become this number.
template <class Real>
Enclosure<Real> without_nan(const Enclosure<Real>& a, const Real& instead) {
  Enclosure<Real> result = hull(a, Enclosure<Real>::point(instead));
  result.flags &= static_cast<std::uint8_t>(~may_be_nan);
  return result;
}

// Operations on sets of which not all are finite (special_sets.cpp).
template <class Real>
Enclosure<Real> special_sum(const Enclosure<Real>& a, const Enclosure<Real>& b);
template <class Real>
Enclosure<Real> special_product(const Enclosure<Real>& a, const Enclosure<Real>& b);
template <class Real>
Enclosure<Real> special_blend(const Enclosure<Real>& z, const Enclosure<Real>& a, const Enclosure<Real>& b,
                              EvaluationMode::Blend chosen);

template <class Real>
Enclosure<Real> sum(const Enclosure<Real>& a, const Enclosure<Real>& b) {
  if (!a.is_finite() || !b.is_finite()) return special_sum(a, b);
  return {a.centre + b.centre, a.lo + b.lo, a.hi + b.hi, static_cast<std::uint8_t>(a.flags | b.flags)};
}

/// The ends of the product of an interval that is certain not to be negative, and another of certain signs. Nothing
/// otherwise. Balls take far longer to compare corners than to see their signs.
inline bool product_by_signs(const Enclosure<Ball>& a, const Enclosure<Ball>& b, Enclosure<Ball>& result) {
  if (!surely_not_negative(a.lo)) return false;
  if (surely_not_negative(b.lo)) {
    result.lo = a.lo * b.lo;
    result.hi = a.hi * b.hi;
  } else if (surely_not_positive(b.hi)) {
    result.lo = a.hi * b.lo;
    result.hi = a.lo * b.hi;
  } else if (surely_not_positive(b.lo) && surely_not_negative(b.hi)) {
    result.lo = a.hi * b.lo;
    result.hi = a.hi * b.hi;
  } else {
    return false;
  }
  return true;
}

template <class Real>
Enclosure<Real> product(const Enclosure<Real>& a, const Enclosure<Real>& b) {
  if (!a.is_finite() || !b.is_finite()) return special_product(a, b);
  const auto flags = static_cast<std::uint8_t>(a.flags | b.flags);
  if constexpr (carries_its_error<Real>) {
    Enclosure<Real> result{a.centre * b.centre, {}, {}, flags};
    if (product_by_signs(a, b, result) || product_by_signs(b, a, result)) return result;
  }
  const Real p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {a.centre * b.centre, min(min(p, q), min(r, s)), max(max(p, q), max(r, s)), flags};
}

/// (1 - z) a + z b at the corners: exact, because the form is affine in each of the three. Beside an infinity the
/// result may be what a + z (b - a) gives instead, unspecified where the two differ, unless one of them is `chosen`.
template <class Real>
Enclosure<Real> blend(const Enclosure<Real>& z, const Enclosure<Real>& a, const Enclosure<Real>& b,
                      EvaluationMode::Blend chosen = EvaluationMode::Blend::Any) {
  if (!(z.is_finite() && a.is_finite() && b.is_finite())) return special_blend(z, a, b, chosen);
  const auto at = [](const Real& weight, const Real& x, const Real& y) { return (1 - weight) * x + weight * y; };
  Enclosure<Real> result{at(z.centre, a.centre, b.centre), at(z.lo, a.lo, b.lo), at(z.lo, a.lo, b.lo),
                         static_cast<std::uint8_t>(z.flags | a.flags | b.flags)};
  for (const Real& weight : {z.lo, z.hi}) {
    for (const Real& x : {a.lo, a.hi}) {
      for (const Real& y : {b.lo, b.hi}) {
        const Real corner = at(weight, x, y);
        result.lo = min(result.lo, corner);
        result.hi = max(result.hi, corner);
      }
    }
  }
  return result;
}

extern template Enclosure<double> special_sum(const Enclosure<double>&, const Enclosure<double>&);
extern template Enclosure<Ball> special_sum(const Enclosure<Ball>&, const Enclosure<Ball>&);
extern template Enclosure<double> special_product(const Enclosure<double>&, const Enclosure<double>&);
extern template Enclosure<Ball> special_product(const Enclosure<Ball>&, const Enclosure<Ball>&);
extern template Enclosure<double> special_blend(const Enclosure<double>&, const Enclosure<double>&,
                                                const Enclosure<double>&, EvaluationMode::Blend);
extern template Enclosure<Ball> special_blend(const Enclosure<Ball>&, const Enclosure<Ball>&, const Enclosure<Ball>&,
                                              EvaluationMode::Blend);

}  // namespace cellproof::oracle
