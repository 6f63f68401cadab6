#include "cli/write_reports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <future>
#include <stdexcept>

#include "cli/output_file.hpp"
#include "fuzz/coverage.hpp"

namespace cellproof::cli {

std::vector<Coverage> coverage_where_searched(const std::vector<Finding>& findings) {
  const auto searched = [](const Finding& f) { return f.suite == "pairs" || f.suite == "triples"; };
  return std::ranges::any_of(findings, searched) ? fuzz::coverage_of(findings) : std::vector<Coverage>{};
}

std::span<const ReportFormat> report_formats() {
  static constexpr std::array<ReportFormat, 4> formats{{{"html", "index.html", reports::render_html},
                                                        {"junit", "junit.xml", reports::render_junit},
                                                        {"json", "findings.jsonl", reports::render_json_lines},
                                                        {"coverage", "coverage.json", reports::render_coverage}}};
  return formats;
}

void write_reports(const reports::ReportData& data, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats) {
  std::vector<const ReportFormat*> asked;
  for (const std::string& wanted : formats) {
    const auto known = report_formats();
    const auto format = std::ranges::find(known, wanted, &ReportFormat::name);
    if (format == known.end())
      throw std::invalid_argument(fmt::format("--format {}: expected html, junit, json or coverage", wanted));
    asked.push_back(&*format);
  }
  make_folder(folder);
  std::vector<std::future<std::string>> texts;
  for (const ReportFormat* format : asked)
    texts.push_back(std::async(std::launch::async, [&data, format] { return format->render(data); }));
  for (std::size_t k = 0; k < asked.size(); ++k) write_file(folder / asked[k]->file, texts[k].get());
}

}  // namespace cellproof::cli
