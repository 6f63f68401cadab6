#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/mutation/attribution.hpp"
#include "lab/mutation/commands.hpp"
#include "lab/mutation/suite_cases.hpp"
#include "oracle/faults/every_fault.hpp"

namespace cellproof::lab {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const AxisValues& values) {
  std::string text;
  for (const auto& [axis, value] : values) text += fmt::format("{}{}={}", text.empty() ? "" : " ", axis, value);
  return text.empty() ? "nothing" : text;
}

int print_attribution(const std::vector<std::string>& suites, bool as_json) {
  const auto list = attribute_mutants(cases_of(suites));
  const auto named = std::ranges::count_if(list, &MutantAttribution::is_named);
  const auto attributed = std::ranges::count_if(list, &MutantAttribution::is_attributed);
  if (as_json) {
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

}  // namespace

void add_attribution(CLI::App& mutants, Work& work) {
  struct Arguments {
    std::vector<std::string> suites;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      mutants.add_subcommand("attribution", "Count how often the right fault is named and the right axes are blamed");
  command->add_option("--suite", arguments->suites, "Suite or tier, repeatable (default: smoke)");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer("Example:\n  cellproof lab mutants attribution --suite smoke");
  command->callback([arguments, &work] {
    work = [arguments] { return print_attribution(suites_of(arguments->suites), arguments->json); };
  });
}

}  // namespace cellproof::lab
