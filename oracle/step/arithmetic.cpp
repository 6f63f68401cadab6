#include "oracle/step/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cellproof::oracle {
namespace {

// A bound that comes within four ulps of the largest number counts as beyond it: the bound has its own rounding.
double safely_finite(const FloatFormat& format) {
  return format.max_finite * (1 - 4 * format.unit_roundoff);
}

double underflow_error(const FloatFormat& format, bool flushed) {
  return flushed ? format.min_normal : format.min_subnormal;
}

constexpr double Arithmetic::*errors[] = {
    &Arithmetic::u_storage,       &Arithmetic::u_accumulate,   &Arithmetic::u_elementwise,
    &Arithmetic::u_operand,       &Arithmetic::u_input,        &Arithmetic::u_attribute,
    &Arithmetic::eta_storage,     &Arithmetic::eta_accumulate, &Arithmetic::eta_elementwise,
    &Arithmetic::eta_operand,     &Arithmetic::eta_input,      &Arithmetic::activation_relative,
    &Arithmetic::activation_floor};

/// Magnitudes below which numbers are lost: no errors, but more is lost where they are larger.
constexpr double Arithmetic::*thresholds[] = {&Arithmetic::normal_operand, &Arithmetic::normal_input};

constexpr double Arithmetic::*limits[] = {&Arithmetic::largest_accumulated, &Arithmetic::largest_elementwise,
                                          &Arithmetic::largest_stored, &Arithmetic::largest_operand,
                                          &Arithmetic::largest_input};

}  // namespace

double Arithmetic::radius_of_input(double value) const {
  const double magnitude = std::abs(value);
  if (!std::isfinite(magnitude)) return 0;
  if (magnitude > largest_input) return std::numeric_limits<double>::infinity();
  return u_input * magnitude + lost_as_input(magnitude);
}

Arithmetic arithmetic_of(ContractId id, ElementType type) {
  const PrecisionContract& c = contract(id);
  const FloatFormat sums = format_of(c.accumulate, type), elements = format_of(c.elementwise, type);
  const FloatFormat factors = format_of(c.factors, type), states = format_of(c.states, type);
  Arithmetic a;
  a.type = type;
  a.storage = float_format(type);
  a.states = states;
  a.u_storage = states.unit_roundoff;
  a.u_accumulate = sums.unit_roundoff;
  a.u_elementwise = elements.unit_roundoff;
  a.u_operand = c.operand_rounding;
  a.u_input = c.narrowed_inputs ? elements.unit_roundoff : 0;
  a.u_attribute = c.rounded_attributes ? std::max(a.u_storage, a.u_elementwise) : 0;
  a.eta_storage = underflow_error(c.narrowed_inputs ? elements : states, c.flushed_subnormals);
  a.eta_accumulate = underflow_error(sums, c.flushed_subnormals);
  a.eta_elementwise = underflow_error(elements, c.flushed_subnormals);
  // A number that is used as it stands loses nothing; where subnormals are flushed, those of every format on its way.
  if (c.flushed_subnormals) {
    a.normal_operand = std::max({a.storage.min_normal, factors.min_normal, sums.min_normal});
    a.normal_input = std::max({a.storage.min_normal, states.min_normal, elements.min_normal, sums.min_normal});
    a.eta_operand = a.normal_operand;
    a.eta_input = a.normal_input;
  } else {
    a.normal_operand = c.factors == Carrier::Own ? 0 : factors.min_normal;
    a.eta_operand = c.factors == Carrier::Own ? 0 : factors.min_subnormal;
    a.normal_input = c.narrowed_inputs ? elements.min_normal : 0;
    a.eta_input = c.narrowed_inputs ? elements.min_subnormal : 0;
  }
  a.activation_relative = 2 * c.activation_ulps * a.u_elementwise;  // an ulp is up to two unit roundoffs
  a.activation_floor = c.activation_floor * a.u_elementwise;
  a.largest_accumulated = safely_finite(sums);
  a.largest_elementwise = safely_finite(elements);
  a.largest_stored = safely_finite(states);
  if (c.factors != Carrier::Own) a.largest_operand = safely_finite(factors);
  if (c.narrowed_inputs) a.largest_input = safely_finite(elements);
  a.stored_intermediates = c.stored_intermediates;
  a.flushed_subnormals = c.flushed_subnormals;
  a.nearest_output = c.nearest_output;
  const bool provable = !c.stored_intermediates && !c.flushed_subnormals && !c.narrowed_inputs && !c.operand_rounding;
  a.exact_bits = provable ? std::min(sums.precision, elements.precision) : 0;
  a.exact_grid = std::max(sums.min_exponent - sums.precision, elements.min_exponent - elements.precision) + 1;
  return a;
}

Arithmetic either_of(const Arithmetic& a, const Arithmetic& b) {
  Arithmetic both = a;
  for (const auto error : errors) both.*error = std::max(a.*error, b.*error);
  for (const auto threshold : thresholds) both.*threshold = std::max(a.*threshold, b.*threshold);
  for (const auto limit : limits) both.*limit = std::min(a.*limit, b.*limit);
  both.states.min_normal = std::max(a.states.min_normal, b.states.min_normal);
  both.states.min_subnormal = std::max(a.states.min_subnormal, b.states.min_subnormal);
  both.stored_intermediates = a.stored_intermediates || b.stored_intermediates;
  both.flushed_subnormals = a.flushed_subnormals || b.flushed_subnormals;
  both.nearest_output = a.nearest_output && b.nearest_output;
  both.exact_bits = std::min(a.exact_bits, b.exact_bits);
  both.exact_grid = std::max(a.exact_grid, b.exact_grid);
  return both;
}

bool allows_all_of(const Arithmetic& wide, const Arithmetic& narrow) {
  for (const auto error : errors) {
    if (wide.*error < narrow.*error) return false;
  }
  for (const auto threshold : thresholds) {
    if (wide.*threshold < narrow.*threshold) return false;
  }
  for (const auto limit : limits) {
    if (wide.*limit > narrow.*limit) return false;
  }
  return wide.stored_intermediates >= narrow.stored_intermediates &&
         wide.flushed_subnormals >= narrow.flushed_subnormals && wide.nearest_output <= narrow.nearest_output;
}

Arithmetic doubled(const Arithmetic& a) {
  Arithmetic twice = a;
  for (const auto error : errors) twice.*error = 2 * a.*error;
  for (const auto limit : limits) twice.*limit = a.*limit / 2;
  twice.exact_bits = 0;
  return twice;
}

Arithmetic exact_arithmetic(ElementType type) {
  Arithmetic a;
  a.type = type;
  a.storage = a.states = float_format(type);
  // Bounds are doubles: below the normal numbers their own rounding is absolute.
  a.eta_storage = a.eta_accumulate = a.eta_elementwise = float_format(ElementType::Double).min_subnormal;
  a.largest_accumulated = a.largest_elementwise = a.largest_stored = float_format(ElementType::Double).max_finite;
  return a;
}

}  // namespace cellproof::oracle
