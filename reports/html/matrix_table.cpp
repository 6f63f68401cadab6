#include "reports/html/matrix_table.hpp"

#include <fmt/format.h>

#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

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
  const std::size_t judged = cell.held() + cell.passing();
  std::string text;
  if (with_counts && cell.held() > 0) text = fmt::format("<span>{}/{}</span>", cell.held(), judged);
  if (with_counts && cell.held() == 0 && cell.passing() == 0) text = fmt::format("<span>{}</span>", cell.total());
  const char* strength = cell.all_held() ? " all" : cell.held() > 0 ? " some" : "";
  const std::string words = html_escape(hover(engine, cell));
  return fmt::format("<td class=\"cell k-{}{}\" title=\"{}\">{}{}</td>", info(face).id, strength, words,
                     icon(face, with_counts ? hover(engine, cell) : engine.name), text);
}

/// "activation.f = Elu, Relu"
std::string values_markup(const MatrixRow& row) {
  std::string text;
  std::string axis;
  for (const auto& [name, value] : row.values) {
    if (name != axis) text += fmt::format("{}<code>{}</code> = ", text.empty() ? "" : "; ", html_escape(name));
    text +=
        fmt::format("{}<code class=\"value\">{}</code>", name != axis ? "" : ", ", html_escape(shortened(value, 60)));
    axis = name;
  }
  return text;
}

std::string head_markup(const MatrixRow& row) {
  if (row.values.empty()) return "all cases";
  if (!row.rest) return values_markup(row);
  return fmt::format("<details><summary>{} like this</summary>{}</details>", counted(row.values.size(), "other value"),
                     values_markup(row));
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
      "<ul class=\"legend\">{}</ul><p class=\"note\">Filled: every judged case with this value fails. "
      "Framed: 3/40 = three of forty fail. Values that are not listed are the defaults.</p>",
      items);
}

}  // namespace

std::string matrix_table(const std::vector<MatrixBlock>& blocks, const std::vector<EngineTally>& engines) {
  if (blocks.empty()) return "";
  std::string head = "<th></th>";
  std::vector<bool> shown;
  for (const EngineTally& engine : engines) {
    shown.push_back(engine.ran());
    if (shown.back())
      head += fmt::format("<th scope=\"col\">{}<br><span class=\"version\">{}</span></th>", html_escape(engine.name),
                          html_escape(engine.version));
  }
  std::string body;
  for (const MatrixBlock& block : blocks) {
    body += fmt::format("<tbody><tr class=\"operator\"><th scope=\"rowgroup\" colspan=\"{}\">{}</th></tr>",
                        engines.size() + 1, name(block.op));
    for (const MatrixRow& row : block.rows) {
      std::string cells;
      for (std::size_t i = 0; i < engines.size(); ++i)
        if (shown[i]) cells += cell_markup(engines[i], row.cells[i], !row.rest);
      body += fmt::format("<tr class=\"{}\"><th scope=\"row\">{}</th>{}</tr>", row.values.empty() ? "whole" : "",
                          head_markup(row), cells);
    }
    body += "</tbody>\n";
  }
  return fmt::format(
      "<section id=\"matrix\"><h2>What depends on what</h2>{}<div class=\"scroll\"><table class=\"matrix\">"
      "<thead><tr>{}</tr></thead>\n{}</table></div></section>\n",
      legend(), head, body);
}

}  // namespace cellproof::reports::html
