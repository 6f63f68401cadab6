#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/coverage.hpp"
#include "reports/plain_text.hpp"
#include "reports/render.hpp"
#include "reports/tally.hpp"

namespace cellproof::reports {
namespace {

constexpr std::size_t most_per_engine = 4;
constexpr std::size_t most_characters = 160;  ///< of a line; a terminal wraps the rest into noise
constexpr std::size_t longest_headline = 240;

std::string engine_lines(const std::vector<EngineTally>& engines) {
  std::size_t width = 0;
  for (const EngineTally& engine : engines) width = std::max(width, visible_text(title_of(engine)).size());
  std::string lines;
  for (const EngineTally& engine : engines) {
    lines += fmt::format("{:<{}}  {}\n", visible_text(title_of(engine)), width,
                         shortened(visible_text(headline_of(engine)), longest_headline));
    for (const std::string& remark : engine.remarks)
      lines += fmt::format("{:<{}}  {}\n", "", width, shortened(visible_text(remark), longest_headline));
  }
  return lines;
}

struct Line {
  const EngineTally* engine;
  Family family;
};

std::string family_line(const Line& line, std::size_t width) {
  const Family& family = line.family;
  const std::string what = family.sentence + (family.condition.empty() ? "" : ", " + family.condition);
  return fmt::format("  {:<10}  {:<{}}  {} ({})\n", info(family.kind).id, visible_text(line.engine->name), width,
                     shortened(visible_text(what), most_characters), counted(family.cases, "case"));
}

}  // namespace

std::string render_summary(const ReportData& data) {
  const std::vector<Group> groups = groups_of(data);
  const std::vector<EngineTally> engines = tally(data, groups);
  std::vector<Line> lines;
  std::size_t left_out = 0;
  for (const EngineTally& engine : engines) {
    std::vector<Family> families = families_of(groups, engine.name);
    const std::size_t shown = std::min(families.size(), most_per_engine);
    left_out += families.size() - shown;
    for (std::size_t i = 0; i < shown; ++i) lines.push_back({&engine, std::move(families[i])});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return std::tuple(a.family.kind, b.family.cases) < std::tuple(b.family.kind, a.family.cases);
  });
  std::string text = engine_lines(engines);
  if (!lines.empty()) text += '\n';
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, visible_text(line.engine->name).size());
  for (const Line& line : lines) text += family_line(line, width);
  if (left_out > 0) text += fmt::format("  and {} more\n", left_out);
  const auto waived = static_cast<std::size_t>(
      std::ranges::count_if(data.findings, [&](const Finding& f) { return waived_for(data, f) != nullptr; }));
  if (waived > 0) text += fmt::format("{} of these waived or known\n", counted(waived, "case"));
  for (const std::string& complaint : data.waiver_complaints) text += visible_text(complaint) + "\n";
  if (const std::string fingerprint = render_fingerprint(data); !fingerprint.empty()) text += '\n' + fingerprint;
  if (const std::string coverage = coverage_text(data.coverage); !coverage.empty()) text += '\n' + coverage;
  return text;
}

}  // namespace cellproof::reports
