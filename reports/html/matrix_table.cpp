#include "reports/html/matrix_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

constexpr std::ptrdiff_t most_wide_columns = 7;  ///< beyond that engines have narrow ones
constexpr std::size_t most_values = 12;          ///< of a row before they are folded away

std::string hover(const EngineTally& engine, const MatrixCell& cell) {
  std::string words = engine.name + ": ";
  bool first = true;
  for (const FindingKindInfo& kind : finding_kinds()) {
    const std::size_t count = cell[kind.kind];
    if (count == 0) continue;
    words += fmt::format("{}{} {}", first ? "" : ", ", thousands(count), count == 1 ? kind.singular : kind.plural);
    first = false;
  }
  return words;
}

std::string cell_markup(const EngineTally& engine, const MatrixCell& cell, bool with_counts) {
  if (cell.total() == 0) return "<td class=\"cell none\"></td>";
  const FindingKind face = cell.face();
  std::string text;
  if (with_counts && cell.held() > 0)
    text = fmt::format("<span>{}/{}</span>", cell.held(), cell.held() + cell.passing());
  const char* strength = cell.all_held() ? " all" : cell.held() > 0 ? " some" : "";
  const std::string words = with_counts ? hover(engine, cell) : fmt::format("{}: {}", engine.name, info(face).plural);
  return fmt::format("<td class=\"cell k-{}{}\" title=\"{}\">{}{}</td>", info(face).id, strength, html_escape(words),
                     icon(face, words), text);
}

std::string value_markup(const MatrixValue& value, const std::vector<EngineTally>& engines) {
  std::string words;
  for (std::size_t i = 0; i < engines.size(); ++i)
    if (value.cells[i].total() > 0) words += (words.empty() ? "" : "; ") + hover(engines[i], value.cells[i]);
  return fmt::format("<code class=\"value\" title=\"{}\">{}</code>", html_escape(words),
                     html_escape(shortened(value.value, 60)));
}

/// "activation.f = Elu, Relu; clip = biting"
std::string values_markup(std::span<const MatrixValue> values, const std::vector<EngineTally>& engines) {
  std::string text;
  std::string axis;
  for (const MatrixValue& value : values) {
    const bool next_axis = text.empty() || value.axis != axis;
    if (!text.empty()) text += next_axis ? "; " : ", ";
    if (next_axis) text += fmt::format("<code>{}</code> = ", html_escape(value.axis));
    text += value_markup(value, engines);
    axis = value.axis;
  }
  return text;
}

std::string head_markup(const MatrixRow& row, const std::vector<EngineTally>& engines) {
  if (row.values.empty()) return "all cases";
  const std::span values(row.values);
  if (values.size() <= most_values) return values_markup(values, engines);
  return fmt::format("{}<details><summary>and {} more</summary>{}</details>",
                     values_markup(values.first(most_values), engines), values.size() - most_values,
                     values_markup(values.subspan(most_values), engines));
}

std::string legend() {
  std::string items;
  for (const FindingKindInfo& kind : finding_kinds()) {
    if (kind.kind == FindingKind::Absent || kind.kind == FindingKind::Unreadable ||
        kind.kind == FindingKind::HarnessError)
      continue;
    items += fmt::format("<li>{}{}</li>", icon(kind.kind), kind.singular);
  }
  return fmt::format(
      "<ul class=\"legend\">{}</ul><p class=\"note\">Filled: every judged case with the value fails. Framed: some do, "
      "3/40 = three of forty. Values that look alike share a row; point at one for its counts. Defaults are not "
      "listed.</p>",
      items);
}

}  // namespace

std::string matrix_table(const std::vector<MatrixBlock>& blocks, const std::vector<EngineTally>& engines) {
  if (blocks.empty()) return "";
  std::string head = "<td></td>";
  std::vector<bool> shown;
  for (const EngineTally& engine : engines) {
    shown.push_back(engine.ran());
    if (shown.back())
      head += fmt::format("<th scope=\"col\">{}<br><span class=\"version\">{}</span></th>", html_escape(engine.name),
                          html_escape(engine.version));
  }
  const std::ptrdiff_t columns = std::ranges::count(shown, true);
  std::string body;
  for (const MatrixBlock& block : blocks) {
    body += fmt::format("<tbody><tr class=\"operator\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>", 1 + columns,
                        name(block.op));
    for (const MatrixRow& row : block.rows) {
      std::string cells;
      for (std::size_t i = 0; i < engines.size(); ++i)
        if (shown[i]) cells += cell_markup(engines[i], row.cells[i], row.values.size() < 2);
      body += fmt::format("<tr class=\"{}\"><th scope=\"row\">{}</th>{}</tr>", row.values.empty() ? "whole" : "",
                          head_markup(row, engines), cells);
    }
    body += "</tbody>\n";
  }
  return fmt::format("<section id=\"matrix\"><h2>What depends on what</h2>{}{}</section>\n", legend(),
                     scrolling("Matrix", fmt::format("<table class=\"matrix{}\"><thead><tr>{}</tr></thead>\n{}</table>",
                                                     columns > most_wide_columns ? " many" : "", head, body)));
}

}  // namespace cellproof::reports::html
