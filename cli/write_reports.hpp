#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render.hpp"

namespace cellproof::cli {

struct ReportFormat {
  std::string_view name;  ///< as --format takes it
  std::string_view file;  ///< name of the file that it becomes
  std::string (*render)(const reports::ReportData&);
};

/// html -> index.html, junit -> junit.xml, json -> findings.jsonl, coverage -> coverage.json.
std::span<const ReportFormat> report_formats();

/// What the findings cover, where a suite that is made to cover is among them: it takes a while to count.
std::vector<Coverage> coverage_where_searched(const std::vector<Finding>& findings);

/// Renders the named formats into the folder. Throws std::invalid_argument for an unknown one.
void write_reports(const reports::ReportData& data, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats);

}  // namespace cellproof::cli
