#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cellproof {

/// An axis and a value of it: ("direction", "reverse").
using AxisValue = std::pair<std::string, std::string>;
using AxisValues = std::vector<AxisValue>;

}  // namespace cellproof
