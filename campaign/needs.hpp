#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cellproof::campaign {

/// Values of axes, as axis_values() and reductions have them.
using AxisValues = std::vector<std::pair<std::string, std::string>>;

/// Has a case with these values all that a failure needs?
inline bool has_all(const AxisValues& axes, const AxisValues& needed) {
  return std::ranges::all_of(needed, [&](const auto& value) { return std::ranges::find(axes, value) != axes.end(); });
}

}  // namespace cellproof::campaign
