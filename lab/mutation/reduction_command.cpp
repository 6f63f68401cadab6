#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lab/mutation/commands.hpp"
#include "lab/mutation/reduction.hpp"
#include "lab/mutation/suite_cases.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::lab {
namespace {

using Json = nlohmann::ordered_json;

/// Smallest of the numbers, sorted ascending, that so large a share of them does not exceed.
std::int64_t quantile(const std::vector<std::int64_t>& sorted, double share) {
  const double place = std::ceil(share * static_cast<double>(sorted.size())) - 1;
  return sorted.at(static_cast<std::size_t>(std::max(place, 0.0)));
}

std::string distribution(const std::vector<MutantReduction>& list, const auto& number_of) {
  std::vector<std::int64_t> numbers;
  std::ranges::transform(list, std::back_inserter(numbers), number_of);
  std::ranges::sort(numbers);
  return fmt::format("{:>6}{:>6}{:>6}", quantile(numbers, 0.5), quantile(numbers, 0.9), numbers.back());
}

/// Medians, ninth deciles and maxima of what reductions start from, come to and cost.
std::string reduction_line(std::string_view title, const std::vector<MutantReduction>& list) {
  using Row = MutantReduction;
  const auto complete = std::ranges::count_if(list, &Row::complete);
  return fmt::format("{:<14}{:>9}  {}  {}  {}  {}{:>10}\n", title, list.size(),
                     distribution(list, [](const Row& row) { return row.start.all; }),
                     distribution(list, [](const Row& row) { return row.left.all; }),
                     distribution(list, [](const Row& row) { return row.left.not_zero; }),
                     distribution(list, [](const Row& row) { return row.calls; }), complete);
}

int print_reductions(const std::vector<std::string>& suites, bool as_json) {
  const std::vector<MutantReduction> all = reduce_mutants(cases_of(suites));
  if (as_json) {
    Json mutants = Json::array();
    const auto numbers = [](const oracle::NumberCount& count) {
      return Json{{"all", count.all}, {"not_zero", count.not_zero}, {"not_zero_or_one", count.not_zero_or_one}};
    };
    for (const auto& row : all) {
      mutants.push_back({{"fault", row.id},
                         {"class", oracle::name(row.cls)},
                         {"operator", name(row.op)},
                         {"case", row.case_name},
                         {"reduced", row.case_line},
                         {"start", numbers(row.start)},
                         {"left", numbers(row.left)},
                         {"calls", row.calls},
                         {"complete", row.complete}});
    }
    fmt::print("{}\n", Json{{"suites", suites}, {"mutants", mutants}}.dump(2));
    return all.empty() ? nothing_ran : ok;
  }
  if (all.empty()) {
    fmt::print("no mutant is killed: there is nothing to reduce\n");
    return nothing_ran;
  }
  fmt::print("numbers in X, W and R together, and calls of the engine: median, ninth decile, largest\n");
  fmt::print("{:<14}{:>9}  {:>18}  {:>18}  {:>18}  {:>18}{:>10}\n", "class", "failures", "at first", "at last",
             "not zero", "calls", "complete");
  for (const oracle::FaultClass cls : oracle::fault_classes()) {
    std::vector<MutantReduction> some;
    std::ranges::copy_if(all, std::back_inserter(some), [&](const auto& row) { return row.cls == cls; });
    if (!some.empty()) fmt::print("{}", reduction_line(oracle::name(cls), some));
  }
  fmt::print("{}", reduction_line("all", all));
  return ok;
}

}  // namespace

void add_reduce(CLI::App& mutants, Work& work) {
  struct Arguments {
    std::vector<std::string> suites;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = mutants.add_subcommand(
      "reduce", "Measure how small a failing case of each mutant becomes, and how many engine calls that takes");
  command->add_option("--suite", arguments->suites, "Suite or tier, repeatable (default: smoke)");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer("Example:\n  cellproof lab mutants reduce --suite smoke");
  command->callback([arguments, &work] {
    work = [arguments] { return print_reductions(suites_of(arguments->suites), arguments->json); };
  });
}

}  // namespace cellproof::lab
