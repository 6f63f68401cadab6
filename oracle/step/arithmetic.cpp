#include "oracle/step/arithmetic.hpp"

#include <algorithm>

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
    &Arithmetic::u_storage,           &Arithmetic::u_accumulate,    &Arithmetic::u_elementwise,
    &Arithmetic::u_operand,           &Arithmetic::u_input,         &Arithmetic::u_attribute,
    &Arithmetic::eta_storage,         &Arithmetic::eta_accumulate,  &Arithmetic::eta_elementwise,
    &Arithmetic::activation_relative, &Arithmetic::activation_floor};

}  // namespace

Arithmetic arithmetic_of(ContractId id, ElementType type) {
  const PrecisionContract& c = contract(id);
  const auto format_of = [&](Carrier carrier) {
    return float_format(carrier == Carrier::Own ? type : ElementType::Float);
  };
  const FloatFormat sums = format_of(c.accumulate), elements = format_of(c.elementwise);
  Arithmetic a;
  a.type = type;
  a.storage = float_format(type);
  a.u_storage = a.storage.unit_roundoff;
  a.u_accumulate = sums.unit_roundoff;
  a.u_elementwise = elements.unit_roundoff;
  a.u_operand = c.operand_rounding;
  a.u_input = c.narrowed_inputs ? elements.unit_roundoff : 0;
  a.u_attribute = c.rounded_attributes ? std::max(a.u_storage, a.u_elementwise) : 0;
  a.eta_storage = underflow_error(c.narrowed_inputs ? elements : a.storage, c.flushed_subnormals);
  a.eta_accumulate = underflow_error(sums, c.flushed_subnormals);
  a.eta_elementwise = underflow_error(elements, c.flushed_subnormals);
  a.activation_relative = 2 * c.activation_ulps * a.u_elementwise;  // an ulp is up to two unit roundoffs
  a.activation_floor = c.activation_floor * a.u_elementwise;
  a.largest_accumulated = safely_finite(sums);
  a.largest_elementwise = safely_finite(elements);
  a.largest_stored = safely_finite(a.storage);
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
  for (const auto limit :
       {&Arithmetic::largest_accumulated, &Arithmetic::largest_elementwise, &Arithmetic::largest_stored}) {
    both.*limit = std::min(a.*limit, b.*limit);
  }
  both.stored_intermediates = a.stored_intermediates || b.stored_intermediates;
  both.flushed_subnormals = a.flushed_subnormals || b.flushed_subnormals;
  both.nearest_output = a.nearest_output && b.nearest_output;
  both.exact_bits = std::min(a.exact_bits, b.exact_bits);
  both.exact_grid = std::max(a.exact_grid, b.exact_grid);
  return both;
}

Arithmetic doubled(const Arithmetic& a) {
  Arithmetic twice = a;
  for (const auto error : errors) twice.*error = 2 * a.*error;
  for (const auto limit :
       {&Arithmetic::largest_accumulated, &Arithmetic::largest_elementwise, &Arithmetic::largest_stored})
    twice.*limit = a.*limit / 2;
  twice.exact_bits = 0;
  return twice;
}

Arithmetic exact_arithmetic(ElementType type) {
  Arithmetic a;
  a.type = type;
  a.storage = float_format(type);
  // Bounds are doubles: below the normal numbers their own rounding is absolute.
  a.eta_storage = a.eta_accumulate = a.eta_elementwise = float_format(ElementType::Double).min_subnormal;
  a.largest_accumulated = a.largest_elementwise = a.largest_stored = float_format(ElementType::Double).max_finite;
  return a;
}

}  // namespace cellproof::oracle
