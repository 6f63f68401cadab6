#include "oracle/step/elementwise.hpp"

#include "oracle/step/rounding.hpp"

namespace cellproof::oracle {

template <class Real>
Enclosure<Real> sum_of_parts(const Enclosure<Real>& a, const Enclosure<Real>& b, const Arithmetic& m) {
  Enclosure<Real> result = sum(a, b);
  if (result.is_finite()) return result;
  const auto overflows = [&](const Enclosure<Real>& part) {
    return part.is_finite() && m.may_overflow(part.magnitude());
  };
  return overflows(a) || overflows(b) ? Enclosure<Real>::anything(result.centre, result.flags) : result;
}

template <class Real>
Enclosure<Real> blend_of_parts(const Enclosure<Real>& z, const Enclosure<Real>& a, const Enclosure<Real>& b,
                               const Arithmetic& m) {
  Enclosure<Real> result = blend(z, a, b, m.mode.blend);
  if (result.is_finite()) return result;
  const Enclosure<Real> rest{1 - z.centre, 1 - z.hi, 1 - z.lo, z.flags};
  const Enclosure<Real> parts = sum_of_parts(product(rest, a), product(z, b), m);
  return parts.has(may_have_overflowed) ? Enclosure<Real>::anything(result.centre, result.flags) : result;
}

template <class Real>
Enclosure<Real> elementwise(const Enclosure<Real>& value, double intermediates, bool storable, bool exact,
                            const Arithmetic& m) {
  const double magnitude = value.magnitude();
  // An infinite operand makes an infinite result rightly; only finite numbers overflow.
  const bool overflows = value.is_finite() && m.may_overflow(std::max(magnitude, intermediates));
  const auto flags = static_cast<std::uint8_t>(overflows ? may_have_overflowed : 0);
  if (exact) return value.with(flags);
  double error = elementwise_error<Real>(intermediates, magnitude, m);
  if (m.stored_intermediates && storable) {
    error += m.u_storage * (magnitude + error) * (1 + m.u_storage) + m.eta_storage;
  }
  return widened(value, error).with(flags);
}

template Enclosure<double> sum_of_parts(const Enclosure<double>&, const Enclosure<double>&, const Arithmetic&);
template Enclosure<Ball> sum_of_parts(const Enclosure<Ball>&, const Enclosure<Ball>&, const Arithmetic&);
template Enclosure<double> blend_of_parts(const Enclosure<double>&, const Enclosure<double>&, const Enclosure<double>&,
                                          const Arithmetic&);
template Enclosure<Ball> blend_of_parts(const Enclosure<Ball>&, const Enclosure<Ball>&, const Enclosure<Ball>&,
                                        const Arithmetic&);
template Enclosure<double> elementwise(const Enclosure<double>&, double, bool, bool, const Arithmetic&);
template Enclosure<Ball> elementwise(const Enclosure<Ball>&, double, bool, bool, const Arithmetic&);

}  // namespace cellproof::oracle
