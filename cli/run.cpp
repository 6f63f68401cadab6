#include <malloc.h>

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/campaign_command.hpp"
#include "cli/command_line.hpp"
#include "fuzz/suites.hpp"

namespace cellproof::cli {
namespace {

struct RunArguments {
  std::vector<std::string> suites;
  CampaignArguments campaign;
};

/// Tiers expanded. Quick, other than making the suites.
std::vector<std::string> names_of_suites(const std::vector<std::string>& asked) {
  std::vector<std::string> names;
  for (const std::string& suite : asked.empty() ? std::vector<std::string>{"quick"} : asked) {
    for (std::string& expanded : fuzz::expand_suite_argument(suite)) {
      if (std::ranges::find(names, expanded) == names.end()) names.push_back(std::move(expanded));
    }
  }
  return names;
}

int run(const RunArguments& arguments, const std::string& command_line) {
  const std::vector<std::string> names = names_of_suites(arguments.suites);
  return run_campaign(arguments.campaign, command_line, [&] {
    // Some take most of a second to draw. The first one is drawn here: one suite needs no thread.
    std::vector<std::future<corpus::Suite>> drawn;
    for (const std::string& name : names)
      drawn.push_back(std::async(drawn.empty() ? std::launch::deferred : std::launch::async | std::launch::deferred,
                                 fuzz::load_suite, name));
    std::vector<corpus::Suite> suites;
    for (auto& suite : drawn) suites.push_back(suite.get());
    // The heaps of those threads hold several times what the suites take, and nobody else would get it.
    malloc_trim(0);
    return suites;
  });
}

}  // namespace

void add_run(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<RunArguments>();
  CampaignArguments& shared = arguments->campaign;
  shared.output = "cellproof-report";
  CLI::App* command = app.add_subcommand("run", "Judge engines on suites and write the report");
  command->add_option("--suite", arguments->suites, "Run this suite or tier; repeatable (default: quick)")
      ->option_text("SUITE")
      ->allow_extra_args(false);
  command->add_option("--time-budget", shared.seconds, "Stop after this time, shared among the engines")
      ->option_text("SECONDS");
  command->add_flag("--require-complete", shared.require_complete, "Exit with 4 where a case was not run");
  command->add_option("--seed", shared.seed, "Add N to each generated case's seed")
      ->option_text("N")
      ->capture_default_str();
  add_campaign_options(*command, shared);
  command->footer(
      "Examples:\n  cellproof run --suite smoke --engine onnxruntime --jobs 2\n"
      "  cellproof run --engine 'mine=python3 my_worker.py' --store mine.sqlite");
  command->callback([arguments, &work] { work = [arguments] { return run(*arguments, command_line()); }; });
}

}  // namespace cellproof::cli
