#include "lab/command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "campaign/vectors/make_set.hpp"
#include "corpus/files.hpp"
#include "lab/mutation/suite_cases.hpp"
#include "lab/vectors/score.hpp"
#include "lab/vectors/selection.hpp"
#include "reports/vectors/npz.hpp"

namespace cellproof::lab {
namespace {

const std::vector<std::string> suites_to_choose_from{"onnx-backend", "smoke", "readings", "limits", "regressions"};

struct SelectArguments {
  std::vector<std::string> suites = suites_to_choose_from;
  std::string version = "1.0.0";
  std::int64_t most_numbers = 12000;
};

int print_selection(const SelectArguments& arguments) {
  const auto candidates = candidates_of(cases_of(suites_of(arguments.suites)), arguments.most_numbers);
  const corpus::VectorSelection selection = selection_of(chosen_of(candidates), arguments.version);
  fmt::print("{}", corpus::to_text(selection));
  std::int64_t numbers = 0;
  for (const auto* each : chosen_of(candidates)) numbers += each->numbers;
  fmt::print(stderr, "{} of {} candidates, {} numbers\n", selection.cases.size(), candidates.size(), numbers);
  return candidates.empty() ? nothing_ran : ok;
}

void add_select(CLI::App& vectors, Work& work) {
  auto arguments = std::make_shared<SelectArguments>();
  CLI::App* command =
      vectors.add_subcommand("select", "Choose the cases of corpus/vectors/selection.txt, and print it");
  command->add_option("--suite", arguments->suites, "Choose from this suite or tier, repeatable");
  command->add_option("--set-version", arguments->version, "Version of the set")->capture_default_str();
  command->add_option("--most", arguments->most_numbers, "Numbers of a case at most")->capture_default_str();
  command->footer("Example:\n  cellproof lab vectors select > corpus/vectors/selection.txt");
  command->callback([arguments, &work] { work = [arguments] { return print_selection(*arguments); }; });
}

/// The share of the faults that suites find, in each operator.
void print_found(std::string_view what, const PlantedFaults& found, const PlantedFaults& of) {
  fmt::print("{:<44}", what);
  std::size_t all = 0;
  for (const Operator op : all_operators()) {
    const auto is_of = [&](const PlantedFault& each) { return each.first == op; };
    const auto is_found = [&](const PlantedFault& each) { return is_of(each) && found.contains(each); };
    const auto here = std::ranges::count_if(of, is_found);
    all += static_cast<std::size_t>(here);
    fmt::print(" {:>9}", fmt::format("{}/{}", here, std::ranges::count_if(of, is_of)));
  }
  fmt::print(" {:>9} {:>6.1f} %\n", fmt::format("{}/{}", all, of.size()),
             100.0 * static_cast<double>(all) / static_cast<double>(std::max<std::size_t>(1, of.size())));
}

int print_vector_score(const std::vector<std::string>& suites) {
  const reports::VectorSet set = campaign::make_set(corpus::read_vector_selection());
  const PlantedFaults by_suites = found_by_suites(cases_of(suites_of(suites)));
  const PlantedFaults by_intervals = found_by_intervals(set);
  fmt::print("{:<44} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "of the faults that the suites find", "LSTM", "GRU", "RNN",
             "DQ-LSTM", "all");
  print_found(fmt::format("{} vectors, by intervals", set.vectors.size()), by_intervals, by_suites);
  print_found("as directories, by derived tolerances", found_by_directories(set), by_suites);
  print_found("ONNX's official tests", found_by_official_tests(), by_suites);
  bool all_found = true;
  for (const PlantedFault& each : by_suites) {
    if (by_intervals.contains(each)) continue;
    fmt::print("not found: {} in {}\n", each.second, name(each.first));
    all_found = false;
  }
  return all_found ? ok : unexpected;
}

int print_zoo(const std::string& folder) {
  const reports::VectorSet set = campaign::make_set(corpus::read_vector_selection());
  std::int64_t alarms = 0;
  if (!folder.empty()) std::filesystem::create_directories(folder);
  fmt::print("{:<28} {:>8} {:>7} {:>12} {:>7}\n", "honest style", "vectors", "alarms", "directories", "alarms");
  for (const zoo::Style& style : zoo::styles()) {
    const StyleScore score = score_of(set, style);
    fmt::print("{:<28} {:>8} {:>7} {:>12} {:>7}\n", score.style, score.vectors, score.alarms, score.directories,
               score.directory_alarms);
    alarms += score.alarms + score.directory_alarms;
    if (!folder.empty())
      corpus::write_file(std::filesystem::path(folder) / fmt::format("{}.npz", score.style),
                         reports::npz_of(score.outputs));
  }
  return alarms == 0 ? ok : unexpected;
}

int print_withheld_faults(const std::vector<std::string>& suites) {
  constexpr int parts = 5;
  const WithheldScore score =
      score_withheld(candidates_of(cases_of(suites_of(suites)), SelectArguments{}.most_numbers), parts);
  fmt::print("{} of {} withheld faults found ({:.1f} %), a fifth of them withheld at a time\n", score.found,
             score.findable,
             100.0 * static_cast<double>(score.found) / static_cast<double>(std::max<std::int64_t>(1, score.findable)));
  return score.findable > 0 ? ok : nothing_ran;
}

void add_measures(CLI::App& vectors, Work& work) {
  auto suites = std::make_shared<std::vector<std::string>>(suites_to_choose_from);
  auto folder = std::make_shared<std::string>();
  CLI::App* score = vectors.add_subcommand("score", "Count the faults that the vectors find of those that suites find");
  score->add_option("--suite", *suites, "Compare with this suite or tier, repeatable");
  score->callback([suites, &work] { work = [suites] { return print_vector_score(*suites); }; });
  CLI::App* honest = vectors.add_subcommand("zoo", "Judge the honest styles of the zoo by the vectors");
  honest->add_option("-o,--output", *folder, "Write each style's outputs here as .npz")->option_text("DIR");
  honest->callback([folder, &work] { work = [folder] { return print_zoo(*folder); }; });
  CLI::App* withheld =
      vectors.add_subcommand("withheld", "Choose without a fifth of the faults, and count which are found");
  withheld->add_option("--suite", *suites, "Choose from this suite or tier, repeatable");
  withheld->callback([suites, &work] { work = [suites] { return print_withheld_faults(*suites); }; });
}

}  // namespace

void add_vectors(CLI::App& app, Work& work) {
  CLI::App* vectors = app.add_subcommand("vectors", "Choose the vectors, and measure what they find");
  vectors->require_subcommand(1);
  add_select(*vectors, work);
  add_measures(*vectors, work);
}

}  // namespace cellproof::lab
