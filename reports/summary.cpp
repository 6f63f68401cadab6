#include <fmt/format.h>

#include <algorithm>

#include "reports/coverage.hpp"
#include "reports/listed_causes.hpp"
#include "reports/plain_text.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

constexpr std::size_t longest_title = 300;

std::string cut(const std::string& line, std::size_t width) {
  std::string kept;
  std::size_t count = 0, kept_bytes = 0;
  for_each_character(visible_text(line), "?", [&](std::uint32_t, std::string_view bytes) {
    if (++count <= width) kept += bytes;
    if (count + 3 <= width) kept_bytes = kept.size();
  });
  return (count <= width ? kept : kept.substr(0, kept_bytes) + "...") + '\n';
}

/// Widths of the columns before a cause's title.
struct Columns {
  std::size_t cases = 0, standing = 11;

  explicit Columns(const std::vector<ShownCause>& causes) {
    for (const ShownCause& shown : causes) {
      cases = std::max(cases, counted(static_cast<std::size_t>(shown.cause.cases), "case").size());
      standing = std::max(standing, standing_of(shown).size());
    }
  }
};

std::string cause_line(const ShownCause& shown, const Columns& columns, std::size_t width) {
  const Cause& cause = shown.cause;
  return cut(
      fmt::format("  {:>{}}  {:<{}}  {} ({})", counted(static_cast<std::size_t>(cause.cases), "case"), columns.cases,
                  standing_of(shown), columns.standing, shortened(cause.title, longest_title), operators_of(cause)),
      width);
}

std::string groups_of_cause(const ShownCause& shown, const std::vector<Group>& groups, std::size_t width) {
  std::string lines;
  for (const std::size_t place : shown.groups) {
    const Group& group = groups[place];
    const std::string when = condition_of(group);
    lines += cut(fmt::format("      {}  {}{}{} ({})", info(group.kind).id, sentence_of(group), when.empty() ? "" : ", ",
                             when, counted(group.members.size(), "case")),
                 width);
  }
  return lines;
}

/// Lines that belong to no engine's causes.
std::vector<std::string> closing_lines(const ReportData& data, const std::vector<ShownCause>& causes) {
  std::vector<std::string> lines = lines_on_missing_causes(causes);
  const auto waived = static_cast<std::size_t>(
      std::ranges::count_if(data.findings, [&](const Finding& f) { return waived_for(data, f) != nullptr; }));
  if (waived > 0) lines.push_back(counted(waived, "case") + " of these waived or known");
  lines.insert(lines.end(), data.waiver_complaints.begin(), data.waiver_complaints.end());
  return lines;
}

}  // namespace

std::string render_summary(const ReportData& data, const SummaryOptions& options) {
  const std::vector<Group> groups = groups_of(data);
  const std::vector<ShownCause> causes = shown_causes(data, groups);
  const std::vector<EngineTally> tallies = tally(data, causes);
  const std::vector<std::string> closing = closing_lines(data, causes);
  std::size_t taken = closing.size(), name_width = 0;
  for (const EngineTally& engine : tallies) {
    taken += 1 + engine.remarks.size();
    name_width = std::max(name_width, visible_text(title_of(engine)).size());
  }
  const Columns columns(causes);
  const std::size_t lines = options.is_verbose ? causes.size() : options.lines > taken ? options.lines - taken : 0;
  const std::size_t width = options.width;
  std::string text;
  for (const ListedCauses& listed : list_causes(tallies, causes, lines)) {
    const EngineTally& engine = *listed.engine;
    text += cut(fmt::format("{:<{}}  {}", visible_text(title_of(engine)), name_width, headline_of(engine)), width);
    for (const std::string& remark : engine.remarks)
      text += cut(fmt::format("{:<{}}  {}", "", name_width, remark), width);
    for (std::size_t k = 0; k < listed.shown; ++k) {
      text += cause_line(*listed.causes[k], columns, width);
      if (options.is_verbose) text += groups_of_cause(*listed.causes[k], groups, width);
    }
    if (listed.shown > 0 && listed.left_out() > 0) text += cut(fmt::format("  and {} more", listed.left_out()), width);
  }
  for (const std::string& line : closing) text += cut(line, width);
  if (!options.is_verbose) return text;
  if (const std::string fingerprint = render_fingerprint(data); !fingerprint.empty()) text += '\n' + fingerprint;
  if (const std::string coverage = coverage_text(data.coverage); !coverage.empty()) text += '\n' + coverage;
  return text;
}

}  // namespace cellproof::reports
