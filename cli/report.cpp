#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/baseline.hpp"
#include "cli/command.hpp"
#include "cli/waivers.hpp"
#include "cli/write_reports.hpp"
#include "reports/store.hpp"

namespace cellproof::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> stores;
  std::string output = "cellproof-report";
  std::vector<std::string> formats{"html", "junit", "json", "coverage"};
  std::string waivers;
  std::string baseline;
};

/// Stores of several shards or engines side by side: all findings, the passports one after the other.
reports::ReportData merged(const std::vector<std::string>& files) {
  reports::ReportData all;
  for (const std::string& file : files) {
    reports::ReportData data = reports::report_data(reports::Store::open_read_only(file));
    if (all.title.empty()) all.title = data.title;
    for (auto& [key, value] : data.passport)
      all.passport.emplace_back(files.size() > 1 ? fmt::format("{}: {}", file, key) : key, value);
    all.engines.insert(all.engines.end(), data.engines.begin(), data.engines.end());
    all.findings.insert(all.findings.end(), data.findings.begin(), data.findings.end());
  }
  return all;
}

int report(const ReportArguments& arguments) {
  const std::vector<oracle::Waiver> waivers = waivers_of(arguments.waivers);
  reports::ReportData data = merged(arguments.stores);
  data.coverage = coverage_where_searched(data.findings);
  std::string since_baseline;
  if (!arguments.baseline.empty()) {
    const std::vector<Finding> base = reports::Store::open_read_only(arguments.baseline).findings();
    since_baseline = to_text(compare_with_baseline(base, arguments.baseline, data), arguments.baseline);
  }
  const int code = apply_waivers(waivers, true, data);
  write_reports(data, arguments.output, arguments.formats);
  fmt::print("{}{}", reports::render_summary(data), since_baseline);
  return code;
}

}  // namespace

void add_report(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Render stores again: the page, JUnit XML, JSON lines");
  command->add_option("STORE", arguments->stores, "SQLite files written by `cellproof run`")->required();
  command->add_option("-o,--output", arguments->output, "Folder of the report")->capture_default_str();
  command->add_option("--format", arguments->formats, "html, junit, json, coverage")->delimiter(',');
  command->add_option("--waivers", arguments->waivers,
                      "File of divergences that are accepted for now (docs/waivers.md)");
  command->add_option("--baseline", arguments->baseline,
                      "Store of an earlier run of the same suites: what it fails in already fails nothing here");
  command->footer(
      "Examples:\n  cellproof report night/*.sqlite -o night/report --format html,junit\n"
      "  cellproof report change.sqlite --baseline main.sqlite");
  command->callback([arguments, &work] { work = [arguments] { return report(*arguments); }; });
}

}  // namespace cellproof::cli
