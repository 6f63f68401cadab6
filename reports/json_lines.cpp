#include "reports/finding_json.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {

std::string render_json_lines(const ReportData& data) {
  std::string lines;
  for (const Finding& finding : data.findings) lines += to_json(finding) + "\n";
  return lines;
}

}  // namespace cellproof::reports
