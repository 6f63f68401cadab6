#include "oracle/quantized/quantiser.hpp"

#include <algorithm>
#include <cmath>

namespace cellproof::oracle {
namespace {

constexpr int largest_code = 255;

/// Relative errors, in unit roundoffs: of (greatest - least) / 255 with the difference, the reciprocal of 255 and the
/// product each rounded; of a division by the scale, or a multiplication by its rounded reciprocal.
constexpr double scale_roundings = 3;
constexpr double quotient_roundings = 2;

int rounded_half_to_even(float x) {
  return static_cast<int>(std::nearbyint(x));
}

/// Error that `double` may have in a quotient, as a share of it: twice what was allowed for.
template <class Real>
constexpr double doubtful_share = 2 * slack<Real>;

/// Is code + 1/2, from which on code + 1 is the nearer one, surely below x?
bool is_surely_passed(int code, const Ball& x) {
  return surely_less(Ball(code + 0.5), x);
}

/// The least integer that a number not below x may be rounded to, ties either way; and whether that is in doubt.
struct Bound {
  int code = 0;
  bool open = false;
};
Bound least_code(double x) {
  const auto code = static_cast<int>(std::ceil(x - 0.5));
  return {code, static_cast<int>(std::ceil(x + doubtful_share<double> * std::abs(x) - 0.5)) != code};
}
Bound least_code(const Ball& x) {
  auto code = static_cast<int>(std::ceil(lower(x) - 0.5));
  while (is_surely_passed(code, x)) ++code;
  return {code, !surely_at_most(x, Ball(code + 0.5))};
}

/// All integers that a number between the two may be rounded to.
template <class Real>
Digit rounded(const Real& lo, const Real& hi, int expected) {
  const Bound least = least_code(lo), greatest = least_code(-hi);
  return {least.code, expected, -greatest.code, least.open || greatest.open};
}

/// value / scale over both intervals; the scale is positive.
template <class Real>
Enclosure<Real> quotient(const Enclosure<Real>& value, const Enclosure<Real>& scale, double relative, double absolute) {
  const Real lo = by_sign(value.lo, Real(value.lo / scale.hi), Real(value.lo / scale.lo));
  const Real hi = by_sign(value.hi, Real(value.hi / scale.lo), Real(value.hi / scale.hi));
  return {value.centre / scale.centre, lo - relative * abs(lo) - absolute, hi + relative * abs(hi) + absolute, 0};
}

/// Quotients beyond what any code can hold say no more than that.
constexpr double beyond_codes = 2 * largest_code;

template <class Real>
Digit bounded_digit(const Enclosure<Real>& q, int expected) {
  return rounded<Real>(clamped<Real>(q.lo, -beyond_codes, beyond_codes),
                       clamped<Real>(q.hi, -beyond_codes, beyond_codes), expected);
}

/// A range of one number, which is 0.
template <class Real>
bool is_one_number(const Enclosure<Real>& least, const Enclosure<Real>& greatest) {
  return least.is_point() && greatest.is_point() && least.lo == greatest.lo;
}

template <class Real>
float as_float(const Real& value) {
  return static_cast<float>(static_cast<double>(value));
}

/// (1 + u)^roundings - 1, rounded up, and what the judge's own arithmetic needs besides.
template <class Real>
double error_of(double roundings, double u) {
  return roundings * u * (1 + 4 * u) + slack<Real>;
}

}  // namespace

template <class Real>
void DataRange<Real>::add(const Set& value) {
  if (!value.is_finite() || !is_ordinary(value.flags)) {
    special_ = true;
    return;
  }
  least_ = {min(least_.centre, value.centre), min(least_.lo, value.lo), min(least_.hi, value.hi), 0};
  greatest_ = {max(greatest_.centre, value.centre), max(greatest_.lo, value.lo), max(greatest_.hi, value.hi), 0};
}

template <class Real>
void Quantiser<Real>::set_scale(const Set& width, int steps, const Arithmetic& m) {
  const double error = error_of<Real>(scale_roundings, u_);
  scale_.centre = static_cast<double>(as_float(width.centre) / static_cast<float>(steps));
  scale_.lo = max(Real(0), Real(width.lo / Real(steps) * (1 - Real(error)) - 2 * m.eta_elementwise));
  // So no scale is less than twice what may be flushed to zero, which therefore has the code of zero anyhow.
  scale_.hi = width.hi / Real(steps) * (1 + Real(error)) + 2 * m.eta_elementwise;
  vague_ = !surely_less(Real(0), scale_.lo);
}

template <class Real>
Quantiser<Real>::Quantiser(const DataRange<Real>& range, const Arithmetic& m) {
  if (!starts(range, m)) return;
  set_scale(width_of(range), largest_code, m);
  set_zero_point(range);
}

template <class Real>
bool Quantiser<Real>::starts(const DataRange<Real>& range, const Arithmetic& m) {
  u_ = m.u_elementwise;
  const Set &least = range.least(), &greatest = range.greatest();
  unknown_ = range.special() || !surely_at_most(Real(greatest.hi - least.lo), Real(m.largest_elementwise));
  return !unknown_ && !is_one_number(least, greatest);
}

template <class Real>
Enclosure<Real> Quantiser<Real>::width_of(const DataRange<Real>& range) {
  const Set &least = range.least(), &greatest = range.greatest();
  const float low = as_float(least.centre), high = as_float(greatest.centre);
  return {static_cast<double>(high - low), max(Real(0), Real(greatest.lo - least.hi)), greatest.hi - least.lo, 0};
}

template <class Real>
void Quantiser<Real>::set_zero_point(const DataRange<Real>& range) {
  const Set& least = range.least();
  const float low = as_float(least.centre), high = as_float(range.greatest().centre);
  if (high == low) scale_.centre = 1;
  if (vague_) {
    zero_point_ = {0, 0, largest_code};
    return;
  }
  const float expected = std::clamp(0.0F - low / as_float(scale_.centre), 0.0F, static_cast<float>(largest_code));
  const Set below{-least.centre, -least.hi, -least.lo, 0};
  zero_point_ =
      bounded_digit(quotient(below, scale_, error_of<Real>(quotient_roundings, u_), 0), rounded_half_to_even(expected));
  zero_point_.lo = std::clamp(zero_point_.lo, 0, largest_code);
  zero_point_.hi = std::clamp(zero_point_.hi, 0, largest_code);
}

template <class Real>
Digit Quantiser<Real>::digit(const Set& value) const {
  if (unknown_ || vague_) return {-largest_code, 0, largest_code};
  return within(nearest(quotient_of(value), ideal_of(value, 0, largest_code)), 0, largest_code);
}

template <class Real>
Enclosure<Real> Quantiser<Real>::quotient_of(const Set& value) const {
  const double relative = error_of<Real>(quotient_roundings, u_), absolute = (largest_code + 1) * u_;
  return quotient(value, scale_, relative, absolute);
}

template <class Real>
float Quantiser<Real>::ideal_of(const Set& value, int below, int above) const {
  return std::clamp(as_float(value.centre) / as_float(scale_.centre), static_cast<float>(below - zero_point_.expected),
                    static_cast<float>(above - zero_point_.expected));
}

template <class Real>
Digit Quantiser<Real>::nearest(const Set& quotient, float ideal) {
  return bounded_digit(quotient, rounded_half_to_even(ideal));
}

template <class Real>
Digit Quantiser<Real>::within(Digit d, int below, int above) const {
  d.lo = std::clamp(d.lo, below - zero_point_.hi, above - zero_point_.hi);
  d.hi = std::clamp(d.hi, below - zero_point_.lo, above - zero_point_.lo);
  d.open = d.open || zero_point_.open;
  return d;
}

template class DataRange<double>;
template class DataRange<Ball>;
template class Quantiser<double>;
template class Quantiser<Ball>;

}  // namespace cellproof::oracle
