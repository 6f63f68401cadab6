#include "lab/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>

#include "lab/calibration/calibrate.hpp"
#include "lab/mutants/mutants.hpp"

namespace cellproof::lab {
namespace {

struct CalibrateArguments {
  std::string tier = "quick";
  std::int64_t honest = 0;
  std::uint64_t seed = 0;
  std::size_t undecided = 0;
};

struct Effort {
  std::int64_t honest_per_operator;
  std::int64_t cases_per_mutant;
  std::int64_t draws_per_mutant;
};

Effort effort_of(const CalibrateArguments& arguments) {
  Effort effort = arguments.tier == "nightly" ? Effort{250'000, 20, 4000} : Effort{500, 4, 1200};
  if (arguments.honest > 0) effort.honest_per_operator = arguments.honest;
  return effort;
}

/// Why honest findings were left undecided, in the order of Doubt.
constexpr std::array doubts{"wide bound", "overflow", "unspecified", "close call"};
static_assert(doubts.size() == doubt_count);

void print_doubts(const Doubts& counts) {
  for (std::size_t k = 0; k < counts.size(); ++k) {
    fmt::print("  {:>{}}", counts[k], std::string_view(doubts[k]).size());
  }
  fmt::print("\n");
}

bool print_honest(const HonestCalibration& result, std::size_t most_undecided, double seconds) {
  const std::string reasons = fmt::format("{}", fmt::join(doubts, "  "));
  fmt::print("{:<18} {:<9} {:>9} {:>7} {:>19} {:>10}  {}\n", "", "", "CONFORMS", "alarms", "worst error / bound",
             "UNDECIDED", reasons);
  std::int64_t alarms = 0, undecided = 0;
  std::int64_t findings = 0;
  for (const HonestRow& row : result.rows) {
    fmt::print("{:<18} {:<9} {:>9} {:>7} {:>19.3f} {:>10}", name(row.op), onnx_name(row.type), row.conforms, row.alarms,
               row.worst_ratio, row.undecided);
    print_doubts(row.doubts);
    alarms += row.alarms;
    undecided += row.undecided;
    findings += row.conforms + row.undecided + row.alarms;
  }
  for (const auto& [regime, counts] : result.regimes) {
    const std::int64_t all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    fmt::print("regime {:<57} {:>10}", regime, all);
    print_doubts(counts);
  }
  for (std::size_t k = 0; k < std::min(most_undecided, result.left_open.size()); ++k) {
    const LeftOpen& open = result.left_open[k];
    fmt::print("undecided ({}): {}\n  {}\n", open.style, open.message, open.case_line);
  }
  for (const FalseAlarm& alarm : result.alarms) {
    fmt::print("false alarm: {} on an honest engine ({}): {}\n  {}\n", name(alarm.verdict), alarm.style, alarm.message,
               alarm.case_line);
  }
  const auto all = static_cast<double>(std::max(findings, std::int64_t{1}));
  fmt::print("{} honest findings, {} false alarms, {} undecided ({:.2f} %), {:.0f} findings a second\n", findings,
             alarms, undecided, 100 * static_cast<double>(undecided) / all, all / seconds);
  std::fflush(stdout);  // what follows takes a while
  return alarms == 0 && findings > 0;
}

bool print_declared(const std::vector<DeclaredRow>& rows) {
  std::int64_t alarms = 0, undecided = 0, all = 0;
  for (const DeclaredRow& row : rows) {
    fmt::print("{:<28} declares {:<16} admitted {:>6}, UNDECIDED {:>5}, alarms {:>3}\n", row.style, name(row.contract),
               row.admitted, row.undecided, row.alarms);
    for (const FalseAlarm& alarm : row.first_alarms)
      fmt::print("  {}: {}\n  {}\n", name(alarm.verdict), alarm.message, alarm.case_line);
    alarms += row.alarms;
    undecided += row.undecided;
    all += row.admitted + row.undecided + row.alarms;
  }
  fmt::print("{} findings of engines that declare their arithmetic, {} false alarms, {} undecided\n", all, alarms,
             undecided);
  std::fflush(stdout);
  return alarms == 0 && all > 0;
}

bool print_damaged(const std::vector<DamagedRow>& rows, std::size_t most_named) {
  std::int64_t tried = 0, named = 0;
  for (const DamagedRow& row : rows) {
    fmt::print("one element off by 1e-4 in {:<5} DIVERGES {}, SUSPECT {}, taken for PRECISION {}, not found {} of {}\n",
               name(row.op), row.diverges, row.suspect, row.excused, row.missed, row.tried);
    for (std::size_t k = 0; k < std::min(most_named, row.others.size()); ++k)
      fmt::print("  {}\n  {}\n", row.others[k].message, row.others[k].case_line);
    tried += row.tried;
    named += row.diverges + row.suspect;
  }
  std::fflush(stdout);
  return 10 * named >= 9 * tried;
}

bool print_mutants(const std::vector<MutantRow>& rows) {
  std::int64_t tried = 0;
  std::int64_t found = 0;
  std::int64_t tried_without_Y = 0;
  std::int64_t missed_without_Y = 0;
  std::int64_t hidden = 0;
  for (const MutantRow& row : rows) {
    hidden += row.hidden;
    tried_without_Y += row.tried_without_Y;
    missed_without_Y += static_cast<std::int64_t>(row.missed_without_Y.size());
    tried += row.tried;
    found += row.found;
    for (const std::string& line : row.missed_without_Y)
      fmt::print("{} in {}: not found by last states alone in\n  {}\n", row.id, name(row.op), line);
    if (row.found < row.tried) {
      fmt::print("{} in {}: found in {} of the {} cases that it changes; not in\n  {}\n", row.id, name(row.op),
                 row.found, row.tried, row.missed);
    }
  }
  const std::vector<std::string> never = mutants_never_found(rows);
  for (const std::string& id : never) fmt::print("{}: never found\n", id);
  fmt::print("{} seeded faults, {} never found; {} of {} changed results found\n", mutants::mutants().size(),
             never.size(), found, tried);
  const std::int64_t found_without_Y = tried_without_Y - missed_without_Y;
  fmt::print(
      "of those without Y, by last states alone: {} of {} ({:.1f} %); {} more are smaller than what the contract "
      "leaves "
      "a function\n",
      found_without_Y, tried_without_Y,
      100.0 * static_cast<double>(found_without_Y) / static_cast<double>(std::max<std::int64_t>(tried_without_Y, 1)),
      hidden);
  return never.empty() && !rows.empty();
}

int calibrate(const CalibrateArguments& arguments) {
  const Effort effort = effort_of(arguments);
  const int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto start = std::chrono::steady_clock::now();
  const HonestCalibration calibration = calibrate_honest(effort.honest_per_operator, jobs, arguments.seed);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const bool honest = print_honest(calibration, arguments.undecided, taken.count());
  const bool declared = print_declared(calibrate_declared(2 * effort.cases_per_mutant, arguments.seed));
  const bool damaged =
      print_damaged(calibrate_damaged(20 * effort.cases_per_mutant, arguments.seed), arguments.undecided);
  const bool mutants =
      print_mutants(calibrate_mutants(effort.cases_per_mutant, effort.draws_per_mutant, arguments.seed));
  return honest && declared && damaged && mutants ? ok : unexpected;
}

}  // namespace

void add_calibrate(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App* command = app.add_subcommand(
      "calibrate", "Measure the oracle itself: honest engines must pass, seeded faults must be found");
  command->add_option("--tier", arguments->tier, "quick (500 findings an operator) or nightly (250,000)")
      ->check(CLI::IsMember({"quick", "nightly"}))
      ->capture_default_str();
  command->add_option("--honest", arguments->honest, "Honest findings per operator")->check(CLI::PositiveNumber);
  command->add_option("--undecided", arguments->undecided, "Name so many of the findings that were left undecided");
  command->add_option("--seed", arguments->seed, "Another sequence of cases");
  command->footer("Example:\n  cellproof lab calibrate --tier nightly");
  command->callback([arguments, &work] { work = [arguments] { return calibrate(*arguments); }; });
}

}  // namespace cellproof::lab
