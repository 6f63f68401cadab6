#include "reports/html/numbers.hpp"

#include <fmt/format.h>

#include "reports/html/histogram.hpp"
#include "reports/html/markup.hpp"
#include "reports/plain_text.hpp"

namespace cellproof::reports::html {
namespace {

std::vector<FindingKind> kinds_met(const std::vector<EngineTally>& engines) {
  std::vector<FindingKind> met;
  for (const FindingKindInfo& kind : finding_kinds())
    for (const EngineTally& engine : engines)
      if (engine[kind.kind] > 0) {
        met.push_back(kind.kind);
        break;
      }
  return met;
}

std::string seconds(double value) {
  if (value == 0) return "";
  return value < 1 ? fmt::format("{:.0f} ms", value * 1000) : fmt::format("{:.1f} s", value);
}

std::string count_table(const std::vector<EngineTally>& engines) {
  const std::vector<FindingKind> kinds = kinds_met(engines);
  std::string head = "<th scope=\"col\">engine</th><th scope=\"col\">cases</th>";
  for (const FindingKind kind : kinds)
    head += fmt::format("<th scope=\"col\" title=\"{}\">{}{}</th>", html_escape(info(kind).what), icon(kind),
                        info(kind).plural);
  head += "<th scope=\"col\" title=\"in the engine's own calls: preparing, running, releasing\">time inside</th>";
  std::string rows;
  for (const EngineTally& engine : engines) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>", html_escape(title_of(engine)),
                        thousands(engine.total()));
    for (const FindingKind kind : kinds)
      rows += fmt::format("<td class=\"{}\">{}</td>", engine[kind] == 0 ? "none" : "some", thousands(engine[kind]));
    const auto& [prepare, run, release] = engine.timings;
    rows += fmt::format("<td title=\"preparing {:.3g} s, running {:.3g} s, releasing {:.3g} s\">{}</td></tr>\n",
                        prepare, run, release, seconds(prepare + run + release));
  }
  return scrolling(
      "Numbers",
      fmt::format("<table class=\"numbers\"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, rows));
}

std::string distributions(const ReportData& data, const EngineTally& engine) {
  static const std::vector<double> ratio_edges{0, 1.0 / 64, 1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1, 4, 1000};
  static const std::vector<double> ulp_edges{0, 0.5, 1, 2, 4, 8, 16, 64, 1024};
  std::vector<double> ratios;
  std::vector<double> ulps;
  for (const Finding& finding : data.findings) {
    if (finding.engine != engine.name) continue;
    if (finding.judgement.worst_ratio) ratios.push_back(*finding.judgement.worst_ratio);
    if (finding.judgement.max_ulp) ulps.push_back(*finding.judgement.max_ulp);
  }
  if (ratios.empty() && ulps.empty()) return "";
  std::string out = fmt::format("<figure><figcaption>{}</figcaption>", html_escape(title_of(engine)));
  if (!ratios.empty()) out += histogram(ratios, ratio_edges, 1, "worst error of a case / its bound");
  if (!ulps.empty())
    out += histogram(ulps, ulp_edges, std::numeric_limits<double>::infinity(), "worst error of a case in ULP");
  return out + "</figure>\n";
}

}  // namespace

std::string numbers(const ReportData& data, const std::vector<EngineTally>& engines) {
  if (engines.empty()) return "";
  std::string figures;
  for (const EngineTally& engine : engines) figures += distributions(data, engine);
  return fmt::format("<section id=\"numbers\"><h2>Numbers</h2>{}<div class=\"figures\">{}</div></section>\n",
                     count_table(engines), figures);
}

std::string passport(const ReportData& data) {
  std::string rows;
  const auto add = [&](const std::string& of, std::string_view what, const std::string& words) {
    rows +=
        fmt::format("<dt>{}{}{}</dt><dd>{}</dd>", html_escape(of), of.empty() ? "" : ": ", what, foldable(words, 400));
  };
  for (const auto& [file, run] : data.runs)
    for (const auto& [what, words] : rows_of(run)) add(file, what, words);
  for (const auto& [engine, notes] : data.engines)
    for (const auto& [note, words] : notes)
      if (note != EngineNote::Causes) add(engine, name(note), words);
  if (rows.empty()) return "";
  return fmt::format("<section id=\"passport\"><h2>Run metadata</h2><dl class=\"passport\">{}</dl></section>\n", rows);
}

}  // namespace cellproof::reports::html
