#include <fmt/format.h>

#include <cctype>

#include "reports/html/capability_table.hpp"
#include "reports/html/cause.hpp"
#include "reports/html/engine.hpp"
#include "reports/html/group.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::size_t most_causes = 80;
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

std::string all_causes(const EngineTally& engine, const Shown& shown) {
  std::string out;
  std::size_t number = 0;
  FindingKind last = FindingKind::Conforms;
  for (const ShownCause& cause : shown.causes) {
    if (cause.engine != engine.name || ++number > most_causes) continue;
    if (cause.kind != last) out += kind_heading(cause.kind);
    last = cause.kind;
    out += cause_details(cause, shown.groups, number == 1 && held_against_engine(cause.kind));
  }
  if (number > most_causes)
    out += fmt::format("<p class=\"note\">And {} in the store; <code>report --format causes</code> lists all.</p>",
                       counted(number - most_causes, "more cause"));
  return out;
}

/// Causes that the base had, and that are gone.
std::string fixed_causes(const EngineTally& engine, const CauseChanges& changes) {
  std::string out;
  for (const auto& [name, cause] : changes.fixed)
    if (name == engine.name) out += fixed_details(name, cause, changes.base);
  return out.empty() ? "" : "<h3>Fixed</h3>\n" + out;
}

/// Groups that need no evidence: one row each, with a case to start from.
std::string table_of(const std::vector<const Group*>& groups, FindingKind kind, std::string_view title,
                     const std::string& id = "") {
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
      "<details class=\"fold\"{}><summary>{}<span>{}</span> <span class=\"count\">{}</span> <small>{}</small></summary>"
      "<table class=\"rows\">{}</table></details>\n",
      id.empty() ? "" : fmt::format(" id=\"{}\"", id), icon(kind), title, counted(cases, "case"),
      html_escape(info(kind).what), rows);
}

}  // namespace

std::string engine_section(const EngineTally& engine, const Shown& shown) {
  const std::vector<const Group*> groups = of_engine(shown.groups, engine);
  return fmt::format(
      "<section class=\"engine\" id=\"{}\"><h2>{} <span class=\"version\">{}</span></h2><p "
      "class=\"lead\">{}</p>\n{}{}{}{}{}{}{}</section>\n",
      anchor(engine.name), html_escape(engine.name), html_escape(engine.version), html_escape(headline_of(engine)),
      all_causes(engine, shown), fixed_causes(engine, *shown.changes),
      capability_table(engine.name, shown.capabilities),
      table_of(groups, FindingKind::Gap, "Gaps", anchor(engine.name) + "-gaps"),
      table_of(groups, FindingKind::Undecided, "Undecided"), table_of(groups, FindingKind::Unreadable, "Unreadable"),
      table_of(groups, FindingKind::HarnessError, "Harness errors"));
}

}  // namespace cellproof::reports::html
