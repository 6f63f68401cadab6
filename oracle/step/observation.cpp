#include "oracle/step/observation.hpp"

#include <bit>
#include <cstdint>

#include "oracle/step/grid.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Least distance of an element from the end of its set, as a share of the set, at which `double` vouches for it. On
/// its own account `double` adds less than a part in 2^18 to a set if sums have a thousand terms and are kept in
/// binary32, and less still with fewer.
constexpr double close_call = 0x1p-10;

/// The ends of the set of outputs: every number of the type between them may come out.
template <class Real>
struct Ends {
  Real lo, hi;
};

/// The least and the greatest number that rounding to nearest can make of an end of a set.
double least_rounded(double lo, ElementType type) {
  return round_to(type, lo);
}
double least_rounded(const Ball& lo, ElementType type) {
  return round_to(type, to_odd(lower_bound(lo)));
}
double greatest_rounded(double hi, ElementType type) {
  return round_to(type, hi);
}
double greatest_rounded(const Ball& hi, ElementType type) {
  return round_to(type, to_odd(upper_bound(hi)));
}

bool is_storable(double x, const Arithmetic& m) {
  return round_to(m.type, x) == x;
}
bool is_storable(const Ball& x, const Arithmetic& m) {
  const auto narrow = static_cast<double>(x);
  return x.is_exact() && Ball(narrow) == x && is_storable(narrow, m);
}

/// The sum has been rounded, unless it is a ball's.
double opened(double end, double by) {
  return end + std::copysign(std::abs(end) * std::numeric_limits<double>::epsilon(), by);
}
Ball opened(const Ball& end, double) {
  return end;
}

/// The end of a set of outputs: that of the set before their rounding, moved outwards.
template <class Real>
Real moved_end(const Real& end, double by, const Arithmetic& m) {
  Real moved = opened(Real(end + by), by);
  const Real largest = m.storage.max_finite;
  if (by > 0 && !surely_at_most(moved, largest)) return infinity;
  if (by < 0 && !surely_at_most(Real(-largest), moved)) return -infinity;
  return moved;
}

/// Are there members of the set that may come out as 0 because the type has them as subnormals?
template <class Real>
bool may_be_flushed(const Enclosure<Real>& value, const Arithmetic& m) {
  const Real normal = m.states.min_normal;
  return m.flushed_subnormals && surely_less(value.lo, normal) && surely_less(Real(-normal), value.hi);
}

template <class Real>
Ends<Real> output_ends(const Enclosure<Real>& value, const Arithmetic& m) {
  if (m.nearest_output) {
    Ends<Real> ends{least_rounded(value.lo, m.type), greatest_rounded(value.hi, m.type)};
    if (may_be_flushed(value, m)) ends = {min(ends.lo, Real(0)), max(ends.hi, Real(0))};
    return ends;
  }
  if (value.is_point() && m.exact_bits > 0 && is_storable(value.lo, m)) return {value.lo, value.hi};
  const double error = rounded_up<Real>(m.u_storage * value.magnitude() * (1 + m.u_storage) + m.eta_storage);
  return {moved_end(value.lo, -error, m), moved_end(value.hi, error, m)};
}

/// Room that output rounding alone allows around an element.
double rounding_allowance(double observed, const Arithmetic& m) {
  if (!m.nearest_output) return 0;
  const double flushed = m.flushed_subnormals && observed == 0 ? m.states.min_normal : 0;
  return ulp_at(observed, m.storage) / 2 + flushed;
}

/// Is an element that lies inside so near to an end that the judge's own error may be why?
bool is_close_call(const Enclosure<double>& value, const Ends<double>&, double observed, double ratio,
                   const Arithmetic& m) {
  if (value.is_point()) return false;
  if (value.has(is_grazing)) return true;
  if (m.nearest_output && observed == 0 && may_be_flushed(value, m)) return false;
  if (!m.nearest_output) return ratio > 1 - close_call;
  const double edge = close_call * (value.hi - value.lo);
  return !(round_to(m.type, value.lo + edge) <= observed && observed <= round_to(m.type, value.hi - edge));
}

bool is_close_call(const Enclosure<Ball>& value, const Ends<Ball>& ends, double observed, double, const Arithmetic& m) {
  if (!m.nearest_output) return !(surely_at_most(ends.lo, observed) && surely_at_most(observed, ends.hi));
  if (observed == 0 && may_be_flushed(value, m)) return false;
  return !(greatest_rounded(value.lo, m.type) <= observed && observed <= least_rounded(value.hi, m.type));
}

