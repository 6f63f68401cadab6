#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/case.hpp"

namespace cellproof {

/// One dimension of the specification's space: what suites vary, what coverage counts, what a divergence is blamed on.
struct Axis {
  std::string_view name;           ///< "direction", "layout", "clip", "activation.f", "input.B", "lengths", "outputs", ...
  std::string_view what;           ///< one sentence for people
  /// The values that exist for this operator version, the default first; empty where the axis does not apply.
  std::function<std::vector<std::string>(OperatorVersion)> values;
  /// The value that a case has, always one of values().
  std::function<std::string(const Case&)> of;
  /// The case changed to the value, all else kept (a bidirectional value resizes nothing by itself: shapes are derived).
  std::function<Case(const Case&, std::string_view)> apply;
};

std::span<const Axis> axes();
/// Throws std::invalid_argument for an unknown name.
const Axis& axis(std::string_view name);

/// (axis, value) for each axis on which the case is not default, in table order.
std::vector<std::pair<std::string, std::string>> axis_values(const Case& c);

}  // namespace cellproof
