#pragma once

#include <string_view>

namespace cellproof::campaign {

/// Throws std::invalid_argument that names the option unless it is a number of seconds that a clock can count: above 0,
/// neither infinite nor NaN.
void check_seconds(std::string_view option, double seconds);

}  // namespace cellproof::campaign
