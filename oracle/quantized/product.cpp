#include "oracle/quantized/product.hpp"

#include <algorithm>
#include <cmath>

#include "oracle/faulty_step/with_bits.hpp"

namespace cellproof::oracle {
namespace {

/// Integers up to this magnitude are floats.
constexpr double largest_exact_integer = 0x1p24;
/// The sum is kept in int32.
constexpr double largest_sum = 0x1p31 - 1;

constexpr double smallest_16_bits = -0x1p15, largest_16_bits = 0x1p15 - 1;

}  // namespace

template <class Real>
QuantizedProduct<Real>::QuantizedProduct(const QuantizedMatrix& matrix, const Arithmetic& arithmetic,
                                         const QuantiserSwitches& switches)
    : matrix_(matrix), m_(arithmetic), switches_(switches) {}

template <class Real>
void QuantizedProduct<Real>::multiply(const std::vector<Digit>& digits, const Quantiser<Real>& quantiser,
                                      std::vector<Set>& products) {
  const auto rows = static_cast<std::size_t>(matrix_.rows);
  products.assign(rows, Set::anything(0, 0));
  if (quantiser.unknown()) return;
  for (auto* part : {&sum_, &below_, &above_}) part->assign(rows, 0);
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const Digit& digit = digits[k];
    const double* const integers = matrix_.integers.data() + k * rows;
    if (digit.expected != 0) {
      for (std::size_t r = 0; r < rows; ++r) sum_[r] += digit.expected * integers[r];
    }
    if (digit.decided() && digit.lo == digit.expected) continue;
    const double down = digit.lo - digit.expected, up = digit.hi - digit.expected;
    for (std::size_t r = 0; r < rows; ++r) {
      below_[r] += std::min(down * integers[r], up * integers[r]);
      above_[r] += std::max(down * integers[r], up * integers[r]);
    }
  }
  if (switches_.pairs_saturate && matrix_.has_signed_codes) saturate_pairs(digits, quantiser.zero_point().expected);
  for (std::size_t r = 0; r < rows; ++r) products[r] = scaled(r, quantiser.scale());
}

/// What is lost where two products of codes, zero points not subtracted, are added in 16 bits.
template <class Real>
void QuantizedProduct<Real>::saturate_pairs(const std::vector<Digit>& digits, int zero_point) {
  const auto rows = static_cast<std::size_t>(matrix_.rows);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto term = [&](std::size_t k) {
      const double code = matrix_.integers[k * rows + r] + matrix_.zero_points[r];
      return (digits[k].expected + zero_point) * code;
    };
    for (std::size_t k = 0; k + 1 < digits.size(); k += 2) {
      const double pair = term(k) + term(k + 1);
      sum_[r] += std::clamp(pair, smallest_16_bits, largest_16_bits) - pair;
    }
  }
}

template <class Real>
Enclosure<Real> QuantizedProduct<Real>::scaled(std::size_t row, const Set& scale) const {
  const Set sum{sum_[row], sum_[row] + below_[row], sum_[row] + above_[row], 0};
  const double weight_scale = matrix_.scales[row];
  const double largest_scale = upper(scale.hi), factor = largest_scale * std::abs(weight_scale);
  if (m_.may_overflow(factor)) return Set::anything(0, 0);  // also where a scale is special
  if ((sum.is_point() && sum.centre == 0) || weight_scale == 0) return Set::point(0);

  Set result = product(product(sum, scale), Set::point(weight_scale));
  const double magnitude = result.magnitude();
  const double roundings = sum.magnitude() > largest_exact_integer ? 3 : 2;
  const double u = m_.u_elementwise;
  result = widened(result, (roundings * u * (1 + roundings * u) + slack<Real>)*magnitude +
                               (sum.magnitude() + 2) * m_.eta_elementwise);
  // The scales are multiplied together first, or the sum with one of them.
  const double largest = std::max(sum.magnitude() * std::max(largest_scale, std::abs(weight_scale)), magnitude);
  result = kept_with(result, switches_.product_bits);
  if (sum.magnitude() > largest_sum || m_.may_overflow(largest)) result.flags |= may_have_overflowed;
  return result;
}

template class QuantizedProduct<double>;
template class QuantizedProduct<Ball>;

}  // namespace cellproof::oracle
