#include "cli/write_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "cli/output_file.hpp"

namespace cellproof::cli {

std::span<const ReportFormat> report_formats() {
  static constexpr std::array<ReportFormat, 3> formats{{{"html", "index.html", reports::render_html},
                                                        {"junit", "junit.xml", reports::render_junit},
                                                        {"json", "findings.jsonl", reports::render_json_lines}}};
  return formats;
}

void write_reports(const reports::ReportData& data, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats) {
  make_folder(folder);
  for (const std::string& wanted : formats) {
    const auto known = report_formats();
    const auto format = std::ranges::find(known, wanted, &ReportFormat::name);
    if (format == known.end())
      throw std::invalid_argument(fmt::format("--format {}: expected html, junit or json", wanted));
    write_file(folder / format->file, format->render(data));
  }
}

}  // namespace cellproof::cli
