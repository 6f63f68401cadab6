#include "reports/finding_json.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {

std::string render_json_lines(const ReportData& data) {
  std::string lines;
  write_json_lines(data, [&](std::string_view part) { lines += part; });
  return lines;
}

void write_json_lines(const ReportData& data, const Sink& out) {
  for (const Finding& finding : data.findings) out(to_json(finding) + "\n");
}

}  // namespace cellproof::reports
