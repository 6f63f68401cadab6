#include "lab/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <set>
#include <string>

#include "lab/stores/differing_findings.hpp"
#include "reports/store.hpp"

namespace cellproof::lab {
namespace {

struct SameFindingsArguments {
  std::string before, after;
  std::string again;  ///< a second run of what made `before`; "" where there is none
};

std::vector<Finding> findings_in(const std::string& file) {
  return reports::Store::open_read_only(file).findings();
}

int same_findings(const SameFindingsArguments& arguments) {
  const std::vector<Finding> before = findings_in(arguments.before), after = findings_in(arguments.after);
  std::set<DifferingFinding::Key> by_chance;
  if (!arguments.again.empty()) {
    for (const DifferingFinding& one : differing_findings(before, findings_in(arguments.again)))
      by_chance.insert(one.key);
  }
  std::size_t differing = 0, excused = 0;
  for (const DifferingFinding& one : differing_findings(before, after)) {
    if (by_chance.contains(one.key)) {
      ++excused;
      continue;
    }
    ++differing;
    const auto& [engine, suite, number] = one.key;
    fmt::print("{} {} {}: {}\n  {}\n", engine, suite, number, fmt::join(one.fields, ", "), one.case_line);
  }
  fmt::print("{} findings before, {} after, {} differ", before.size(), after.size(), differing);
  if (!arguments.again.empty()) fmt::print(", {} more where the run before was not repeated either", excused);
  fmt::print("\n");
  return differing == 0 ? ok : unexpected;
}

}  // namespace

void add_same_findings(CLI::App& app, Work& work) {
  auto* command = app.add_subcommand("same-findings", "List findings that two stores do not hold alike");
  const auto arguments = std::make_shared<SameFindingsArguments>();
  command->add_option("before", arguments->before, "Store of the run before a change")->required();
  command->add_option("after", arguments->after, "Store of the run after it")->required();
  command->add_option("--again", arguments->again,
                      "Store of a second run before the change: skip cases that it does not repeat");
  command->callback([&work, arguments] { work = [arguments] { return same_findings(*arguments); }; });
}

}  // namespace cellproof::lab
