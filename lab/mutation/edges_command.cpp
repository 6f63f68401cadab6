#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/mutation/commands.hpp"
#include "lab/mutation/edge_search.hpp"

namespace cellproof::lab {
namespace {

using Json = nlohmann::ordered_json;

struct EdgesArguments {
  std::int64_t executions = 300;
  std::uint64_t seed = 0;
  bool json = false;
};

/// Prints how many faults in narrow places a search proves, drawn or guided, within so many executions.
int print_edges(const EdgesArguments& arguments) {
  const auto scores = search_edges(arguments.executions, arguments.seed);
  const auto text = [](const std::optional<std::int64_t>& found) { return found ? fmt::format("{}", *found) : "-"; };
  const auto json = [](const std::optional<std::int64_t>& found) { return found ? Json(*found) : Json(); };
  Json list = Json::array();
  if (!arguments.json) fmt::print("{:<26} {:>10} {:>10}  executions until proved\n", "fault", "drawn", "guided");
  for (const EdgeScore& score : scores) {
    list.push_back(
        {{"fault", score.id}, {"what", score.what}, {"drawn", json(score.drawn)}, {"guided", json(score.guided)}});
    if (!arguments.json)
      fmt::print("{:<26} {:>10} {:>10}  {}\n", score.id, text(score.drawn), text(score.guided), score.what);
  }
  if (arguments.json) {
    fmt::print("{}\n", Json{{"executions", arguments.executions}, {"seed", arguments.seed}, {"edges", list}}.dump(2));
    return ok;
  }
  const auto found = [&](auto which) {
    return std::ranges::count_if(scores, [&](const EdgeScore& s) { return (s.*which).has_value(); });
  };
  fmt::print("of {} faults in narrow places, {} executions each: drawn {}, guided {}\n", scores.size(),
             arguments.executions, found(&EdgeScore::drawn), found(&EdgeScore::guided));
  return ok;
}

}  // namespace

void add_edges(CLI::App& mutants, Work& work) {
  auto arguments = std::make_shared<EdgesArguments>();
  CLI::App* command =
      mutants.add_subcommand("edges", "Compare random and guided search: boundary faults proved within N executions");
  command->add_option("--executions", arguments->executions, "Executions per search")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "Random seed")->capture_default_str();
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer("Example:\n  cellproof lab mutants edges --executions 300");
  command->callback([arguments, &work] { work = [arguments] { return print_edges(*arguments); }; });
}

}  // namespace cellproof::lab
