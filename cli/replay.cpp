#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case_source.hpp"
#include "campaign/case_trial.hpp"
#include "campaign/explain_finding.hpp"
#include "campaign/run.hpp"
#include "cli/command.hpp"
#include "cli/known_of_engine.hpp"
#include "cli/presence.hpp"
#include "cli/worker_options.hpp"
#include "engines/fresh_memory.hpp"
#include "engines/registry.hpp"
#include "engines/threaded_engines.hpp"
#include "fuzz/law.hpp"
#include "reports/finding_json.hpp"

namespace cellproof::cli {
namespace {

struct ReplayArguments {
  std::string line;
  std::vector<std::string> engines;
  std::vector<std::string> contracts;
  std::vector<std::string> readings;
  WorkerArguments worker;
  std::string law;
  bool json = false;
};

std::vector<std::string> engines_or_present(std::vector<std::string> engines) {
  if (!engines.empty()) return engines;
  for (const engines::KnownEngine& engine : engines::known_engines()) {
    if (engine.by_default && engine.absent.empty()) engines.push_back(engine.name);
  }
  return engines;
}

int replay(const ReplayArguments& arguments) {
  std::vector<Finding> findings;
  bool cannot_start = false;
  const std::vector<corpus::SuiteCase> cases =
      campaign::cases_of_source("replay", arguments.line, campaign::CaseLines::Any);
  const std::map<std::string, ContractId> contracts = parse_contracts(arguments.contracts);
  const engines::WorkerOptions options = worker_options_of(arguments.worker);
  const campaign::ProvedReadings known = parse_known_readings(arguments.readings);
  if (!arguments.law.empty()) fuzz::law_named(arguments.law);  // refuses an unknown one before anything is started
  for (const std::string& argument : engines_or_present(arguments.engines)) {
    const auto worker = engines::make_engine(argument, options);
    const Presence presence = presence_of(*worker, argument);
    cannot_start = cannot_start || presence == Presence::CannotStart;
    if (presence != Presence::Here) continue;
    const engines::EngineDescription description = worker->describe();
    campaign::EngineUnderTest engine = campaign::engine_under_test(description, contracts);
    engine.proved = known;
    const auto other_memory = engines::make_engine(argument, engines::with_other_memory(options));
    engine.other_memory = [&](const Problem& problem) { return other_memory->run(problem); };
    engines::ThreadedEngines threaded(argument, options);
    if (description.takes_threads)
      engine.threaded = [&](const Problem& problem, int threads) { return threaded.run(problem, threads); };
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const std::string& name = cases[k].name;
      const campaign::Trial trial =
          campaign::make_trial("replay", static_cast<std::int64_t>(k), {name, cases[k].c, arguments.law});
      const auto ask = [&](const Problem& problem) { return worker->run(problem); };
      std::vector<Outcome> answers;
      if (trial.law == nullptr) answers.push_back(ask(trial.problem));  // a law asks for itself
      findings.push_back(campaign::conclude(trial, engine, std::move(answers), ask, {.repeat_one_in = 1}));
      if (!name.empty()) findings.back().case_line = "dir:" + name;  // a foreign model's is as long as its tensors
      fmt::print(
          "{}", arguments.json ? reports::to_json(findings.back()) + "\n" : campaign::explain_finding(findings.back()));
    }
  }
  return campaign::with_failed_start(campaign::exit_code_of(findings), cannot_start);
}

}  // namespace

void add_replay(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* command = app.add_subcommand("replay", "Run one case again and report all that is known of it");
  command->add_option("CASE", arguments->line, "Run this case line, file or backend test; required")
      ->option_text(" ")
      ->required();
  command->add_option("--engine", arguments->engines, "Ask this engine; repeatable (default: all present)")
      ->option_text("NAME[=COMMAND]")
      ->allow_extra_args(false);
  command->add_option("--contract", arguments->contracts, "Judge an engine under this contract; repeatable")
      ->option_text("ENGINE=ID")
      ->allow_extra_args(false);
  command->add_option("--reading", arguments->readings, "Take this as known of the engines; repeatable")
      ->option_text("CLAUSE=READING")
      ->allow_extra_args(false);
  command->add_option("--law", arguments->law, "Try this law on the case instead of judging it")->option_text("LAW");
  add_worker_options(*command, arguments->worker);
  command->add_flag("--json", arguments->json, "Print each finding as a JSON object on one line");
  command->footer(
      "Examples:\n  cellproof replay 'cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5'\n"
      "  cellproof replay my_backend_test --engine onnxruntime --json");
  command->callback([arguments, &work] { work = [arguments] { return replay(*arguments); }; });
}

}  // namespace cellproof::cli
