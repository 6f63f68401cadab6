#include "cli/campaign_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "campaign/journal.hpp"
#include "campaign/run.hpp"
#include "campaign/run_store.hpp"
#include "campaign/scheduler.hpp"
#include "campaign/seconds.hpp"
#include "campaign/stop.hpp"
#include "campaign/waivers.hpp"
#include "cli/baseline_text.hpp"
#include "cli/command_line.hpp"
#include "cli/damage.hpp"
#include "cli/known_of_engine.hpp"
#include "engines/installed_engines.hpp"
#include "engines/registry.hpp"
#include "fuzz/coverage.hpp"
#include "reports/formats.hpp"
#include "reports/terminal.hpp"
#include "reports/write_reports.hpp"
#include "spec/files/output_file.hpp"
#include "spec/files/owner_lock.hpp"
#include "spec/utf8.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> engines_of(const CampaignArguments& arguments) {
  if (!arguments.engines.empty()) return arguments.engines;
  std::vector<std::string> present;
  for (const engines::KnownEngine& engine : engines::known_engines()) {
    if (!engine.by_default) continue;
    if (engine.absent.empty()) {
      present.push_back(engine.name);
    } else {
      fmt::print(stderr, "{}: absent: {}\n", engine.name, engine.absent);
    }
  }
  return present;
}

/// All but the suites, which take a while to make.
campaign::RunOptions options_from(const CampaignArguments& arguments, const campaign::ShardChoice& part) {
  campaign::RunOptions options;
  options.shard = part.shard;
  options.shard_chosen_by = part.chosen_by;
  options.jobs = arguments.jobs;
  options.seed = arguments.seed;
  if (arguments.seconds) {
    campaign::check_seconds(arguments.seconds_option, *arguments.seconds);
    options.time_budget = std::chrono::duration<double>(*arguments.seconds);
  }
  options.worker = worker_options_of(arguments.worker);
  options.contracts = parse_contracts(arguments.contracts);
  options.engines = engines_of(arguments);
  engines::check_names(options.engines);
  if (arguments.seconds && !options.engines.empty()) {  // an engine that never greets leaves the others their time
    const std::chrono::duration<double> share = *options.time_budget / static_cast<double>(options.engines.size());
    options.worker.start_timeout =
        std::min(options.worker.start_timeout, std::chrono::duration_cast<std::chrono::milliseconds>(share));
  }
  options.explain = arguments.explain;
  options.report = arguments.output;
  if (!arguments.readings_of.empty())
    options.readings_of = reports::Store::open_read_only(arguments.readings_of).findings();
  return options;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Returns why there are cases that the run has not come to.
std::string cause_of_end(const CampaignArguments& arguments) {
  if (campaign::stop_is_requested())
    return campaign::stop_signal() == SIGINT ? "stopped by SIGINT" : "stopped by SIGTERM";
  if (arguments.seconds) return fmt::format("the time budget of {:g} s is used up", *arguments.seconds);
  return "an engine can no longer be started";
}

/// Is there a suite of which a run never comes to the end?
bool has_no_end(const campaign::RunOptions& options) {
  return std::ranges::any_of(options.suites, &corpus::Suite::is_endless);
}

/// Throws std::invalid_argument where one of them is the store that the run goes on with.
void check_baselines(const std::vector<std::string>& baselines, const fs::path& store) {
  const auto is_store = [&](const std::string& base) { return fs::exists(store) && fs::equivalent(base, store); };
  if (std::ranges::any_of(baselines, is_store))
    throw std::invalid_argument("--baseline: expected another store than the one that --resume goes on with");
}

void print_unfinished(const fs::path& journal) {
  for (const std::string& entry : campaign::unfinished_entries(journal))
    fmt::print(stderr, "was running when the last run was killed: {}\n", visible_text(entry));
}

}  // namespace