/// The least number of the type that is not certain to be below the end.
double least_from(const Ball& end, ElementType type) {
  const auto down = [&](double x) { return -next_up(type, -x); };
  double x = round_to(type, lower(end));
  while (surely_less(Ball(x), end)) x = next_up(type, x);
  while (std::isfinite(x) && !surely_less(Ball(down(x)), end)) x = down(x);
  return x;
}

}  // namespace

StorableEnds storable_ends(const Enclosure<Ball>& value, const Arithmetic& m) {
  if (value.empty()) return {infinity, -infinity};
  const Ends<Ball> ends = output_ends(value, m);
  return {least_from(ends.lo, m.type), -least_from(-ends.hi, m.type)};
}

double ulp_at(double value, const FloatFormat& format) {
  const double magnitude = std::abs(value);
  if (!(magnitude >= format.min_normal)) return format.min_subnormal;
  if (!(magnitude < infinity)) return infinity;
  // A power of two by its exponent field: this is asked of every element, and std::ilogb and std::ldexp take ten times
  // as long.
  const auto field = static_cast<int>(std::bit_cast<std::uint64_t>(magnitude) >> 52) - format.precision + 1;
  if (field <= 0) return std::ldexp(1.0, std::ilogb(magnitude) - format.precision + 1);
  return std::bit_cast<double>(static_cast<std::uint64_t>(field) << 52);
}

template <class Real>
Match match(const Enclosure<Real>& value, double observed, const Arithmetic& m) {
  Match result;
  if (std::isnan(observed)) {
    result.inside = value.has(may_be_nan);
    result.ratio = result.inside ? 0 : infinity;
    result.error = result.inside ? 0 : infinity;
    return result;
  }
  if (value.empty()) {
    result.ratio = result.error = infinity;
    return result;
  }
  const Ends<Real> ends = output_ends(value, m);
  result.inside = !surely_less(observed, ends.lo) && !surely_less(ends.hi, observed);
  if (std::isinf(observed) || !isfinite(value.centre)) {
    result.ratio = result.error = result.inside ? 0 : infinity;
    return result;
  }
  const Real distance = observed - value.centre;
  result.error = std::abs(static_cast<double>(distance));
  const Ends<Real> wide = m.nearest_output ? Ends<Real>{value.lo, value.hi} : ends;
  const Real width = distance < 0 ? value.centre - wide.lo : wide.hi - value.centre;
  result.bound = std::max(0.0, static_cast<double>(width)) + rounding_allowance(observed, m);
  const double ratio = result.error == 0 ? 0 : result.error / result.bound;
  result.ratio = result.inside ? std::min(ratio, 1.0) : std::max(ratio, std::nextafter(1.0, 2.0));
  if (result.inside) {
    const double rounding = rounding_allowance(observed, m);
    result.below = upper(Real(observed - wide.lo)) + rounding;
    result.above = upper(Real(wide.hi - observed)) + rounding;
  }
  result.open = result.inside && is_close_call(value, ends, observed, result.ratio, m);
  return result;
}

template <class Real>
Enclosure<Real> fed_back(const Enclosure<Real>& value, const Arithmetic& m) {
  if (!value.is_finite()) return value;
  const Ends<Real> ends = output_ends(value, m);
  Enclosure<Real> both = value;
  both.lo = min(both.lo, ends.lo);
  both.hi = max(both.hi, ends.hi);
  return both;
}

double radius_behind(double observed, const Arithmetic& m) {
  const double rounding = m.u_storage * std::abs(observed);
  // No subnormal stands behind what is twice as large as any of them.
  const bool may_be_flushed = std::abs(observed) < 2 * m.states.min_normal;
  return rounding + (m.flushed_subnormals && !may_be_flushed ? m.states.min_subnormal : m.eta_storage);
}

template <class Real>
double expected_value(const Enclosure<Real>& value, const Arithmetic& m) {
  return round_to(m.type, m.type == ElementType::Double ? static_cast<double>(value.centre) : to_odd(value.centre));
}

template Match match(const Enclosure<double>&, double, const Arithmetic&);
template Match match(const Enclosure<Ball>&, double, const Arithmetic&);
template Enclosure<double> fed_back(const Enclosure<double>&, const Arithmetic&);
template Enclosure<Ball> fed_back(const Enclosure<Ball>&, const Arithmetic&);
template double expected_value(const Enclosure<double>&, const Arithmetic&);
template double expected_value(const Enclosure<Ball>&, const Arithmetic&);

}  // namespace cellproof::oracle
