#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "corpus/suite.hpp"
#include "lab/mutation/commands.hpp"
#include "lab/mutation/mutation.hpp"
#include "lab/mutation/suite_cases.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::lab {
namespace {

using Json = nlohmann::ordered_json;

struct ScoreArguments {
  std::vector<std::string> suites;
  std::string cases;  ///< a file of case lines, instead of suites
  bool matrix = false;
  bool json = false;
};

std::string text_of(const MutationShare& share) {
  if (share.counted == 0) return "-";
  return fmt::format("{}/{}", share.killed, share.counted);
}

void print_scores(const MutationScore& score) {
  fmt::print("{:<14}", "killed/counted");
  for (const Operator op : all_operators()) fmt::print(" {:>20}", name(op));
  fmt::print(" {:>10}\n", "all");
  const auto line = [&](std::string_view title, std::optional<oracle::FaultClass> cls) {
    if (score.of(std::nullopt, cls).counted == 0) return;
    fmt::print("{:<14}", title);
    for (const Operator op : all_operators()) fmt::print(" {:>20}", text_of(score.of(op, cls)));
    fmt::print(" {:>10}\n", text_of(score.of(std::nullopt, cls)));
  };
  for (const oracle::FaultClass cls : oracle::fault_classes()) line(oracle::name(cls), cls);
  line("all", std::nullopt);
}

/// Which suite, other than those scored, kills each of the survivors: the first in the list that does.
std::vector<std::string> killers_elsewhere(const std::vector<const MutantScore*>& survivors,
                                           const std::vector<std::string>& scored) {
  std::map<const MutantScore*, std::string> texts;
  std::vector<const MutantScore*> left = survivors;
  for (const corpus::SuiteInfo& suite : corpus::suites()) {
    if (left.empty()) break;
    if (std::ranges::find(scored, suite.name) != scored.end()) continue;
    const auto killers = killers_of(left, corpus::load_suite(suite.name).cases);
    for (std::size_t k = 0; k < killers.size(); ++k) {
      if (killers[k]) texts[left[k]] = fmt::format("killed by {} ({})", suite.name, *killers[k]);
    }
    std::erase_if(left, [&](const auto* survivor) { return texts.contains(survivor); });
  }
  std::vector<std::string> list;
  for (const auto* survivor : survivors) {
    const auto known = texts.find(survivor);
    list.push_back(known == texts.end() ? "no other suite kills it" : known->second);
  }
  return list;
}

void print_survivors(const MutationScore& score, const std::vector<std::string>& scored) {
  const std::vector<const MutantScore*> survivors = score.survivors();
  const std::vector<std::string> killers = killers_elsewhere(survivors, scored);
  for (std::size_t k = 0; k < survivors.size(); ++k) {
    const MutantScore& row = *survivors[k];
    fmt::print("survives: {} in {} ({}): can act on {} cases, changes {}; {}\n", row.id, name(row.op),
               oracle::fault_named(row.id)->what, row.applicable, row.changed, killers[k]);
  }
  for (const MutantScore& row : score.rows) {
    if (row.is_a_reading) fmt::print("not counted: {} in {} is what a listed reading says\n", row.id, name(row.op));
  }
}

Json json_of(const MutationScore& score, const std::vector<std::string>& suites) {
  Json mutants = Json::array();
  for (const MutantScore& row : score.rows) {
    mutants.push_back({{"fault", row.id},
                       {"class", oracle::name(row.cls)},
                       {"operator", name(row.op)},
                       {"applicable", row.applicable},
                       {"changed", row.changed},
                       {"killed", row.killed()},
                       {"is_a_reading", row.is_a_reading},
                       {"kills", row.kills}});
  }
  const MutationShare all = score.of(std::nullopt, std::nullopt);
  return {{"suites", suites}, {"killed", all.killed}, {"counted", all.counted}, {"mutants", std::move(mutants)}};
}

int print_score(const ScoreArguments& arguments) {
  const bool of_file = !arguments.cases.empty();
  const std::vector<std::string> suites =
      of_file ? std::vector<std::string>{arguments.cases} : suites_of(arguments.suites);
  const MutationScore score =
      score_mutants(of_file ? cases_of_file(arguments.cases) : cases_of(suites), arguments.matrix);
  if (arguments.json) {
    fmt::print("{}\n", json_of(score, suites).dump(2));
  } else {
    for (const MutantScore& row : score.rows) {
      if (arguments.matrix) fmt::print("{} {}: {}\n", name(row.op), row.id, fmt::join(row.kills, " "));
    }
    print_scores(score);
    print_survivors(score, suites);
  }
  const MutationShare all = score.of(std::nullopt, std::nullopt);
  if (!arguments.json) {
    fmt::print("{} of {} mutants killed ({:.1f} %), {} survive\n", all.killed, all.counted,
               all.counted == 0 ? 0 : 100.0 * static_cast<double>(all.killed) / static_cast<double>(all.counted),
               all.counted - all.killed);
  }
  return all.counted == 0 ? nothing_ran : ok;
}

}  // namespace

void add_score(CLI::App& mutants, Work& work) {
  auto arguments = std::make_shared<ScoreArguments>();
  CLI::App* command = mutants.add_subcommand("score", "Count the mutants that a suite kills, and name the survivors");
  auto* suite = command->add_option("--suite", arguments->suites, "Suite or tier, repeatable (default: smoke)");
  command->add_option("--cases", arguments->cases, "A file of case lines, each named by its number, instead of a suite")
      ->excludes(suite);
  command->add_flag("--matrix", arguments->matrix, "Print every kill instead of stopping at the first");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer("Example:\n  cellproof lab mutants score --suite smoke");
  command->callback([arguments, &work] { work = [arguments] { return print_score(*arguments); }; });
}

}  // namespace cellproof::lab
