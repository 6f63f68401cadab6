#include <fmt/format.h>

#include <string>
#include <string_view>

#include "reports/listed_causes.hpp"
#include "reports/plain_text.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

constexpr std::size_t most_causes = 20;  ///< and lines that say how many more there are: a screenful
constexpr std::size_t most_fixed = 10;
constexpr std::size_t most_engines = 12;
constexpr std::size_t longest_cell = 300;

/// Text of a table's cell that is no markup.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : html_escape(shortened(visible_text(text), longest_cell))) {
    if (std::string_view("\\`*_{}[]|~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string counts(const std::vector<EngineTally>& engines) {
  std::string rows = "| engine | counts |\n| --- | --- |\n";
  for (std::size_t k = 0; k < engines.size() && k < most_engines; ++k)
    rows += fmt::format("| {} | {} |\n", cell(title_of(engines[k])), cell(headline_of(engines[k])));
  if (engines.size() > most_engines) rows += fmt::format("| | and {} more |\n", engines.size() - most_engines);
  return rows;
}

std::string cause_row(const ShownCause& shown) {
  const Cause& cause = shown.cause;
  return fmt::format("| {} | {} | {} | {} | {} |\n", cell(shown.engine), cell(cause.title), cell(operators_of(cause)),
                     thousands(static_cast<std::size_t>(cause.cases)), standing_of(shown));
}

/// Causes of the base that are gone.
std::string fixed_rows(const CauseChanges& changes) {
  std::string rows;
  for (std::size_t k = 0; k < changes.fixed.size() && k < most_fixed; ++k) {
    const auto& [engine, cause] = changes.fixed[k];
    rows += fmt::format("| {} | {} | {} | | fixed |\n", cell(engine), cell(cause.title), cell(operators_of(cause)));
  }
  if (changes.fixed.size() > most_fixed)
    rows += fmt::format("| | and {} more | | | fixed |\n", changes.fixed.size() - most_fixed);
  return rows;
}

}  // namespace

std::string render_markdown(const ReportData& data) {
  const std::vector<Group> groups = groups_of(data);
  const std::vector<ShownCause> causes = shown_causes(data, groups);
  const std::vector<EngineTally> engines = tally(data, causes);
  std::string rows;
  for (const ListedCauses& listed : list_causes(engines, causes, most_causes)) {
    for (std::size_t k = 0; k < listed.shown; ++k) rows += cause_row(*listed.causes[k]);
    if (listed.shown > 0 && listed.left_out() > 0)
      rows += fmt::format("| {} | and {} more | | | |\n", cell(listed.engine->name), listed.left_out());
  }
  rows += fixed_rows(data.changes);
  std::string text = fmt::format("### Cellproof: {}\n\n{}", cell(run_headline(engines)), counts(engines));
  if (!rows.empty())
    text += "\n| engine | cause | operators | cases | status |\n| --- | --- | --- | --- | --- |\n" + rows;
  for (const std::string& line : lines_on_missing_causes(causes)) text += "\n" + cell(line) + "\n";
  for (const auto& [engine, notes] : data.engines) {
    const std::string words = words_of(notes, EngineNote::CausesCutShort);
    if (!words.empty())
      text += fmt::format("\n{}: {}: {}\n", cell(engine), name(EngineNote::CausesCutShort), cell(words));
  }
  for (const std::string& complaint : data.waiver_complaints) text += "\n" + cell(complaint) + "\n";
  return text;
}

}  // namespace cellproof::reports
