#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/axis_value.hpp"
#include "spec/case.hpp"

namespace cellproof {

/// One dimension of the specification's space: what suites vary, what coverage counts, what a divergence is blamed on.
/// For every case c and value v of its version: of(apply(c, v)) == v, and apply(c, v) == c where c has the value
/// already.
struct Axis {
  std::string_view name;  ///< "direction", "layout", "clip", "activation.f", "input.B", "lengths", "outputs", ...
  std::string_view what;  ///< one sentence for people, couplings to other axes included
  /// The values that exist for this operator version, the default first; empty where the axis does not apply.
  std::function<std::vector<std::string>(OperatorVersion)> values;
  /// The value that a case has, always one of values(): for an invalid case the nearest. "" where values() is empty.
  std::function<std::string(const Case&)> of;
  /// The case changed to the value, all else kept as far as it can be: a valid case stays valid. What hangs together
  /// moves together: shapes, hidden_size, the length of the activation and parameter lists, lengths that would exceed
  /// T; literal tensors that no longer fit are generated. Where a value needs something else, `what` says so and apply
  /// brings it along. Throws std::invalid_argument for a value that the version does not have.
  std::function<Case(const Case&, std::string_view)> apply;
};

/// In a fixed order: types, attributes, inputs, sizes, values, outputs, presentation.
std::span<const Axis> axes();
/// Those that say what a node is to compute, and those behind them that only say how it is put before an engine
/// (spec/presentation.hpp).
std::span<const Axis> axes_of_meaning();
std::span<const Axis> axes_of_presentation();
/// Throws std::invalid_argument for an unknown name.
const Axis& axis(std::string_view name);

/// (axis, value) for each axis on which the case is not default, in table order.
AxisValues axis_values(const Case& c);

}  // namespace cellproof
