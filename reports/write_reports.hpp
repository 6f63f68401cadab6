#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/render.hpp"

namespace cellproof::reports {

/// Renders the named formats into the folder. Throws std::invalid_argument for an unknown one.
void write_reports(const ReportData& data, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats);

}  // namespace cellproof::reports
