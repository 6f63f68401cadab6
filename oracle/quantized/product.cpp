#include "oracle/quantized/product.hpp"

#include <algorithm>
#include <cmath>

namespace cellproof::oracle {
namespace {

/// Integers up to this magnitude are floats.
constexpr double largest_exact_integer = 0x1p24;
/// The sum is kept in int32.
constexpr double largest_sum = 0x1p31 - 1;

}  // namespace

template <class Real>
void QuantizedProduct<Real>::multiply(const std::vector<Digit>& digits, const Quantiser<Real>& quantiser,
                                      std::vector<Set>& products) {
  products.assign(static_cast<std::size_t>(matrix_.rows), Set::anything(0, 0));
  if (quantiser.unknown()) return;
  add_up(digits);
  scale_sums(quantiser.scale(), products);
}

template <class Real>
void QuantizedProduct<Real>::add_up(const std::vector<Digit>& digits) {
  const auto rows = static_cast<std::size_t>(matrix_.rows);
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
}

template <class Real>
void QuantizedProduct<Real>::scale_sums(const Set& scale, std::vector<Set>& products) const {
  for (std::size_t r = 0; r < products.size(); ++r) products[r] = scaled(r, scale);
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
  if (sum.magnitude() > largest_sum || m_.may_overflow(largest)) result.flags |= may_have_overflowed;
  return result;
}

template class QuantizedProduct<double>;
template class QuantizedProduct<Ball>;

}  // namespace cellproof::oracle
