#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lab/mutation/commands.hpp"
#include "lab/mutation/composite.hpp"
#include "lab/mutation/suite_cases.hpp"

namespace cellproof::lab {
namespace {

using Json = nlohmann::ordered_json;

struct CompositeArguments {
  CompositeOptions options;
  std::vector<std::string> suites;
  std::optional<std::size_t> faults;
  bool by_case = false;
  bool everywhere = false;
  bool json = false;
};

std::string listed(const std::vector<std::string>& ids) {
  return ids.empty() ? "-" : fmt::format("{}", fmt::join(ids, " "));
}

void print_json(const std::vector<CompositeScore>& scores, const CompositeTotals& totals) {
  Json engines = Json::array();
  for (const CompositeScore& score : scores) {
    engines.push_back({{"planted", score.planted},
                       {"hidden", score.hidden},
                       {"named", score.named},
                       {"invented", score.invented},
                       {"left", score.left},
                       {"misplaced", score.misplaced},
                       {"scopes", score.scopes},
                       {"the_same", score.is_the_same},
                       {"clusters", score.clusters},
                       {"failing", score.failing},
                       {"explained", score.explained},
                       {"redrawn", score.redrawn},
                       {"whole", score.is_whole()}});
  }
  const Json json{{"engines", totals.engines}, {"whole", totals.whole},           {"planted", totals.planted},
                  {"named", totals.named},     {"invented", totals.invented},     {"left", totals.left},
                  {"failing", totals.failing}, {"explained", totals.explained},   {"precision", totals.precision()},
                  {"recall", totals.recall()}, {"of_engines", std::move(engines)}};
  fmt::print("{}\n", json.dump(2));
}

void print_text(const std::vector<CompositeScore>& scores, const CompositeTotals& totals) {
  double seconds = 0, longest = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const CompositeScore& score = scores[k];
    seconds += score.seconds;
    longest = std::max(longest, score.seconds);
    if (score.is_whole()) continue;
    fmt::print("engine {} has {}; left: {}; invented: {}; scope wrong: {}; {} of {} failing cases explained\n", k,
               listed(score.planted), listed(score.left), listed(score.invented), listed(score.misplaced),
               score.explained, score.failing);
  }
  fmt::print("{} engines with {} faults that show ({} sets drawn again): {} named\n", totals.engines, totals.planted,
             totals.redrawn, totals.named);
  fmt::print("recall {:.1f} % ({} left), precision {:.1f} % ({} invented)\n", 100 * totals.recall(), totals.left,
             100 * totals.precision(), totals.invented);
  if (totals.misplaced > 0) fmt::print("{} faults with a wrong scope\n", totals.misplaced);
  fmt::print("whole set right for {} of {} engines ({:.1f} %)\n", totals.whole, totals.engines,
             100 * CompositeTotals::share(totals.whole, totals.engines));
  fmt::print("{} of {} failing cases explained ({:.1f} %)\n", totals.explained, totals.failing,
             100 * CompositeTotals::share(totals.explained, totals.failing));
  fmt::print("{} calls of the engines for made cases\n", totals.calls);
  fmt::print("naming took {:.1f} s, at most {:.1f} s an engine\n", seconds, longest);
}

void print_withheld(const std::vector<CompositeScore>& scores, const CompositeTotals& totals) {
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const CompositeScore& score = scores[k];
    if (score.is_the_same || (score.invented.empty() && score.clusters.size() == score.planted.size())) continue;
    fmt::print("engine {} has {}; misnamed: {}; {} clusters: {}; {} of {} failing cases explained\n", k,
               listed(score.planted), listed(score.invented), score.clusters.size(), listed(score.clusters),
               score.explained, score.failing);
  }
  const auto print_share = [&](const char* what, std::int64_t engines) {
    fmt::print("{}: {} ({:.1f} %)\n", what, engines, 100 * CompositeTotals::share(engines, totals.engines));
  };
  fmt::print("{} engines with {} faults that are withheld\n", totals.engines, totals.planted);
  print_share("misnamed", totals.misnamed);
  print_share("explained by others that do the same", totals.the_same);
  print_share("in one unexplained cluster for each fault", totals.in_one_cluster);
}

int print_composites(CompositeArguments arguments) {
  arguments.options.named_by = arguments.by_case ? NamedBy::Case : NamedBy::Model;
  arguments.options.are_scoped = !arguments.everywhere;
  arguments.options.most_faults = arguments.faults.value_or(arguments.options.is_withheld ? 1 : 6);
  const std::vector<std::string> suites =
      arguments.suites.empty() ? std::vector<std::string>{"ci"} : std::move(arguments.suites);
  const auto scores = score_composites(cases_of(suites_of(suites)), arguments.options);
  const CompositeTotals totals = totals_of(scores);
  if (arguments.json)
    print_json(scores, totals);
  else
    arguments.options.is_withheld ? print_withheld(scores, totals) : print_text(scores, totals);
  return totals.engines == 0 ? nothing_ran : ok;
}

}  // namespace

void add_composite(CLI::App& mutants, Work& work) {
  auto arguments = std::make_shared<CompositeArguments>();
  CLI::App* command =
      mutants.add_subcommand("composite", "Draw engines with several faults, and score the faults that are named");
  command->add_option("engines", arguments->options.engines, "Number of engines (default: 100)")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000}));
  command->add_option("--suite", arguments->suites, "Suite or tier, repeatable (default: ci)");
  command->add_option("--faults", arguments->faults, "At most so many faults an engine (default: 6)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{20}));
  command->add_option("--seed", arguments->options.seed, "Random seed (default: 1)");
  command->add_option("--only", arguments->options.only, "Score engine N alone, as the list names it");
  command->add_option("--time", arguments->options.seconds, "Begin no engine after so many seconds");
  command->add_flag("--everywhere", arguments->everywhere, "Draw no scopes: each fault holds for all cases");
  command->add_flag("--withheld", arguments->options.is_withheld,
                    "Faults that nobody knows of (default: one an engine)");
  command->add_flag("--by-case", arguments->by_case, "Name by a cover of single findings, without a model");
  command->add_flag("--json", arguments->json, "As one JSON object");
  command->footer(
      "Examples:\n"
      "  cellproof lab mutants composite 50 --suite smoke\n"
      "  cellproof lab mutants composite 50 --suite smoke --by-case");
  command->callback([arguments, &work] { work = [arguments] { return print_composites(*arguments); }; });
}

}  // namespace cellproof::lab
