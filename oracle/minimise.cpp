#include "oracle/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "oracle/minimise_numbers.hpp"
#include "oracle/minimise_shapes.hpp"
#include "spec/axes.hpp"
#include "spec/float_conversion.hpp"
#include "spec/literal_text.hpp"
#include "spec/resized.hpp"

namespace cellproof::oracle {
namespace {

Case with_default(const Axis& axis, const Case& c) {
  const auto values = axis.values(c.version);
  return values.empty() ? c : axis.apply(c, values.front());
}

/// Would its default make the case larger? An empty tensor is no smaller one, but another kind of case.
bool is_below_default(const Axis& axis, const Case& c) {
  if (std::ranges::find(size_names, axis.name) == size_names.end()) return false;
  const std::int64_t size = size_of(c, axis.name);
  return size > 0 && size < size_of(with_default(axis, c), axis.name);
}

void reset_axis(const Axis& axis, Case& c, const StillFails& still_fails) {
  if (is_below_default(axis, c)) return;
  Case simpler = with_default(axis, c);
  if (simpler != c && still_fails(simpler)) c = std::move(simpler);
}

AxisValues guilty_values(const Case& c, const StillFails& still_fails) {
  auto values = axis_values(c);
  std::erase_if(values, [&](const auto& value) {
    const Axis& row = axis(value.first);
    return is_below_default(row, c) && still_fails(with_default(row, c));
  });
  return values;
}

/// Values still in the smallest case, of those found guilty before sizes and numbers became smaller; what is left of a
/// size is what it needs. One that is now below its default failed above it, too: its size is not the reason.
AxisValues still_guilty(const AxisValues& guilty, const Case& smallest) {
  const auto values = axis_values(smallest);
  AxisValues result;
  for (const auto& before : guilty) {
    const auto now = std::ranges::find(values, before.first, [](const auto& value) { return value.first; });
    if (now == values.end() || (*now != before && is_below_default(axis(now->first), smallest))) continue;
    result.push_back(*now);
  }
  return result;
}

/// The case with larger inputs: an overflow that needs many terms together needs only one that is larger.
Case louder(const Case& c) {
  constexpr double times = 64;
  Case loud = c;
  const Problem problem = make_problem(c);
  const Tensor* X = problem.input(input::X);
  if (X == nullptr || !is_floating_point(X->type()) || X->bytes().size() > text::largest_literal) return c;
  Tensor values = *X;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double value = times * values.value(k);
    if (std::fabs(value) <= float_format(values.type()).max_finite) values.set_value(k, value);
  }
  loud.inputs[input::X].values = std::move(values);
  return loud;
}

/// Smaller sizes; where many numbers are left, also those to which the case can be brought with louder inputs.
Case smaller_shapes(Case c, const StillFails& still_fails) {
  constexpr std::int64_t many = 24;
  c = minimise_shapes(std::move(c), still_fails);
  if (count_numbers(c).all <= many) return c;
  Case loud = louder(c);
  if (loud == c || !still_fails(loud)) return c;
  loud = minimise_shapes(std::move(loud), still_fails);
  return count_numbers(loud).all < count_numbers(c).all ? loud : c;
}

}  // namespace

Minimised minimise(Case c, const StillFails& still_fails, Reach reach) {
  // An axis may bring others along: each round must leave fewer values away from their defaults.
  for (std::size_t left = axis_values(c).size() + 1; axis_values(c).size() < left;) {
    left = axis_values(c).size();
    for (const Axis& axis : axes_of_presentation()) reset_axis(axis, c, still_fails);
    for (const Axis& axis : axes_of_meaning()) reset_axis(axis, c, still_fails);
  }
  Minimised result{std::move(c), {}};
  result.guilty = guilty_values(result.smallest, still_fails);
  if (reach >= Reach::Shapes) result.smallest = smaller_shapes(std::move(result.smallest), still_fails);
  if (reach >= Reach::Numbers) {
    result.smallest = minimise_numbers(std::move(result.smallest), still_fails);
    result.smallest = drop_unused(std::move(result.smallest), still_fails);
  }
  result.guilty = still_guilty(result.guilty, result.smallest);
  return result;
}

}  // namespace cellproof::oracle
