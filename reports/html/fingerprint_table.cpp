#include "reports/html/fingerprint_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/fingerprint.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

std::string operators_of(const FingerprintRow& row) {
  std::vector<std::string_view> names;
  for (const Operator op : row.operators) names.push_back(name(op));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string answer_markup(const FingerprintRow& row, bool with_operators) {
  std::string hover = row.cases > 0 ? fmt::format("{}: {}", operators_of(row), counted(row.cases, "case")) : "";
  if (!row.example.empty())
    hover += fmt::format("{}for example {}", hover.empty() ? "" : "; ", shortened(row.example, 400));
  const std::string whose = with_operators ? fmt::format("<small>{}</small> ", html_escape(operators_of(row))) : "";
  return fmt::format("<span class=\"answer {}{}\" title=\"{}\">{}{}</span>", name(row.decision),
                     is_remarkable(row) ? " remarkable" : "", html_escape(hover), whose, html_escape(words_of(row)));
}

std::string cell_markup(const std::vector<FingerprintRow>& rows, Clause clause) {
  const auto of_clause = [&](const FingerprintRow& row) { return row.clause == clause; };
  const auto count = std::ranges::count_if(rows, of_clause);
  std::string text;
  for (const FingerprintRow& row : rows)
    if (of_clause(row)) text += (text.empty() ? "" : "<br>") + answer_markup(row, count > 1);
  return fmt::format("<td>{}</td>", text);
}

}  // namespace

std::string fingerprint_table(const ReportData& data, const std::vector<EngineTally>& engines) {
  if (!has_fingerprint(data.findings)) return "";
  std::string head;
  std::vector<std::vector<FingerprintRow>> columns;
  for (const EngineTally& engine : engines) {
    if (!engine.ran()) continue;
    head += fmt::format("<th scope=\"col\">{}</th>", html_escape(engine.name));
    columns.push_back(fingerprint_of(data.findings, engine.name));
  }
  std::string rows;
  for (const ClauseInfo& clause : clauses()) {
    std::string cells;
    for (const std::vector<FingerprintRow>& column : columns) cells += cell_markup(column, clause.clause);
    rows += fmt::format("<tr><th scope=\"row\" title=\"{}\">{}</th>{}</tr>\n", html_escape(clause.text),
                        html_escape(clause.id), cells);
  }
  return fmt::format(
      "<section id=\"fingerprint\"><h2>Fingerprint</h2>\n"
      "<p class=\"note\">Which reading of each clause an engine's outputs prove: all other listed readings are "
      "excluded "
      "by a certified bound. Bold is what differs from our default, or is not one answer; hover for a case that shows "
      "it.</p>\n"
      "{}</section>\n",
      scrolling("Fingerprint",
                fmt::format("<table class=\"fingerprint\"><thead><tr><th scope=\"col\">clause</th>{}</tr></thead>\n"
                            "<tbody>{}</tbody></table>",
                            head, rows)));
}

}  // namespace cellproof::reports::html
