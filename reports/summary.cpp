#include <fmt/format.h>

#include <algorithm>

#include "reports/plain_text.hpp"
#include "reports/render.hpp"
#include "reports/tally.hpp"

namespace cellproof::reports {
namespace {

constexpr std::size_t most_groups = 8;
constexpr std::size_t most_characters = 160;  ///< of a line; a terminal wraps the rest into noise

std::string engine_lines(const std::vector<EngineTally>& engines) {
  std::size_t width = 0;
  for (const EngineTally& engine : engines) width = std::max(width, visible_text(title_of(engine)).size());
  std::string lines;
  for (const EngineTally& engine : engines)
    lines += fmt::format("{:<{}}  {}\n", visible_text(title_of(engine)), width,
                         shortened(visible_text(headline_of(engine)), 240));
  return lines;
}

std::string group_line(const Group& group) {
  const std::string condition = condition_of(group);
  const std::string what = sentence_of(group) + (condition.empty() ? "" : ", " + condition);
  return fmt::format("  {:<10}  {}  {} ({})\n", info(group.kind).id, visible_text(group.engine),
                     shortened(visible_text(what), most_characters), counted(group.members.size(), "case"));
}

}  // namespace

std::string render_summary(const ReportData& data) {
  const std::vector<Group> groups = groups_of(data);
  std::string text = engine_lines(tally(data, groups));
  std::size_t faults = 0;
  for (const Group& group : groups) {
    const bool shown = held_against_engine(group.kind) || group.kind == FindingKind::HarnessError;
    if (shown && ++faults <= most_groups) text += (faults == 1 ? "\n" : "") + group_line(group);
  }
  if (faults > most_groups) text += fmt::format("  and {}\n", counted(faults - most_groups, "more group"));
  return text;
}

}  // namespace cellproof::reports
