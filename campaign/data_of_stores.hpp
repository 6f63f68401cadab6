#pragma once

#include <string>
#include <vector>

#include "reports/render.hpp"

namespace cellproof::campaign {

/// Reads the stores of several shards or engines side by side: all findings, the metadata one after the other. Throws
/// std::invalid_argument where two hold the same case on the same engine.
reports::ReportData data_of_stores(const std::vector<std::string>& files);

}  // namespace cellproof::campaign
