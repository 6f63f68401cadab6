#include <fmt/format.h>

#include <cctype>

#include "reports/html/engine.hpp"
#include "reports/html/group.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/readings.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t unfolded_families = 4;
constexpr std::size_t most_groups = 80;
constexpr std::size_t most_rows = 100;

std::vector<const Group*> of_engine(const std::vector<Group>& groups, const EngineTally& engine) {
  std::vector<const Group*> own;
  for (const Group& group : groups)
    if (group.engine == engine.name) own.push_back(&group);
  return own;
}

std::string kind_heading(FindingKind kind) {
  std::string title(info(kind).plural);
  title.front() = static_cast<char>(std::toupper(title.front()));
  return fmt::format("<h3>{}{} <small>{}</small></h3>\n", icon(kind), title, html_escape(info(kind).what));
}

/// Family by family, so that the same fault of LSTM, GRU and RNN stands together.
std::string faults(const EngineTally& engine, const std::vector<Group>& groups) {
  std::string out;
  std::size_t number = 0;
  FindingKind last = FindingKind::Conforms;
  std::size_t unfolded = 0;
  for (const Family& family : families_of(groups, engine.name)) {
    ++unfolded;
    for (const std::size_t position : family.groups) {
      if (++number > most_groups) continue;
      if (family.kind != last) out += kind_heading(family.kind);
      last = family.kind;
      out += fault_group(groups[position], group_anchor(groups, position),
                         unfolded <= unfolded_families && position == family.groups.front());
    }
  }
  if (number > most_groups)
    out += fmt::format("<p class=\"note\">And {} in the store; <code>report --format json</code> lists all.</p>",
                       counted(number - most_groups, "more group"));
  return out;
}

/// Groups that need no evidence: one row each, with a case to start from.
std::string table_of(const std::vector<const Group*>& groups, FindingKind kind, std::string_view title) {
  std::string rows;
  std::size_t cases = 0;
  std::size_t number = 0;
  for (const Group* group : groups) {
    if (group->kind != kind) continue;
    cases += group->members.size();
    if (++number > most_rows) continue;
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td>{}{}<details class=\"cases\"><summary>a case</summary>{}</details></td></tr>",
        thousands(group->members.size()), foldable(sentence_of(*group), 360), condition(condition_of(*group)),
        replay(*group->representative, group->engine_argument));
  }
  if (rows.empty()) return "";
  if (number > most_rows)
    rows += fmt::format("<tr><td></td><td>and {}</td></tr>", counted(number - most_rows, "more group"));
  return fmt::format(
      "<details class=\"fold\"><summary>{}<span>{}</span> <span class=\"count\">{}</span> <small>{}</small></summary>"
      "<table class=\"rows\">{}</table></details>\n",
      icon(kind), title, counted(cases, "case"), html_escape(info(kind).what), rows);
}

}  // namespace

std::string group_anchor(const std::vector<Group>& groups, std::size_t position) {
  return fmt::format("{}-{}", anchor(groups[position].engine), position + 1);
}

std::string engine_section(const EngineTally& engine, const std::vector<Group>& all_groups) {
  const std::vector<const Group*> groups = of_engine(all_groups, engine);
  return fmt::format(
      "<section class=\"engine\" id=\"{}\"><h2>{} <span class=\"version\">{}</span></h2><p "
      "class=\"lead\">{}</p>\n{}{}{}{}{}{}</section>\n",
      anchor(engine.name), html_escape(engine.name), html_escape(engine.version), html_escape(headline_of(engine)),
      faults(engine, all_groups), readings(engine, groups), table_of(groups, FindingKind::Gap, "Gaps"),
      table_of(groups, FindingKind::Undecided, "Undecided"), table_of(groups, FindingKind::Unreadable, "Unreadable"),
      table_of(groups, FindingKind::HarnessError, "Harness errors"));
}

}  // namespace cellproof::reports::html
