#include "campaign/calibrate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include "cli/command.hpp"
#include "engines/mutants/mutants.hpp"

namespace cellproof::cli {
namespace {

struct CalibrateArguments {
  std::string tier = "quick";
  std::int64_t honest = 0;
  std::uint64_t seed = 0;
};

struct Effort {
  std::int64_t honest_per_operator;
  std::int64_t cases_per_mutant;
  std::int64_t draws_per_mutant;
};

Effort effort_of(const CalibrateArguments& arguments) {
  Effort effort = arguments.tier == "nightly" ? Effort{20'000, 20, 4000} : Effort{500, 4, 1200};
  if (arguments.honest > 0) effort.honest_per_operator = arguments.honest;
  return effort;
}

bool print_honest(const campaign::HonestCalibration& result) {
  fmt::print("{:<5} {:<9} {:>9} {:>10} {:>7}  {}\n", "", "", "CONFORMS", "UNDECIDED", "alarms", "worst error / bound");
  std::int64_t alarms = 0;
  std::int64_t findings = 0;
  for (const campaign::HonestRow& row : result.rows) {
    fmt::print("{:<5} {:<9} {:>9} {:>10} {:>7}  {:.3f}\n", name(row.op), onnx_name(row.type), row.conforms,
               row.undecided, row.alarms, row.worst_ratio);
    alarms += row.alarms;
    findings += row.conforms + row.undecided + row.alarms;
  }
  for (const campaign::FalseAlarm& alarm : result.alarms) {
    fmt::print("false alarm: {} on an honest engine ({}): {}\n  {}\n", name(alarm.verdict), alarm.style, alarm.message,
               alarm.case_line);
  }
  fmt::print("{} honest findings, {} false alarms\n", findings, alarms);
  return alarms == 0 && findings > 0;
}

bool print_mutants(const std::vector<campaign::MutantRow>& rows) {
  std::int64_t tried = 0;
  std::int64_t found = 0;
  for (const campaign::MutantRow& row : rows) {
    tried += row.tried;
    found += row.found;
    if (row.found < row.tried) {
      fmt::print("{} in {}: found in {} of the {} cases that it changes; not in\n  {}\n", row.id, name(row.op),
                 row.found, row.tried, row.missed);
    }
  }
  const std::vector<std::string> never = campaign::mutants_never_found(rows);
  for (const std::string& id : never) fmt::print("{}: never found\n", id);
  fmt::print("{} seeded faults, {} never found; {} of {} changed results found\n", engines::mutants::mutants().size(),
             never.size(), found, tried);
  return never.empty() && !rows.empty();
}

int calibrate(const CalibrateArguments& arguments) {
  const Effort effort = effort_of(arguments);
  const int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const bool honest = print_honest(campaign::calibrate_honest(effort.honest_per_operator, jobs, arguments.seed));
  const bool mutants =
      print_mutants(campaign::calibrate_mutants(effort.cases_per_mutant, effort.draws_per_mutant, arguments.seed));
  return honest && mutants ? ok : unexpected;
}

}  // namespace

void add_calibrate(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App* command = app.add_subcommand(
      "calibrate", "Measure the oracle itself: honest engines must pass, seeded faults must be found");
  command->add_option("--tier", arguments->tier, "quick (500 findings an operator) or nightly (20,000)")
      ->check(CLI::IsMember({"quick", "nightly"}))
      ->capture_default_str();
  command->add_option("--honest", arguments->honest, "Honest findings per operator")->check(CLI::PositiveNumber);
  command->add_option("--seed", arguments->seed, "Another sequence of cases");
  command->footer("Example:\n  cellproof calibrate --tier nightly");
  command->callback([arguments, &work] { work = [arguments] { return calibrate(*arguments); }; });
}

}  // namespace cellproof::cli
