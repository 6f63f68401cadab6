#pragma once

#include <string>
#include <vector>

#include "spec/coverage.hpp"

namespace cellproof::reports::html {

/// Shows how much of the specification each engine was tried on: a table, and a drawing for each engine and operator.
/// "" where nothing was counted.
std::string coverage_section(const std::vector<Coverage>& coverage);

}  // namespace cellproof::reports::html
