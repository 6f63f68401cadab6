#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case_source.hpp"
#include "campaign/case_trial.hpp"
#include "campaign/explain_finding.hpp"
#include "campaign/progress.hpp"
#include "campaign/reduced_case.hpp"
#include "campaign/reduction.hpp"
#include "campaign/run.hpp"
#include "campaign/seconds.hpp"
#include "campaign/stop.hpp"
#include "cli/command.hpp"
#include "cli/known_of_engine.hpp"
#include "cli/presence.hpp"
#include "cli/worker_options.hpp"
#include "engines/fresh_memory.hpp"
#include "engines/registry.hpp"
#include "spec/files/output_file.hpp"
#include "spec/utf8.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

struct ReduceArguments {
  std::string source;
  std::string engine;
  std::string output;
  std::vector<std::string> contracts;
  std::vector<std::string> readings;
  std::int64_t calls = 200;
  int tries = 5;
  double seconds = 300;
  WorkerArguments worker;
};

/// Path of an unfinished reduction's answers, beside what it writes.
fs::path journal_of(const fs::path& output) {
  return output.string() + ".progress";
}

fs::path output_of(const ReduceArguments& arguments) {
  fs::path output = fs::path(arguments.output).lexically_normal();
  if (!output.has_filename()) output = output.parent_path();  // DIR/
  if (!output.has_filename() || output.filename() == "." || output.filename() == "..")
    throw std::invalid_argument(fmt::format("-o {}: expected the name of a folder to make", arguments.output));
  if (fs::exists(output) && !fs::exists(journal_of(output)))
    throw std::invalid_argument(
        fmt::format("{}: exists, expected a name that is free or a reduction that was stopped", output.string()));
  return output;
}

/// The first of the cases that fails, asked one after the other up to so many times, or else what became of the last.
struct Found {
  Finding finding;
  Case c;
};

Found find_failing(const std::vector<corpus::SuiteCase>& cases, const campaign::EngineUnderTest& engine,
                   const engines::Probe& ask, int tries, const std::function<bool()>& stop) {
  constexpr campaign::Sampling ask_all_twice{.repeat_one_in = 1};
  Found found;
  for (int round = 0; round < tries && (round == 0 || !stop()); ++round) {
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const campaign::Trial trial = campaign::make_trial("reduce", static_cast<std::int64_t>(k), cases[k]);
      found = {campaign::conclude(trial, engine, {ask(trial.problem)}, ask, ask_all_twice), cases[k].c};
      // The line of a foreign model is as long as its tensors.
      if (!cases[k].name.empty()) found.finding.case_line = "dir:" + cases[k].name;
      if (!found.finding.pass) return found;
    }
  }
  return found;
}

std::string not_reproduced(const Finding& finding, std::int64_t calls) {
  return fmt::format("{}could not reproduce the failure in {} calls; nothing to reduce\n",
                     campaign::explain_finding(finding), calls);
}

/// `calls`: those that it took to find it.
campaign::ReductionLimits limits_from(const ReduceArguments& arguments, const Finding& finding, std::int64_t calls,
                                      const std::function<bool()>& stop) {
  campaign::ReductionLimits limits;
  limits.tries = arguments.tries;
  limits.most_calls = std::max<std::int64_t>(0, arguments.calls - calls);
  // A case that hangs can only be made smaller by waiting for it again and again; the time is limited all the same.
  constexpr int most_hangs_of_a_hang = 30;
  if (finding.outcome == OutcomeKind::TimedOut) limits.most_hangs = most_hangs_of_a_hang;
  limits.stop = stop;
  return limits;
}

/// Subject of a reduction's answers, with all else that could change them.
std::string what_is_asked(const Finding& finding, const campaign::EngineUnderTest& engine,
                          const std::vector<std::string>& readings, int tries) {
  std::string what =
      fmt::format("cellproof-reduction {} {} {}", finding.engine, finding.engine_version, finding.case_hash);
  what += fmt::format(" tries={}", tries);
  if (engine.given) what += fmt::format(" {}", engine.declared ? name(*engine.declared) : "");
  for (const std::string& reading : readings) what += " " + reading;
  return what;
}

