#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/operator.hpp"

namespace cellproof {

/// Some values of one axis.
struct AxisChoice {
  std::string_view axis;
  std::vector<std::string> values;
};

/// Axis values that no case has together: one of the choices is not met in every case of the version.
struct AxisExclusion {
  std::vector<AxisChoice> choices;
  std::string_view why;
};

/// Lists what the axes of spec/axes.hpp, which are free of each other otherwise, exclude. Complete: an assignment of a
/// value to each axis that meets none of them is had by the case that comes of applying the values in the order of
/// axes().
std::vector<AxisExclusion> axis_exclusions(OperatorVersion version);

}  // namespace cellproof