int run_campaign(const CampaignArguments& arguments, const std::string& command_line,
                 const std::function<std::vector<corpus::Suite>()>& make_suites) {
  if (!arguments.on.empty()) engines::become_package_program("_on.py", command_words());
  const auto begin = std::chrono::steady_clock::now();
  const campaign::ShardChoice part = campaign::choose_shard(arguments.shard, ::getenv);
  campaign::RunOptions options = options_from(arguments, part);
  if (options.engines.empty()) {
    fmt::print(stderr, "cellproof: no engine is present; `cellproof doctor` says why\n");
    return nothing_ran;
  }
  const Baselines baselines(arguments.baselines);
  const std::vector<oracle::Waiver> waivers = campaign::waivers_of(arguments.waivers);
  auto first_worker = engines::make_engine(options.engines.front(), options.worker);
  const bool named = !arguments.store.empty();
  const fs::path file = named ? fs::path(arguments.store) : fs::path(arguments.output) / "run.sqlite";
  if (arguments.resume) check_baselines(arguments.baselines, file);
  campaign::advertise_sharding(part);
  fmt::print("{}", campaign::line_on_shard(part));
  make_folder(arguments.output);
  const OwnerLock folder_lock(lock_file_of_folder(arguments.output), arguments.output);
  const OwnerLock store_lock(lock_file_of_store(file), file.string());
  first_worker->warm_up();  // it gets ready while the suites are made
  options.suites = make_suites();
  options.journal = file.string() + ".journal";
  if (arguments.resume) print_unfinished(options.journal);
  reports::Store store =
      campaign::open_run_store(file, arguments.resume, named, campaign::metadata_of_run(options, command_line));
  campaign::mark_as_unfinished(store);
  const campaign::StopOnSignal stopping;

  campaign::RunResult result = campaign::run(options, store, std::move(first_worker));
  campaign::EndOfRun end{seconds_since(begin), campaign::cases_left(options, store, result.findings), ""};
  const std::vector<std::string>& left = end.left;
  if (!left.empty()) end.cause = cause_of_end(arguments);
  const RunMetadata metadata = campaign::record_end(store, result, end);

  reports::ReportData data{"", {{"", metadata}}, store.engine_notes(), std::move(result.findings), {}, {}, {}, {}};
  data.coverage = fuzz::coverage_where_searched(data.findings);
  const std::string since_baseline = baselines.compare_with(metadata, data);
  const bool complete = options.shard.count == 1 && left.empty() && !has_no_end(options);
  int code = campaign::apply_waivers(waivers, complete, data);
  print_damage(data.damage);  // of baselines
  if (!data.damage.empty() && code != harness_error) code = bad_input;
  reports::write_reports(data, arguments.output, reports::names_of_formats());
  if (!part.junit.empty()) write_file(part.junit, reports::render_junit(data));
  fmt::print("{}{}", reports::render_summary(data, reports::summary_options(arguments.is_verbose, left.size())),
             visible_text(since_baseline, true));
  fmt::print("{:.2f} s wall, {:.2f} s of them inside the engines' own calls\n", seconds_since(begin),
             result.engine_seconds);
  fmt::print("report: {}\n", fs::absolute(fs::path(arguments.output) / "index.html").lexically_normal().string());
  for (const std::string& cases : left) fmt::print("not run: {}\n", cases);
  if (!left.empty()) fmt::print("ended early, {}: the same command with --resume goes on\n", end.cause);
  fmt::print("{}", campaign::line_on_shard(part));
  return campaign::unless_stopped(arguments.require_complete && code == ok && !left.empty() ? incomplete : code);
}

void add_campaign_options(CLI::App& command, CampaignArguments& arguments) {
  command.add_option("--engine", arguments.engines, "Judge this engine; repeatable (default: all present)")
      ->option_text("NAME[=COMMAND]")
      ->allow_extra_args(false);
  command.add_option("--shard", arguments.shard, "Run a part: I of N, or a scheduler's")
      ->option_text("I/N|NAME[/N]")
      ->capture_default_str();
  command.add_option("--jobs", arguments.jobs, "Start N workers for each engine")
      ->option_text("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command.add_flag("--resume", arguments.resume, "Go on with the store; run only what it lacks");
  command.add_option("--store", arguments.store, "Keep findings here (default: OUTPUT/run.sqlite)")
      ->option_text("FILE");
  command.add_option("-o,--output", arguments.output, "Write the report here")
      ->option_text("DIR")
      ->capture_default_str();
  command.add_option("--explain", arguments.explain, "Reduce the N worst groups, too, not causes alone")
      ->option_text("N")
      ->check(CLI::Range(0, 1'000'000));
  command.add_option("--contract", arguments.contracts, "Judge an engine under this contract; repeatable")
      ->option_text("ENGINE=ID")
      ->allow_extra_args(false);
  command.add_option("--waivers", arguments.waivers, "Accept the divergences that this file lists")
      ->option_text("FILE");
  command.add_option("--baseline", arguments.baselines, "Fail only for what is new; repeatable")
      ->option_text("STORE")
      ->allow_extra_args(false);
  command.add_option("--readings-of", arguments.readings_of, "Take the engines' readings from this store")
      ->option_text("STORE");
  command.add_option("--on", arguments.on, "Share the run among a cluster")->option_text("ray[:ADDRESS]");
  command.add_option("--needs", arguments.needs, "With --on: what a node must have; repeatable")
      ->option_text("[ENGINE:]KEY=N")
      ->allow_extra_args(false);
  command.add_flag("-v,--verbose", arguments.is_verbose, "Print all causes, their groups, coverage");
  add_worker_options(command, arguments.worker);
}

}  // namespace cellproof::cli
