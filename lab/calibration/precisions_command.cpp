#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "lab/calibration/precisions.hpp"
#include "lab/command.hpp"

namespace cellproof::lab {
namespace {

struct PrecisionsArguments {
  std::int64_t cases = 8;
  std::uint64_t seed = 0;
  bool wrong = false;
};

void print_names(const char* word, const std::map<std::string, std::int64_t>& counts) {
  for (const auto& [named, count] : counts) fmt::print("  {} {} {}", word, named, count);
}

int print_labelled(const PrecisionsArguments& arguments) {
  const LabelledSet set = judge_labelled(arguments.cases, arguments.seed);
  fmt::print("{:<28} {:>6} {:>8}  {}\n", "kind of engine", "passed", "no cause", "named");
  std::int64_t unnamed = 0;
  for (const LabelledRow& row : set.rows) {
    fmt::print("{:<28} {:>6} {:>8}", row.kind, row.passed, row.unnamed);
    print_names("right", row.right);
    print_names("WRONG", row.wrong);
    fmt::print("\n");
    for (const std::string& line : row.wrong_lines) {
      if (arguments.wrong) fmt::print("    {}\n", line);
    }
    unnamed += row.unnamed;
  }
  const std::int64_t said = set.right() + set.wrong();
  const double share = said == 0 ? 0 : 100.0 * static_cast<double>(set.right()) / static_cast<double>(said);
  fmt::print("{} kinds; {} causes named, {} of them right ({:.1f} %); {} failures with no listed cause\n",
             set.rows.size(), said, set.right(), share, unnamed);
  constexpr double least_share = 95;
  return share >= least_share ? ok : unexpected;
}

}  // namespace

void add_precisions(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<PrecisionsArguments>();
  CLI::App* command = app.add_subcommand(
      "precisions", "Count how often the right cause is named of engines that lack precision or damage outputs");
  command->add_option("--cases", arguments->cases, "Failing cases per kind and operator")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Another sequence of cases");
  command->add_flag("--wrong", arguments->wrong, "Print the first cases of each wrong name");
  command->footer("Example:\n  cellproof lab precisions --wrong");
  command->callback([arguments, &work] { work = [arguments] { return print_labelled(*arguments); }; });
}

}  // namespace cellproof::lab
