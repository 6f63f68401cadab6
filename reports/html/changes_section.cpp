#include "reports/html/changes_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/html/cause.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

/// Rows of an engine's table, and how many.
struct ChangedRows {
  std::string changed, same;
  std::size_t fresh = 0, fixed = 0, alike = 0;
};

std::string change_row(const std::string& engine, const Cause& cause, std::string_view since, std::int64_t before,
                       std::int64_t now) {
  const auto number = [](std::int64_t cases) {
    return cases == 0 ? std::string("–") : thousands(static_cast<std::size_t>(cases));
  };
  return fmt::format(
      "<tr><td>{}</td><td><a href=\"#{}\">{}</a> <span class=\"where\">{}</span></td><td class=\"n\">{}</td>"
      "<td class=\"n\">{}</td></tr>",
      since_chip(since), stable_name(engine, cause), html_escape(shortened(cause.title, 300)),
      html_escape(operators_of(cause)), number(before), number(now));
}

ChangedRows rows_of(const std::string& engine, const ReportData& data, const Shown& shown) {
  ChangedRows rows;
  for (const ShownCause& cause : shown.causes) {
    const CauseChange* const change = cause.engine == engine ? data.changes.of(engine, cause.cause.id) : nullptr;
    if (change == nullptr) continue;
    const bool is_new = change->since == Since::New;
    (is_new ? rows.changed : rows.same) +=
        change_row(engine, cause.cause, is_new ? "new" : "same", change->before, cause.cause.cases);
    ++(is_new ? rows.fresh : rows.alike);
  }
  for (const auto& [of, cause] : data.changes.fixed) {
    if (of != engine) continue;
    rows.changed += change_row(engine, cause, "fixed", cause.cases, 0);
    ++rows.fixed;
  }
  return rows;
}

std::string table_of_changes(const std::string& head, const std::string& rows) {
  return fmt::format("<table class=\"rows changes\"><thead>{}</thead><tbody>{}</tbody></table>", head, rows);
}

std::string engine_changes(const std::string& engine, const ReportData& data, const Shown& shown) {
  const ChangedRows rows = rows_of(engine, data, shown);
  const auto version_now = std::ranges::find(data.findings, engine, &Finding::engine)->engine_version;
  const auto before = data.changes.versions.find(engine);
  const std::string head = fmt::format(
      "<tr><th scope=\"col\">change</th><th scope=\"col\">cause</th><th scope=\"col\" class=\"n\">base {}</th>"
      "<th scope=\"col\" class=\"n\">now {}</th></tr>",
      html_escape(before == data.changes.versions.end() ? "" : before->second), html_escape(version_now));
  std::string out = fmt::format("<h3>{} <small>{} new, {} fixed, {} the same</small></h3>\n", html_escape(engine),
                                rows.fresh, rows.fixed, rows.alike);
  if (!rows.changed.empty()) out += table_of_changes(head, rows.changed);
  if (!rows.same.empty())
    out += fmt::format("<details class=\"cases\"{}><summary>{} the same</summary>{}</details>\n",
                       rows.changed.empty() ? " open" : "", counted(rows.alike, "cause"),
                       table_of_changes(head, rows.same));
  return out;
}

}  // namespace

std::string changes_section(const ReportData& data, const Shown& shown) {
  if (data.changes.base.empty()) return "";
  std::set<std::string> engines;
  for (const Finding& finding : data.findings) engines.insert(finding.engine);
  std::string body;
  for (const std::string& engine : engines) {
    const bool is_compared = std::ranges::find(data.changes.uncompared, engine) == data.changes.uncompared.end();
    body += is_compared
                ? engine_changes(engine, data, shown)
                : fmt::format("<h3>{} <small>not compared by cause: the base or this run names none</small></h3>\n",
                              html_escape(engine));
  }
  return fmt::format("<section id=\"changes\"><h2>Against {}</h2>{}</section>\n", html_escape(data.changes.base), body);
}

}  // namespace cellproof::reports::html
