#include <fmt/format.h>

#include <algorithm>

#include "reports/fingerprint.hpp"
#include "reports/plain_text.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

constexpr std::size_t most_in_cell = 48;  ///< of a cell; what is cut off is on the page

std::string cell_of(const std::vector<FingerprintRow>& rows) {
  std::string text;
  for (const FingerprintRow& row : rows) {
    std::vector<std::string_view> operators;
    for (const Operator op : row.operators) operators.push_back(op == Operator::DynamicQuantizeLSTM ? "DQ" : name(op));
    const std::string whose = rows.size() > 1 ? fmt::format("{}: ", fmt::join(operators, ", ")) : "";
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", whose, words_of(row), is_remarkable(row) ? " *" : "");
  }
  return shortened(text, most_in_cell);
}

std::vector<std::string> engines_with_evidence(const ReportData& data) {
  std::vector<std::string> names;
  for (const Finding& finding : data.findings) {
    if (finding.evidence.empty() || std::ranges::find(names, finding.engine) != names.end()) continue;
    names.push_back(finding.engine);
  }
  return names;
}

}  // namespace

std::string render_fingerprint(const ReportData& data) {
  const std::vector<std::string> engines = engines_with_evidence(data);
  if (engines.empty()) return "";
  std::vector<std::vector<std::string>> columns{{"clause"}};
  for (const ClauseInfo& clause : clauses()) columns.front().emplace_back(clause.id);
  for (const std::string& engine : engines) {
    std::vector<std::string>& column = columns.emplace_back(std::vector{visible_text(engine)});
    const std::vector<FingerprintRow> rows = fingerprint_of(data.findings, engine);
    for (const ClauseInfo& clause : clauses()) {
      std::vector<FingerprintRow> of_clause;
      std::ranges::copy_if(rows, std::back_inserter(of_clause),
                           [&](const FingerprintRow& row) { return row.clause == clause.clause; });
      column.push_back(cell_of(of_clause));
    }
  }
  std::string text = "which reading of each clause the outputs prove (* not our default, or not one answer):\n";
  for (std::size_t line = 0; line < columns.front().size(); ++line) {
    std::string row = " ";
    for (const std::vector<std::string>& column : columns) {
      const std::size_t width = std::ranges::max(column, {}, &std::string::size).size();
      row += fmt::format(" {:<{}} ", column[line], width);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace cellproof::reports
