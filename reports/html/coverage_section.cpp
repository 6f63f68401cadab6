#include "reports/html/coverage_section.hpp"

#include <fmt/format.h>

#include "reports/coverage.hpp"
#include "reports/html/coverage_map.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

std::string share_cell(std::size_t part, std::size_t whole) {
  return fmt::format("<td title=\"{} of {}\">{}</td>", thousands(part), thousands(whole), percentage(part, whole));
}

std::string count_cell(std::size_t count) {
  return count == 0 ? "<td class=\"none\">0</td>" : fmt::format("<td>{}</td>", thousands(count));
}

std::string counts_cells(const TupleCounts& counts) {
  return fmt::format("<td>{}</td>{}{}{}{}", thousands(counts.possible), share_cell(counts.covered(), counts.possible),
                     share_cell(counts.supported(), counts.possible), count_cell(counts.undecided),
                     count_cell(counts.failing));
}

std::string table(const std::vector<Coverage>& coverage) {
  std::string rows;
  for (const Coverage& row : coverage) {
    rows += fmt::format("<tr><th scope=\"row\">{} <span class=\"version\">{}</span></th>{}{}</tr>\n",
                        html_escape(row.engine), name(row.op), counts_cells(row.pairs), counts_cells(row.triples));
  }
  const char* columns =
      "<th scope=\"col\">possible</th><th scope=\"col\">tried</th><th scope=\"col\">run</th>"
      "<th scope=\"col\">undecided</th><th scope=\"col\">fail</th>";
  return scrolling("Pairs and triples tried",
                   fmt::format("<table class=\"numbers\"><thead><tr><td></td><th colspan=\"5\" "
                               "scope=\"colgroup\">pairs</th>"
                               "<th colspan=\"5\" scope=\"colgroup\">triples</th></tr><tr><td></td>{0}{0}</tr></thead>"
                               "<tbody>{1}</tbody></table>",
                               columns, rows)) +
         "\n";
}

}  // namespace

std::string coverage_section(const std::vector<Coverage>& coverage) {
  if (coverage.empty()) return "";
  std::string maps;
  for (const Coverage& row : coverage) {
    maps += fmt::format(
        "<details class=\"fold\"{}><summary><span>{}, {}</span> <span class=\"count\">{} of {} fail</span> "
        "<small>axis by axis</small></summary>{}</details>\n",
        &row == &coverage.front() ? " open" : "", html_escape(row.engine), name(row.op), thousands(row.pairs.failing),
        counted(row.pairs.possible, "pair"),
        scrolling(fmt::format("Axis by axis: {}, {}", row.engine, name(row.op)), coverage_map(row)));
  }
  return fmt::format(
      "<section id=\"coverage\"><h2>Coverage of the specification</h2><p class=\"note\">Pairs and triples of axis "
      "values "
      "that a valid case can have. Tried: in some case of this run. Run: the engine ran one of those cases. Undecided: "
      "it passed none of those that it ran, and of one nothing could be said. Fail: it failed all of those that it "
      "ran.</p>\n{}"
      "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\"><rect id=\"pair\" width=\"14\" "
      "height=\"14\" rx=\"1\"/></svg>"
      "<p class=\"note\">Below the diagonal: the share of two axes' pairs that pass, from <svg class=\"key-cell\" "
      "viewBox=\"0 0 14 14\"><use href=\"#pair\" class=\"passed s0\"/></svg> none to <svg class=\"key-cell\" "
      "viewBox=\"0 0 14 14\"><use href=\"#pair\" class=\"passed s9\"/></svg> all. Above it: the share that fails, "
      "<svg class=\"key-cell\" viewBox=\"0 0 14 14\"><use href=\"#pair\" class=\"failing s9\"/></svg> all, and where "
      "none fails the share that is undecided, <svg class=\"key-cell\" "
      "viewBox=\"0 0 14 14\"><use href=\"#pair\" class=\"undecided s9\"/></svg> all. Point at a "
      "cell for its counts.</p>\n{}</section>\n",
      table(coverage), maps);
}

}  // namespace cellproof::reports::html
