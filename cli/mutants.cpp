#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "campaign/edge_search.hpp"
#include "campaign/mutation.hpp"
#include "campaign/mutation_attribution.hpp"
#include "campaign/mutation_reduction.hpp"
#include "cli/case_line.hpp"
#include "cli/command.hpp"
#include "fuzz/law.hpp"
#include "fuzz/suites.hpp"
#include "spec/case_text.hpp"

namespace cellproof::cli {
namespace {

using Json = nlohmann::ordered_json;

struct MutantsArguments {
  std::vector<std::string> suites;
  std::string cases;  ///< a file of case lines, instead of suites
  bool matrix = false;
  bool attribution = false;
  bool reduce = false;
  bool laws = false;
  std::int64_t edges = 0;
  std::uint64_t seed = 0;
  bool json = false;
};

/// Names of suites or tiers, each suite once.
std::vector<std::string> suites_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> names;
  for (const std::string& argument : arguments) {
    for (std::string& name : fuzz::expand_suite_argument(argument)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  }
  return names;
}

std::vector<corpus::SuiteCase> cases_of(const std::vector<std::string>& suites) {
  std::vector<corpus::SuiteCase> cases;
  for (const std::string& name : suites) std::ranges::move(fuzz::load_suite(name).cases, std::back_inserter(cases));
  return cases;
}

/// Of a file of case lines, each named by its number from 1.
std::vector<corpus::SuiteCase> cases_of_file(const std::string& file) {
  std::vector<corpus::SuiteCase> cases;
  std::size_t number = 0;
  for (const std::string& line : lines_of_case_file(file)) {
    ++number;
    try {
      if (!line.empty()) cases.push_back({fmt::format("{}", number), parse_case(line)});
    } catch (const CaseTextError& error) {
      throw std::invalid_argument(fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  return cases;
}

std::string text_of(const campaign::MutationShare& share) {
  if (share.counted == 0) return "-";
  return fmt::format("{}/{}", share.killed, share.counted);
}

void print_scores(const campaign::MutationScore& score) {
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
std::vector<std::string> killers_elsewhere(const std::vector<const campaign::MutantScore*>& survivors,
                                           const std::vector<std::string>& scored) {
  std::map<const campaign::MutantScore*, std::string> texts;
  std::vector<const campaign::MutantScore*> left = survivors;
  for (const corpus::SuiteInfo& suite : corpus::suites()) {
    if (left.empty()) break;
    if (std::ranges::find(scored, suite.name) != scored.end()) continue;
    const auto killers = campaign::killers_of(left, corpus::load_suite(suite.name).cases);
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

void print_survivors(const campaign::MutationScore& score, const std::vector<std::string>& scored) {
  const std::vector<const campaign::MutantScore*> survivors = score.survivors();
  const std::vector<std::string> killers = killers_elsewhere(survivors, scored);
  for (std::size_t k = 0; k < survivors.size(); ++k) {
    const campaign::MutantScore& row = *survivors[k];
    fmt::print("survives: {} in {} ({}): can act on {} cases, changes {}; {}\n", row.id, name(row.op),
               oracle::fault_named(row.id)->what, row.applicable, row.changed, killers[k]);
  }
  for (const campaign::MutantScore& row : score.rows) {
    if (row.is_a_reading) fmt::print("not counted: {} in {} is what a listed reading says\n", row.id, name(row.op));
  }
}

Json json_of(const campaign::MutationScore& score, const std::vector<std::string>& suites) {
  Json mutants = Json::array();
  for (const campaign::MutantScore& row : score.rows) {
    mutants.push_back({{"fault", row.id},
                       {"class", oracle::name(row.cls)},
                       {"operator", name(row.op)},
                       {"applicable", row.applicable},
                       {"changed", row.changed},
                       {"killed", row.killed()},
                       {"is_a_reading", row.is_a_reading},
                       {"kills", row.kills}});
  }
  const campaign::MutationShare all = score.of(std::nullopt, std::nullopt);
  return {{"suites", suites}, {"killed", all.killed}, {"counted", all.counted}, {"mutants", std::move(mutants)}};
}

int print_score(const MutantsArguments& arguments, const std::vector<std::string>& suites) {
  const campaign::MutationScore score = campaign::score_mutants(
      arguments.cases.empty() ? cases_of(suites) : cases_of_file(arguments.cases), arguments.matrix);
  if (arguments.json) {
    fmt::print("{}\n", json_of(score, suites).dump(2));
  } else {
    for (const campaign::MutantScore& row : score.rows) {
      if (arguments.matrix) fmt::print("{} {}: {}\n", name(row.op), row.id, fmt::join(row.kills, " "));
    }
    print_scores(score);
    print_survivors(score, suites);
  }
  const campaign::MutationShare all = score.of(std::nullopt, std::nullopt);
  if (!arguments.json) {
    fmt::print("{} of {} mutants killed ({:.1f} %), {} survive\n", all.killed, all.counted,
               all.counted == 0 ? 0 : 100.0 * static_cast<double>(all.killed) / static_cast<double>(all.counted),
               all.counted - all.killed);
  }
  return all.counted == 0 ? nothing_ran : ok;
}

std::string text_of(const campaign::AxisValues& values) {
  std::string text;
  for (const auto& [axis, value] : values) text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis, value);
  return text.empty() ? "nothing" : text;
}

int print_attribution(const MutantsArguments& arguments, const std::vector<std::string>& suites) {
  const auto list = campaign::attribute_mutants(cases_of(suites));
  const auto named = std::ranges::count_if(list, &campaign::MutantAttribution::is_named);
  const auto attributed = std::ranges::count_if(list, &campaign::MutantAttribution::is_attributed);
  if (arguments.json) {
    Json mutants = Json::array();
    for (const auto& found : list) {
      mutants.push_back({{"fault", found.id},
                         {"operator", name(found.op)},
                         {"case", found.case_name},
                         {"named", found.named},
                         {"declared", oracle::fault_named(found.id)->blames},
                         {"guilty", found.guilty},
                         {"is_named", found.is_named},
                         {"is_attributed", found.is_attributed}});
    }
    fmt::print(
        "{}\n",
        Json{{"diverging", list.size()}, {"named", named}, {"attributed", attributed}, {"mutants", mutants}}.dump(2));
    return list.empty() ? nothing_ran : ok;
  }
  for (const auto& found : list) {
    if (!found.is_named)
      fmt::print("not named: {} in {} on {}; instead {}\n", found.id, name(found.op), found.case_name,
                 fmt::join(found.named, " "));
    if (!found.is_attributed) {
      fmt::print("not attributed: {} in {} on {}: guilty is {}, declared {}\n", found.id, name(found.op),
                 found.case_name, text_of(found.guilty), oracle::fault_named(found.id)->blames);
    }
  }
  const double all = std::max<double>(1, static_cast<double>(list.size()));
  fmt::print(
      "{} mutants diverge; with its own fault among the hypotheses {} are named ({:.1f} %); with it withheld {} are "
      "attributed to what they declare ({:.1f} %)\n",
      list.size(), named, 100.0 * static_cast<double>(named) / all, attributed,
      100.0 * static_cast<double>(attributed) / all);
  return list.empty() ? nothing_ran : ok;
}

/// Of numbers sorted ascending, the smallest that so large a share of them does not exceed.
std::int64_t quantile(const std::vector<std::int64_t>& sorted, double share) {
  const double place = std::ceil(share * static_cast<double>(sorted.size())) - 1;
  return sorted.at(static_cast<std::size_t>(std::max(place, 0.0)));
}

std::string distribution(const std::vector<campaign::MutantReduction>& list, const auto& number_of) {
  std::vector<std::int64_t> numbers;
  std::ranges::transform(list, std::back_inserter(numbers), number_of);
  std::ranges::sort(numbers);
  return fmt::format("{:>6}{:>6}{:>6}", quantile(numbers, 0.5), quantile(numbers, 0.9), numbers.back());
}

/// Medians, ninth deciles and maxima of what reductions start from, come to and cost.
std::string reduction_line(std::string_view title, const std::vector<campaign::MutantReduction>& list) {
  using Row = campaign::MutantReduction;
  const auto complete = std::ranges::count_if(list, &Row::complete);
  return fmt::format("{:<14}{:>9}  {}  {}  {}  {}{:>10}\n", title, list.size(),
                     distribution(list, [](const Row& row) { return row.start.all; }),
                     distribution(list, [](const Row& row) { return row.left.all; }),
                     distribution(list, [](const Row& row) { return row.left.not_zero; }),
                     distribution(list, [](const Row& row) { return row.calls; }), complete);
}

int print_reductions(const MutantsArguments& arguments, const std::vector<std::string>& suites) {
  const std::vector<campaign::MutantReduction> all = campaign::reduce_mutants(cases_of(suites));
  if (arguments.json) {
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
    std::vector<campaign::MutantReduction> some;
    std::ranges::copy_if(all, std::back_inserter(some), [&](const auto& row) { return row.cls == cls; });
    if (!some.empty()) fmt::print("{}", reduction_line(oracle::name(cls), some));
  }
  fmt::print("{}", reduction_line("all", all));
  return ok;
}

/// Law x mutant: what each law finds on its cases of suite laws. A law that finds nothing is worth nothing.
int print_laws(const MutantsArguments& arguments) {
  const campaign::MutationScore score = campaign::score_mutants(fuzz::load_suite("laws").cases, true);
  std::map<std::string, std::set<std::string>> killed;
  for (const campaign::MutantScore& row : score.rows) {
    for (const std::string& kill : row.kills) killed[kill.substr(0, kill.find('/'))].insert(row.id);
  }
  std::size_t nothing = 0;
  Json table = Json::object();
  for (const fuzz::Law& law : fuzz::laws()) {
    const std::set<std::string>& ids = killed[std::string(law.id)];
    nothing += ids.empty();
    table[std::string(law.id)] = ids;
    if (!arguments.json) fmt::print("{:<40} {:>4}  {}\n", law.id, ids.size(), fmt::join(ids, " "));
  }
  if (arguments.json) {
    fmt::print("{}\n", Json{{"mutants", oracle::faults().size()}, {"laws", table}}.dump(2));
  } else {
    fmt::print("{} laws, {} mutants; {} laws kill nothing\n", fuzz::laws().size(), oracle::faults().size(), nothing);
  }
  return nothing == 0 ? ok : unexpected;
}

/// How many faults in narrow places a search proves, drawn or steered, within so many executions.
int print_edges(const MutantsArguments& arguments) {
  const auto scores = campaign::search_edges(arguments.edges, arguments.seed);
  const auto text = [](const std::optional<std::int64_t>& found) { return found ? fmt::format("{}", *found) : "-"; };
  const auto json = [](const std::optional<std::int64_t>& found) { return found ? Json(*found) : Json(); };
  Json list = Json::array();
  if (!arguments.json) fmt::print("{:<26} {:>10} {:>10}  executions until proved\n", "fault", "drawn", "steered");
  for (const campaign::EdgeScore& score : scores) {
    list.push_back(
        {{"fault", score.id}, {"what", score.what}, {"drawn", json(score.drawn)}, {"steered", json(score.steered)}});
    if (!arguments.json)
      fmt::print("{:<26} {:>10} {:>10}  {}\n", score.id, text(score.drawn), text(score.steered), score.what);
  }
  if (arguments.json) {
    fmt::print("{}\n", Json{{"executions", arguments.edges}, {"seed", arguments.seed}, {"edges", list}}.dump(2));
    return ok;
  }
  const auto found = [&](auto which) {
    return std::ranges::count_if(scores, [&](const campaign::EdgeScore& s) { return (s.*which).has_value(); });
  };
  fmt::print("of {} faults in narrow places, {} executions each: drawn {}, steered {}\n", scores.size(),
             arguments.edges, found(&campaign::EdgeScore::drawn), found(&campaign::EdgeScore::steered));
  return ok;
}

}  // namespace

void add_mutants(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<MutantsArguments>();
  CLI::App* command =
      app.add_subcommand("mutants", "Measure a suite: how many deliberately wrong implementations does it find?");
  auto* suite = command->add_option("--suite", arguments->suites, "Suite or tier, repeatable (default: smoke)");
  auto* matrix = command->add_flag("--matrix", arguments->matrix, "Do not stop at the first kill; print every one");
  command
      ->add_flag("--attribution", arguments->attribution,
                 "Measure instead how often the right fault is named, and the right axes blamed")
      ->excludes(matrix);
  command
      ->add_flag("--reduce", arguments->reduce,
                 "Measure instead how small a failing case of each becomes, and how many engine calls that takes")
      ->excludes(matrix)
      ->excludes("--attribution");
  command
      ->add_flag("--laws", arguments->laws,
                 "Instead of a suite: which of them each law finds; fails where one finds none")
      ->excludes(matrix)
      ->excludes("--attribution")
      ->excludes("--reduce")
      ->excludes("--suite");
  command
      ->add_option(
          "--edges", arguments->edges,
          "Instead of a suite: within so many executions, which faults in narrow places does a search prove that "
          "draws cases, and which one that steers them?")
      ->check(CLI::PositiveNumber)
      ->excludes(matrix)
      ->excludes("--attribution")
      ->excludes("--reduce")
      ->excludes("--laws")
      ->excludes("--suite");
  command
      ->add_option("--cases", arguments->cases,
                   "Instead of a suite: the case lines of a file, each of which is named by its number")
      ->excludes(suite)
      ->excludes("--attribution")
      ->excludes("--reduce")
      ->excludes("--laws")
      ->excludes("--edges");
  command->add_option("--seed", arguments->seed, "With --edges: which endless sequence of cases");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer("Example:\n  cellproof mutants --suite smoke");
  command->callback([arguments, &work] {
    work = [arguments] {
      if (arguments->laws) return print_laws(*arguments);
      if (arguments->edges > 0) return print_edges(*arguments);
      if (!arguments->cases.empty()) return print_score(*arguments, {arguments->cases});
      const auto suites = suites_of(arguments->suites.empty() ? std::vector<std::string>{"smoke"} : arguments->suites);
      if (arguments->reduce) return print_reductions(*arguments, suites);
      return arguments->attribution ? print_attribution(*arguments, suites) : print_score(*arguments, suites);
    };
  });
}

}  // namespace cellproof::cli
