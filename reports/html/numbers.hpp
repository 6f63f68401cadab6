#pragma once

#include <string>
#include <vector>

#include "reports/tally.hpp"

namespace cellproof::reports::html {

/// The counts of all engines in one table, the time spent inside them, and how far from exact their results are.
std::string numbers(const ReportData& data, const std::vector<EngineTally>& engines);

/// Numbers that must be equal for two runs to be compared.
std::string passport(const ReportData& data);

}  // namespace cellproof::reports::html
