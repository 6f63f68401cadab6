#include "reports/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "spec/suggestion.hpp"

namespace cellproof::reports {
namespace {

constexpr Format all_formats[] = {{"html", "index.html", render_html},
                                  {"junit", "junit.xml", render_junit},
                                  {"json", "findings.jsonl", render_json_lines, write_json_lines},
                                  {"coverage", "coverage.json", render_coverage},
                                  {"causes", "causes.json", render_causes},
                                  {"markdown", "summary.md", render_markdown},
                                  {"sarif", "findings.sarif", render_sarif},
                                  {"capabilities", "capabilities.json", render_capabilities}};

}  // namespace

std::span<const Format> formats() {
  return all_formats;
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> names;
  for (const Format& format : all_formats) names.emplace_back(format.name);
  return names;
}

const Format& format_named(std::string_view name) {
  const auto found = std::ranges::find(all_formats, name, &Format::name);
  if (found == std::end(all_formats)) {
    std::vector<std::string_view> known;
    for (const Format& format : all_formats) known.push_back(format.name);
    throw std::invalid_argument(fmt::format("format {}: {}", name, expected_one_of(name, known)));
  }
  return *found;
}

}  // namespace cellproof::reports
