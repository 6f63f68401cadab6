#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reports/html/assets.hpp"
#include "reports/html/changes_section.hpp"
#include "reports/html/coverage_section.hpp"
#include "reports/html/engine.hpp"
#include "reports/html/fingerprint_table.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/matrix_table.hpp"
#include "reports/html/numbers.hpp"
#include "reports/plain_text.hpp"
#include "reports/render.hpp"

namespace cellproof::reports {
namespace {

/// Engines with faults, then those without, then the absent.
std::vector<EngineTally> worst_first(std::vector<EngineTally> engines) {
  std::stable_sort(engines.begin(), engines.end(), [](const EngineTally& a, const EngineTally& b) {
    return std::tuple(b.at_fault(), b.ran()) < std::tuple(a.at_fault(), a.ran());
  });
  return engines;
}

std::string navigation(const std::vector<EngineTally>& engines, std::size_t causes, bool with_changes,
                       bool with_fingerprint, bool with_coverage) {
  std::string links;
  for (const EngineTally& engine : engines)
    if (engine.ran())
      links += fmt::format("<a href=\"#{}\" class=\"{}\">{}</a>", html::anchor(engine.name),
                           engine.at_fault() ? "faulty" : "sound", html_escape(engine.name));
  if (links.empty()) return "";
  const char* tools =
      causes < 2 ? ""
                 : "<span class=\"tools\"><input id=\"filter\" type=\"search\" placeholder=\"Filter: status:new "
                   "LSTM\" aria-label=\"Filter causes by words, operator or status:proved\"><span id=\"shown\"></span>"
                   "<button type=\"button\" id=\"unfold\">Unfold all</button></span>";
  return fmt::format(
      "<nav>{}{}{}<a href=\"#matrix\">Matrix</a>{}<a href=\"#numbers\">Numbers</a>"
      "<a href=\"#passport\">Run metadata</a>{}</nav>\n",
      with_changes ? "<a href=\"#changes\">Changes</a>" : "", links,
      with_fingerprint ? "<a href=\"#fingerprint\">Fingerprint</a>" : "",
      with_coverage ? "<a href=\"#coverage\">Coverage</a>" : "", tools);
}

}  // namespace

std::string render_html(const ReportData& data) {
  html::Shown shown{groups_of(data), {}, &data.changes, capabilities_of(data), false};
  shown.causes = shown_causes(data, shown.groups);
  const std::vector<EngineTally> engines = worst_first(tally(data, shown.causes));
  constexpr std::ptrdiff_t most_in_full = 4;
  shown.has_many_engines = std::ranges::count_if(engines, &EngineTally::ran) > most_in_full;
  std::string cards;
  std::string sections;
  for (const EngineTally& engine : engines) {
    cards += html::engine_card(engine, shown);
    if (engine.ran()) sections += html::engine_section(engine, shown);
  }
  std::string complaints;
  for (const std::string& line : data.damage)
    complaints += fmt::format("<p class=\"lead complaint\">Left out: {}</p>\n", html_escape(line));
  for (const std::string& complaint : data.waiver_complaints)
    complaints += fmt::format("<p class=\"lead complaint\">{}</p>\n", html_escape(complaint));
  for (const std::string& line : lines_on_missing_causes(shown.causes))
    complaints += fmt::format("<p class=\"lead\">{}.</p>\n", html_escape(line));
  if (const std::size_t refused = data.newly_refused.size(); refused > 0) {
    complaints += fmt::format(
        "<p class=\"lead complaint\">{} newly refused: valid, and run without a fault in the base. They are among the "
        "gaps.</p>\n",
        counted(refused, "case"));
  }
  const std::string changes = html::changes_section(data, shown);
  const std::string fingerprint = html::fingerprint_table(data, engines);
  const std::string title = html_escape(data.title.empty() ? "report" : "report: " + data.title);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'\">\n"
      "<title>Cellproof {}</title>\n<style>{}</style>\n<script>{}</script>\n</head>\n<body>\n{}"
      "<header class=\"top\"><p class=\"brand\"><b>Cellproof</b> {}</p><h1>{}</h1>\n{}<ul "
      "class=\"cards\">{}</ul></header>\n"
      "{}<main>\n{}{}{}{}{}{}{}</main>\n</body>\n</html>\n",
      title, html::style_sheet(), html::script(), html::icon_definitions(), title, html_escape(run_headline(engines)),
      complaints, cards,
      navigation(engines, shown.causes.size() + data.changes.fixed.size(), !changes.empty(), !fingerprint.empty(),
                 !data.coverage.empty()),
      changes, sections, fingerprint, html::matrix_table(matrix_of(data, engines), engines),
      html::coverage_section(data.coverage), html::numbers(data, engines), html::passport(data));
}

}  // namespace cellproof::reports
