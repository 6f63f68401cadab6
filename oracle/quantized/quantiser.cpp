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

/// All integers that a number between the two may be rounded to, ties either way.
Digit rounded(double lo, double hi, int expected) {
  return {static_cast<int>(std::ceil(lo - 0.5)), expected, static_cast<int>(std::floor(hi + 0.5))};
}

/// value / scale over both intervals; the scale is positive.
Enclosure<double> quotient(const Enclosure<double>& value, const Enclosure<double>& scale, double relative,
                           double absolute) {
  const double lo = value.lo / (value.lo < 0 ? scale.lo : scale.hi);
  const double hi = value.hi / (value.hi < 0 ? scale.hi : scale.lo);
  return {value.centre / scale.centre, lo - relative * std::abs(lo) - absolute, hi + relative * std::abs(hi) + absolute,
          0};
}

/// Quotients beyond what any code can hold say no more than that.
Digit bounded_digit(const Enclosure<double>& q, int expected) {
  constexpr double beyond = 2 * largest_code;
  return rounded(std::clamp(q.lo, -beyond, beyond), std::clamp(q.hi, -beyond, beyond), expected);
}

}  // namespace

void DataRange::add(const Enclosure<double>& value) {
  if (!value.is_finite() || !is_ordinary(value.flags)) {
    special_ = true;
    return;
  }
  least_ = {std::min(least_.centre, value.centre), std::min(least_.lo, value.lo), std::min(least_.hi, value.hi), 0};
  greatest_ = {std::max(greatest_.centre, value.centre), std::max(greatest_.lo, value.lo),
               std::max(greatest_.hi, value.hi), 0};
}

Quantiser::Quantiser(const DataRange& range, const Arithmetic& m) : u_(m.u_elementwise) {
  const Enclosure<double> least = range.least(), greatest = range.greatest();
  unknown_ = range.special() || !(greatest.hi - least.lo <= m.largest_elementwise);
  if (unknown_ || greatest.hi == least.lo) return;

  const auto low = static_cast<float>(least.centre), high = static_cast<float>(greatest.centre);
  const float scale = high == low ? 1.0F : (high - low) / static_cast<float>(largest_code);
  const double width_lo = std::max(0.0, greatest.lo - least.hi), width_hi = greatest.hi - least.lo;
  const double error = scale_roundings * u_ * (1 + 4 * u_) + slack<double>;
  scale_.centre = static_cast<double>(scale);
  scale_.lo = std::max(0.0, width_lo / largest_code * (1 - error) - 2 * m.eta_elementwise);
  // So no scale is less than twice what may be flushed to zero, which therefore has the code of zero anyhow.
  scale_.hi = width_hi / largest_code * (1 + error) + 2 * m.eta_elementwise;

  vague_ = !(scale_.lo > 0);
  if (vague_) {
    zero_point_ = {0, 0, largest_code};
    return;
  }
  const float expected = std::clamp(0.0F - low / scale, 0.0F, static_cast<float>(largest_code));
  const Enclosure<double> below{-least.centre, -least.hi, -least.lo, 0};
  zero_point_ = bounded_digit(quotient(below, scale_, quotient_roundings * u_ + slack<double>, 0),
                              rounded_half_to_even(expected));
  zero_point_.lo = std::clamp(zero_point_.lo, 0, largest_code);
  zero_point_.hi = std::clamp(zero_point_.hi, 0, largest_code);
}

Digit Quantiser::digit(const Enclosure<double>& value) const {
  if (unknown_ || vague_) return {-largest_code, 0, largest_code};
  const auto zero_point = static_cast<float>(zero_point_.expected);
  const auto scale = static_cast<float>(scale_.centre);
  const float ideal = std::clamp(static_cast<float>(value.centre) / scale, -zero_point, largest_code - zero_point);
  const double relative = quotient_roundings * u_ * (1 + 2 * u_) + slack<double>, absolute = (largest_code + 1) * u_;
  const Enclosure<double> q = quotient(value, scale_, relative, absolute);
  Digit d = bounded_digit(q, rounded_half_to_even(ideal));
  d.lo = std::clamp(d.lo, -zero_point_.hi, largest_code - zero_point_.hi);
  d.hi = std::clamp(d.hi, -zero_point_.lo, largest_code - zero_point_.lo);
  return d;
}

}  // namespace cellproof::oracle
