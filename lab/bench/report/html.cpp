#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "lab/bench/report/ratio_plot.hpp"
#include "lab/bench/report/report.hpp"
#include "reports/html/assets.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::lab::bench {
namespace {

std::string ratio_cell(const std::optional<Spread>& ratio) {
  if (!ratio) return "<td></td>";
  return fmt::format("<td>{:.2f}<br><small>{:.2f} to {:.2f}</small></td>", ratio->median, ratio->lower, ratio->upper);
}

std::string time_cell(const Spread& time) {
  return fmt::format("<td>{}<br><small>{} to {}</small></td>", duration_text(time.median), duration_text(time.lower),
                     duration_text(time.upper));
}

std::string subject_row(const BenchSubject& c) {
  const std::string who = reports::html_escape(c.version.empty() ? c.name : c.name + " " + c.version);
  if (!c.missing.empty())
    return fmt::format("<tr><th scope=\"row\">{}</th><td colspan=\"4\" class=\"words\">unavailable: {}</td></tr>\n",
                       who, reports::html_escape(c.missing));
  std::string verdict = reports::html_escape(c.verdict);
  if (c.difference) verdict += fmt::format("<br><small>differs by {:.1e}</small>", *c.difference);
  if (!c.remark.empty())
    verdict += fmt::format("<p class=\"{}\">{}</p>", c.failed ? "complaint" : "note", reports::html_escape(c.remark));
  return fmt::format("<tr><th scope=\"row\">{}</th>{}{}<td class=\"words\">{}</td></tr>\n", who,
                     c.seconds ? time_cell(*c.seconds) : "<td></td>", ratio_cell(c.ratio), verdict);
}

std::string row_section(const BenchRow& row) {
  std::string body;
  for (const BenchSubject& c : row.subjects) body += subject_row(c);
  if (row.limit)
    body += fmt::format(
        "<tr><th scope=\"row\">machine&#39;s limit</th>{}{}<td class=\"words\"><small>{}</small></td></tr>\n",
        time_cell(row.limit->seconds), ratio_cell(row.limit->ratio), reports::html_escape(row.limit->formula));
  if (row.meeting)
    body += fmt::format("<tr><th scope=\"row\">the threads meet</th>{}<td></td><td class=\"words\"></td></tr>\n",
                        time_cell(*row.meeting));
  if (!row.limit_missing.empty())
    body +=
        fmt::format("<tr><th scope=\"row\">machine&#39;s limit</th><td colspan=\"3\" class=\"words\">{}</td></tr>\n",
                    reports::html_escape(row.limit_missing));
  return fmt::format(
      "<section><h3>{}, {}</h3>\n<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th scope=\"col\">subject"
      "</th><th scope=\"col\">time of one run</th><th scope=\"col\">ratio to the first</th><th scope=\"col\">outputs"
      "</th></tr></thead><tbody>{}</tbody></table></div>\n<p class=\"note\">{}</p></section>\n",
      reports::html_escape(row.name), reports::counted(static_cast<std::size_t>(row.threads), "thread"), body,
      reports::html::foldable(row.case_line, 160));
}

constexpr std::string_view page_style = R"css(
h2 { margin: 2.2rem 0 .6rem; } section { margin: 0 0 1.6rem; padding: 0; }
.numbers th:first-child, .numbers td { white-space: nowrap; } .numbers .words, .numbers thead th:last-child { text-align: left; white-space: normal; }
.numbers .words { max-width: 46rem; overflow-wrap: anywhere; }
)css";

std::string headline(const BenchData& data) {
  for (const BenchRow& row : data.rows)
    for (const BenchSubject& c : row.subjects)
      if (c.ratio) return fmt::format("Time in ratio to {}", c.name);
  return "Nothing was measured";
}

}  // namespace

std::string render_bench_html(const BenchData& data) {
  std::string passport;
  for (const auto& [key, value] : data.passport)
    passport += fmt::format("<dt>{}</dt><dd>{}</dd>", reports::html_escape(key), reports::html_escape(value));
  std::set<int> thread_counts;
  for (const BenchRow& row : data.rows) thread_counts.insert(row.threads);
  std::string plots;
  for (const int threads : thread_counts) {
    std::vector<const BenchRow*> rows;
    for (const BenchRow& row : data.rows)
      if (row.threads == threads) rows.push_back(&row);
    if (const std::string plot = ratio_plot(rows); !plot.empty())
      plots += fmt::format("<h2>With {}</h2>\n{}", reports::counted(static_cast<std::size_t>(threads), "thread"), plot);
  }
  std::string sections;
  for (const BenchRow& row : data.rows) sections += row_section(row);
  const std::string title = reports::html_escape("benchmark of " + data.title);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>Cellproof {0}</title>\n<style>{1}{2}{3}</style>\n</head>\n<body>\n"
      "<header class=\"top\"><p class=\"brand\"><b>Cellproof</b> {0}</p><h1>{4}</h1></header>\n"
      "<main>\n<p>Each mark is the median of the ratios of all rounds, its stroke their middle half; to the right is "
      "slower.</p>\n{5}<h2>All figures</h2>\n{6}<h2>Run metadata</h2>\n<dl "
      "class=\"passport\">{7}</dl>\n</main>\n</body>\n"
      "</html>\n",
      title, reports::html::style_sheet(), ratio_plot_style(), page_style, reports::html_escape(headline(data)), plots,
      sections, passport);
}

}  // namespace cellproof::lab::bench
