#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cellproof::reports::html {

/// Bars over bins with these upper edges (the last bin takes all above, infinite and NaN too); bins above `limit` are
/// coloured as faults. Heights grow with the square root, so that few beside many stay visible. Inline SVG.
std::string histogram(const std::vector<double>& values, const std::vector<double>& edges, double limit,
                      std::string_view label);

}  // namespace cellproof::reports::html
