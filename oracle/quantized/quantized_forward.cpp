#include "oracle/quantized/quantized_forward.hpp"

#include <cmath>
#include <limits>

namespace cellproof::oracle {
namespace {

constexpr double largest_code = 255;
/// Integers up to this magnitude are floats; those up to the other are sums that int32 holds.
constexpr double largest_exact_integer = 0x1p24, largest_sum = 0x1p31 - 1;

/// Distance of a number from what it is quantised to besides half a code, in codes and unit roundoffs: a quotient of at
/// most 255 is rounded twice, the scale three times and the zero point's quotient twice, and the zero point may be
/// added first.
constexpr double roundings_of_code = 4096;

}  // namespace

template <class Real>
QuantizedForward<Real>::QuantizedForward(const Cell& cell, const QuantizedMatrix& R, const Arithmetic& arithmetic,
                                         Tier tier)
    : Base(cell, R.real_weights(), arithmetic, tier),
      matrix_(R),
      magnitudes_(R.real_weights()),
      middle_(at(cell.hidden)),
      from_codes_(at(cell.rows)),
      spread_(at(cell.rows)),
      from_states_(at(cell.rows)),
      states_(at(cell.rows)),
      h_products_(at(cell.rows)) {
  for (double& weight : magnitudes_) weight = std::abs(weight);
}

template <class Real>
void QuantizedForward<Real>::quantise(const Digit* codes, ForwardState<Real>& state) {
  const double half = largest_scale_ * (0.5 + roundings_of_code * m_.u_elementwise + slack<double>);
  for (int k = 0; k < cell_.hidden; ++k) {
    const Digit& code = codes[k];
    double& radius = state.h_radius[at(k)];
    const double middle = 0.5 * (code.lo + code.hi), either_way = 0.5 * (code.hi - code.lo) * largest_scale_;
    // A distance that goes on keeps its signs, and so counts for less.
    const bool ends = either_way + std::abs(middle) * relative_error_ * scale_ <= 0.5 * radius + half;
    middle_[at(k)] = ends ? middle : std::numeric_limits<double>::quiet_NaN();
    if (ends) {
      state.symbols.forget_h(k);
      state.h[at(k)] = middle * scale_;
      state.symbols.own_h[at(k)] = radius = this->up(either_way);
    } else {
      state.symbols.own_h[at(k)] = this->up(state.symbols.own_h[at(k)] + half);
      radius = this->up(radius + half);
    }
  }
}

template <class Real>
bool QuantizedForward<Real>::multiply(const ForwardState<Real>& state) {
  const std::size_t rows = at(cell_.rows);
  for (auto* sums : {&from_codes_, &spread_, &states_}) std::ranges::fill(*sums, 0);
  std::ranges::fill(from_states_, Real(0));
  for (int k = 0; k < cell_.hidden; ++k) {
    const double* const integers = matrix_.integers.data() + at(k) * rows;
    const double* const weights = magnitudes_.data() + at(k) * rows;
    const double middle = middle_[at(k)], radius = state.h_radius[at(k)];
    for (std::size_t r = 0; r < rows; ++r) spread_[r] += weights[r] * radius;
    if (!std::isnan(middle)) {
      for (std::size_t r = 0; r < rows; ++r) from_codes_[r] += middle * integers[r];
      continue;
    }
    const Real& h = state.h[at(k)];
    const double magnitude = upper(abs(h));
    for (std::size_t r = 0; r < rows; ++r) {
      from_states_[r] += h * integers[r];
      states_[r] += std::abs(integers[r]) * magnitude;
    }
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const double most = largest_code * matrix_.magnitudes[r], weight_scale = std::abs(matrix_.scales[r]);
    const double reach = (std::abs(from_codes_[r]) * largest_scale_ + states_[r]) * weight_scale + spread_[r];
    const double largest = std::max(most * std::max(largest_scale_, weight_scale), reach);
    if (most > largest_sum || m_.may_overflow(largest_scale_ * weight_scale) || m_.may_overflow(largest)) return false;
    const double u = m_.u_elementwise, roundings = most > largest_exact_integer ? 3 : 2;
    const double own = std::abs(from_codes_[r]) * scale_ * weight_scale * relative_error_ +
                       (roundings * u * (1 + roundings * u) + slack<Real>)*reach +
                       (cell_.hidden + 64) * own_roundoff<Real> * states_[r] * weight_scale +
                       (most + 2) * m_.eta_elementwise;
    const Real centre = (Real(from_codes_[r]) * Real(scale_) + from_states_[r]) * Real(matrix_.scales[r]);
    spread_[r] = this->up(spread_[r]);
    h_products_[r] = Set::around(centre, this->up(this->up(own) + spread_[r]));
  }
  return true;
}

template <class Real>
bool QuantizedForward<Real>::take(StepInput<Real> in, const Digit* codes, const Quantiser<Real>& quantiser,
                                  ForwardState<Real>& state) {
  const Set& scale = quantiser.scale();
  scale_ = static_cast<double>(scale.centre);
  if (quantiser.unknown() || !(scale_ > 0) || !surely_less(Real(0), scale.lo) || !scale.is_finite()) return false;
  largest_scale_ = this->up(upper(scale.hi));
  relative_error_ = this->up(scale.radius() / scale_) + slack<double>;
  quantise(codes, state);
  if (!multiply(state)) return false;
  in.h = state.h.data();
  in.h_radius = state.h_radius.data();
  in.h_products = h_products_.data();
  this->begin(in, state);
  h_.sums.spread = spread_;
  return this->go_through(in, state);
}

template class QuantizedForward<double>;
template class QuantizedForward<Ball>;

}  // namespace cellproof::oracle
