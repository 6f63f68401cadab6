#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/render.hpp"

namespace cellproof::cli {

/// What the findings cover, where a suite that is made to cover is among them: it takes a while to count.
std::vector<Coverage> coverage_where_searched(const std::vector<Finding>& findings);

/// Renders the named formats into the folder. Throws std::invalid_argument for an unknown one.
void write_reports(const reports::ReportData& data, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats);

}  // namespace cellproof::cli