int reduce(const ReduceArguments& arguments) {
  campaign::check_seconds("--time", arguments.seconds);
  const engines::WorkerOptions options = worker_options_of(arguments.worker);
  const std::vector<corpus::SuiteCase> cases =
      campaign::cases_of_source("reduce", arguments.source, campaign::CaseLines::One);
  const fs::path output = output_of(arguments);
  const std::map<std::string, ContractId> contracts = parse_contracts(arguments.contracts);
  const campaign::ProvedReadings known = parse_known_readings(arguments.readings);
  make_writable_folder(output.has_parent_path() ? output.parent_path() : ".");
  const auto worker = engines::make_engine(arguments.engine, options);
  if (presence_of(*worker, arguments.engine) != Presence::Here) return nothing_ran;
  const engines::EngineDescription description = worker->describe();
  const campaign::StopOnSignal stopping;
  campaign::EngineUnderTest engine = campaign::engine_under_test(description, contracts);
  engine.proved = known;
  std::int64_t calls = 0;
  const engines::Probe ask = [&](const Problem& problem) {
    ++calls;
    return worker->run(problem);
  };
  const auto other_memory = engines::make_engine(arguments.engine, engines::with_other_memory(options));
  engine.other_memory = [&](const Problem& problem) {
    ++calls;
    return other_memory->run(problem);
  };
  const auto end = steady_clock::now() +
                   std::chrono::duration_cast<steady_clock::duration>(std::chrono::duration<double>(arguments.seconds));
  const auto stop = [end] { return campaign::stop_is_requested() || steady_clock::now() >= end; };
  Found found = find_failing(cases, engine, ask, arguments.tries, [&] { return stop() || calls >= arguments.calls; });
  Finding& finding = found.finding;
  if (finding.outcome == OutcomeKind::HarnessError) {
    fmt::print("{}", campaign::explain_finding(finding));
    return harness_error;
  }
  if (finding.pass) {
    fmt::print("{}", not_reproduced(finding, calls));
    return campaign::unless_stopped(unexpected);
  }

  campaign::ReductionJournal journal(journal_of(output),
                                     what_is_asked(finding, engine, arguments.readings, arguments.tries));
  if (journal.taken_over() > 0) fmt::print(stderr, "goes on after {} answers of before\n", journal.taken_over());
  const std::int64_t calls_to_find = calls;
  campaign::ReductionLimits limits = limits_from(arguments, finding, calls_to_find, stop);
  limits.journal = &journal;
  std::optional<campaign::Reduced> reduced;
  {
    campaign::Progress progress(finding.engine + ": smaller cases tried", 0);
    limits.on_answer = [&progress] { progress.advance(""); };
    reduced = campaign::reduce_case(found.c, finding, engine, ask, limits);
  }
  if (!reduced) {
    journal.remove();
    fmt::print("{}", not_reproduced(finding, calls - calls_to_find));
    return campaign::unless_stopped(unexpected);
  }
  finding.reduction = std::move(reduced->record);
  finding.reduction->runs += calls_to_find;
  campaign::write_reduced_folder(finding, reduced->smallest, arguments.engine, output);
  finding.reduction->folder = output.string();
  fmt::print("{}written: {}\n",
             visible_text(campaign::describe_reduced_case(finding, reduced->smallest, arguments.engine), true),
             fs::absolute(output).lexically_normal().string());
  if (!reduced->found.always() || !reduced->kept.always())
    fmt::print("the case {}, the smallest {}\n", to_text(reduced->found), to_text(reduced->kept));
  if (finding.reduction->complete || !reduced->steady) {
    journal.remove();
    if (!reduced->steady) fmt::print("a smaller case failed, too, but not in {} further tries\n", arguments.tries);
  } else {
    fmt::print("stopped early: the same command goes on\n");
  }
  return campaign::unless_stopped(ok);
}

}  // namespace

void add_reduce(CLI::App& app, Work& work) {
  auto arguments = std::make_shared<ReduceArguments>();
  CLI::App* command = app.add_subcommand("reduce", "Make a failing case as small as it still fails");
  command->add_option("CASE", arguments->source, "Reduce this case line, file or backend test; required")
      ->option_text(" ")
      ->required();
  command->add_option("--engine", arguments->engine, "Ask this engine; required")
      ->option_text("NAME[=COMMAND]")
      ->required();
  command->add_option("-o,--output", arguments->output, "Make this folder, to hand over; required")
      ->option_text("DIR")
      ->required();
  command->add_option("--calls", arguments->calls, "Set the maximum number of engine calls")
      ->option_text("N")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  command->add_option("--tries", arguments->tries, "Ask up to N times before a case passes")
      ->option_text("N")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--time", arguments->seconds, "Stop after this time")
      ->option_text("SECONDS")
      ->capture_default_str();
  command->add_option("--contract", arguments->contracts, "Judge the engine under this contract")
      ->option_text("ENGINE=ID")
      ->allow_extra_args(false);
  command->add_option("--reading", arguments->readings, "Take this as known of the engine; repeatable")
      ->option_text("CLAUSE=READING")
      ->allow_extra_args(false);
  add_worker_options(*command, arguments->worker);
  command->footer(
      "Examples:\n  cellproof reduce my_backend_test --engine onnxruntime -o smaller\n"
      "  cellproof reduce case.txt --engine 'mine=./worker' -o smaller --time 60\n\n"
      "A reduction that was stopped goes on with the same command.");
  command->callback([arguments, &work] { work = [arguments] { return reduce(*arguments); }; });
}

}  // namespace cellproof::cli
