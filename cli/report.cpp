#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "campaign/data_of_stores.hpp"
#include "campaign/waivers.hpp"
#include "cli/baseline_text.hpp"
#include "cli/command.hpp"
#include "cli/damage.hpp"
#include "fuzz/coverage.hpp"
#include "reports/formats.hpp"
#include "reports/store.hpp"
#include "reports/terminal.hpp"
#include "reports/write_reports.hpp"
#include "spec/utf8.hpp"

namespace cellproof::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> stores;
  std::string output = "cellproof-report";
  std::vector<std::string> formats = reports::names_of_formats();
  std::string waivers;
  std::vector<std::string> baselines;
  bool is_verbose = false;
};

/// The backend-test directories of reduced cases lie where the run put its report, and may be nowhere near this one.
void forget_missing_folders(const std::filesystem::path& output, reports::ReportData& data) {
  for (Finding& finding : data.findings) {
    if (finding.reduction && !std::filesystem::exists(output / finding.reduction->folder))
      finding.reduction->folder = "";
  }
}

int report(const ReportArguments& arguments) {
  const std::vector<oracle::Waiver> waivers = campaign::waivers_of(arguments.waivers);
  reports::ReportData data = campaign::data_of_stores(arguments.stores);
  forget_missing_folders(arguments.output, data);
  data.coverage = fuzz::coverage_where_searched(data.findings);
  const std::string since_baseline = Baselines(arguments.baselines).compare_with(data.runs.front().second, data);
  int code = campaign::apply_waivers(waivers, true, data);
  print_damage(data.damage);
  if (!data.damage.empty() && code != harness_error) code = bad_input;
  reports::write_reports(data, arguments.output, arguments.formats);
  fmt::print("{}{}{}", reports::render_summary(data, reports::summary_options(arguments.is_verbose)),
             reports::not_run_text(data), visible_text(since_baseline, true));
  return code;
}

}  // namespace

void add_report(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Render stores again, or compare them with a baseline");
  command->add_option("STORE", arguments->stores, "Read these stores of `cellproof run`; required")
      ->option_text("...")
      ->required();
  command->add_option("-o,--output", arguments->output, "Write the report here")
      ->option_text("DIR")
      ->capture_default_str();
  command->add_option("--format", arguments->formats, "Write these formats (default: all)")
      ->option_text("FORMAT,...")
      ->delimiter(',');
  command->add_option("--baseline", arguments->baselines, "Fail only for what is new; repeatable")
      ->option_text("STORE")
      ->allow_extra_args(false);
  command->add_option("--waivers", arguments->waivers, "Accept the divergences that this file lists")
      ->option_text("FILE");
  command->add_flag("-v,--verbose", arguments->is_verbose, "Print all causes, their groups, coverage");
  command->footer(
      fmt::format("Examples:\n  cellproof report night/*.sqlite -o night/report --format html,junit\n"
                  "  cellproof report change.sqlite --baseline main.sqlite\n\nFormats: {}",
                  fmt::join(reports::names_of_formats(), ", ")));
  command->callback([arguments, &work] { work = [arguments] { return report(*arguments); }; });
}

}  // namespace cellproof::cli
