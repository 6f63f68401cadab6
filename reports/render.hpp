#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/store.hpp"
#include "spec/finding.hpp"

namespace cellproof::reports {

/// All that a renderer may look at: records, nothing computed.
struct ReportData {
  std::string title;
  Passport passport;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>> engines;  ///< name -> notes
  std::vector<Finding> findings;
};

ReportData report_data(const Store& store);

/// One static page, no network, light and dark, narrow and wide.
std::string render_html(const ReportData& data);
/// JUnit XML: one test suite per engine x suite; a failing gate is a failure, a gap or an absent engine a skip with its
/// reason.
std::string render_junit(const ReportData& data);
/// One JSON object per finding and line.
std::string render_json_lines(const ReportData& data);
/// The dozen lines that `run` prints at its end.
std::string render_summary(const ReportData& data);

}  // namespace cellproof::reports
