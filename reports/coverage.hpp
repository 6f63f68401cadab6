#pragma once

#include <string>
#include <vector>

#include "spec/coverage.hpp"

namespace cellproof::reports {

/// "100 %", "99.9 %", "0 %": with one digit, and never rounded to all or nothing; "-" of nothing.
std::string percentage(std::size_t part, std::size_t whole);

/// A line for each engine and operator; "" where nothing was counted.
std::string coverage_text(const std::vector<Coverage>& coverage);

}  // namespace cellproof::reports
