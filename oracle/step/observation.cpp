#include "oracle/step/observation.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/step/grid.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The ends of the set of outputs: every number of the type between them may come out.
struct Ends {
  double lo, hi;
};

bool is_storable(double x, const Arithmetic& m) {
  return round_to(m.type, x) == x;
}

template <class Real>
Ends output_ends(const Enclosure<Real>& value, const Arithmetic& m) {
  const auto lo = static_cast<double>(value.lo), hi = static_cast<double>(value.hi);
  const bool known = value.is_point() && static_cast<Real>(lo) == value.lo;
  if (m.nearest_output || (known && m.exact_bits > 0 && is_storable(lo, m))) {
    return {round_to(m.type, lo), round_to(m.type, hi)};
  }
  const double error = m.u_storage * value.magnitude() * (1 + m.u_storage) + m.eta_storage;
  const auto opened = [&](Real end, double by) {
    const auto moved = static_cast<double>(end + static_cast<Real>(by));
    if (std::abs(moved) > m.storage.max_finite) return std::copysign(infinity, moved);
    // The conversion from Real to double has rounded, too.
    constexpr double tiny = std::numeric_limits<double>::denorm_min();
    return moved + std::copysign(std::abs(moved) * std::numeric_limits<double>::epsilon() + tiny, by);
  };
  return {opened(value.lo, -error), opened(value.hi, error)};
}

/// What output rounding alone allows around an element.
double rounding_allowance(double observed, const Arithmetic& m) {
  return m.nearest_output ? ulp_at(observed, m.storage) / 2 : 0;
}

}  // namespace

double ulp_at(double value, const FloatFormat& format) {
  const double magnitude = std::abs(value);
  if (!(magnitude >= format.min_normal)) return format.min_subnormal;
  return std::ldexp(1.0, std::ilogb(magnitude) - format.precision + 1);
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
  const Ends ends = output_ends(value, m);
  result.inside = ends.lo <= observed && observed <= ends.hi;
  if (std::isinf(observed) || !std::isfinite(value.centre)) {
    result.ratio = result.error = result.inside ? 0 : infinity;
    return result;
  }
  const Real distance = static_cast<Real>(observed) - value.centre;
  result.error = static_cast<double>(std::abs(distance));
  const Real end = distance < 0
                       ? value.centre - static_cast<Real>(m.nearest_output ? static_cast<double>(value.lo) : ends.lo)
                       : static_cast<Real>(m.nearest_output ? static_cast<double>(value.hi) : ends.hi) - value.centre;
  result.bound = std::max(0.0, static_cast<double>(end)) + rounding_allowance(observed, m);
  const double ratio = result.error == 0 ? 0 : result.error / result.bound;
  result.ratio = result.inside ? std::min(ratio, 1.0) : std::max(ratio, std::nextafter(1.0, 2.0));
  return result;
}

template <class Real>
Enclosure<Real> fed_back(const Enclosure<Real>& value, const Arithmetic& m) {
  if (!value.is_finite()) return value;
  const Ends ends = output_ends(value, m);
  Enclosure<Real> both = value;
  both.lo = std::min(both.lo, static_cast<Real>(ends.lo));
  both.hi = std::max(both.hi, static_cast<Real>(ends.hi));
  return both;
}

double radius_behind(double observed, const Arithmetic& m) {
  return m.u_storage * std::abs(observed) + m.eta_storage;
}

template <class Real>
double expected_value(const Enclosure<Real>& value, const Arithmetic& m) {
  return round_to(m.type, static_cast<double>(value.centre));
}

template Match match(const Enclosure<double>&, double, const Arithmetic&);
template Match match(const Enclosure<long double>&, double, const Arithmetic&);
template Enclosure<double> fed_back(const Enclosure<double>&, const Arithmetic&);
template Enclosure<long double> fed_back(const Enclosure<long double>&, const Arithmetic&);
template double expected_value(const Enclosure<double>&, const Arithmetic&);
template double expected_value(const Enclosure<long double>&, const Arithmetic&);

}  // namespace cellproof::oracle
