#include "campaign/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/engine_campaign.hpp"
#include "campaign/engine_notes.hpp"
#include "campaign/journal.hpp"
#include "campaign/pipelined_worker.hpp"
#include "campaign/reduced_case.hpp"
#include "campaign/reduction.hpp"
#include "campaign/start_thread.hpp"
#include "campaign/task.hpp"
#include "engines/fresh_memory.hpp"
#include "engines/registry.hpp"
#include "engines/threaded_engines.hpp"

namespace cellproof::campaign {
namespace {

using std::chrono::steady_clock;

using Workers = std::vector<std::unique_ptr<engines::WorkerEngine>>;

/// Where nobody says how many signatures are explained, all are, by so many calls of the engine for the worst of them,
/// and in all by one for so many cases: about a fifth of the run's calls (docs/reports.md).
constexpr std::int64_t most_calls_unasked = 30;
constexpr std::int64_t cases_per_call = 4;
constexpr std::int64_t least_calls_in_all = 300;

/// Nor do they take longer than a quarter of the time that the cases took, which is a fifth of both; a short run may
/// take this long.
constexpr int explained_one_in = 4;
constexpr std::chrono::seconds always_explained{2};

/// The part of an engine's share of the time budget that is kept for explanations: one in so many.
constexpr int reserve_one_in = explained_one_in + 1;

/// When an engine's share of the time budget ends: for its cases, and for the explanations after them.
struct Share {
  steady_clock::time_point asked_until = steady_clock::time_point::max();
  steady_clock::time_point explained_until = steady_clock::time_point::max();
};

/// What explain() needs to know of the run on one engine.
struct Explained {
  const RunOptions& options;
  const EngineUnderTest& engine;
  const std::string& argument;  ///< what `--engine` takes
  std::function<bool()> late;
};

std::vector<const corpus::Suite*> endless_suites_of(const RunOptions& options) {
  std::vector<const corpus::Suite*> endless;
  for (const corpus::Suite& suite : options.suites) {
    if (suite.is_endless()) endless.push_back(&suite);
  }
  return endless;
}

ReductionLimits limits_of(const Explained& of, std::size_t cases) {
  ReductionLimits limits;
  limits.stop = stop_is_requested;
  limits.late = of.late;
  // Whoever asks for explanations gets them whole. So does a search, as far as its time goes: what a failure needs
  // tells known from new in the next one.
  if (of.options.explain || !endless_suites_of(of.options).empty()) return limits;
  limits.most_calls = most_calls_unasked;
  limits.calls_in_all = std::max(static_cast<std::int64_t>(cases) / cases_per_call, least_calls_in_all);
  return limits;
}

/// A smaller case for some of the signatures. `findings`: of one engine. Returns the seconds inside the engine's own
/// calls.
double explain(std::vector<Finding>& findings, const Explained& of, engines::WorkerEngine& engine,
               reports::Store& store) {
  PipelinedWorker worker(engine);
  const auto ask = [&](const Problem& problem) { return worker.probe(problem); };
  std::mutex writing;  // two findings may come to one smallest case, and so to one folder
  const auto write = [&](Finding& finding) {
    if (!finding.law.empty()) return;  // a folder has room for one run and its expected outputs
    const std::scoped_lock lock(writing);
    finding.reduction->folder = write_reduced_case(finding, of.argument, of.options.report);
  };
  std::vector<Finding> reduced;
  const std::size_t signatures = of.options.explain.value_or(findings.size());
  const ReductionLimits limits = limits_of(of, findings.size());
  for (const std::size_t k : reduce_representatives(findings, of.engine, ask, signatures, limits, write))
    reduced.push_back(findings[k]);
  store.add(reduced);
  return worker.total_seconds();
}

/// Takes the findings of one engine out of the list.
std::vector<Finding> take_those_of(const std::string& engine, std::vector<Finding>& findings) {
  const auto own = std::ranges::stable_partition(findings, [&](const Finding& f) { return f.engine != engine; });
  std::vector<Finding> taken(std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  findings.erase(own.begin(), own.end());
  return taken;
}

/// The share of engine number k: as much of what is left as each of those behind it. The first would leave the others
/// nothing.
Share share_of(const RunOptions& options, std::size_t k) {
  if (!options.time_budget) return {};
  const auto now = options.now();
  const auto end = options.begun + std::chrono::duration_cast<steady_clock::duration>(*options.time_budget);
  const auto share = (end - now) / static_cast<int>(options.engines.size() - k);
  return {now + share - share / reserve_one_in, now + share};
}

/// When explanations end that nobody has asked for, of cases that were asked about between these two.
steady_clock::time_point end_of_explaining(steady_clock::time_point begin, steady_clock::time_point end) {
  return end + std::max<steady_clock::duration>(always_explained, (end - begin) / explained_one_in);
}

/// Says on stderr and in the store that the engine is not here, or is no longer here, and why.
void note_missing(reports::Store& store, const std::string& engine, EngineNote what, const std::string& why) {
  store.set_engine_note(engine, what, why);
  fmt::print(stderr, "{}: {}: {}\n", engine, name(what), why);
}

/// The run that this one resumes may have met it.
void forget_start_trouble(reports::Store& store, const std::string& engine) {
  for (const auto& [name, notes] : store.engine_notes()) {
    if (name != engine || start_trouble_of(notes).empty()) continue;
    for (const EngineNote trouble : {EngineNote::CannotStart, EngineNote::CannotStartAgain})
      store.set_engine_note(name, trouble, "");
  }
}

/// Does its worker greet? Says why not.
bool is_here(engines::WorkerEngine& worker, const std::string& engine, reports::Store& store) {
  const std::string trouble = worker.start_failure();
  if (!trouble.empty()) {
    note_missing(store, engine, EngineNote::CannotStart, trouble);
    return false;
  }
  const std::string absent = worker.absence();
  if (!absent.empty()) {
    note_missing(store, engine, EngineNote::Absent, absent);
    return false;
  }
  forget_start_trouble(store, engine);
  return true;
}

/// Keeps what is to be said of the engine and of no case.
void keep_notes(reports::Store& store, const std::string& engine, const Workers& workers,
                const std::vector<Finding>& findings) {
  std::vector<engines::WorkerNotes> of_workers;
  for (const auto& worker : workers) of_workers.push_back(worker->notes());
  for (const auto& notes : {notes_of(of_workers), notes_of(findings)})
    for (const auto& [note, words] : notes) store.set_engine_note(engine, note, words);
}

/// Ends idle workers. Says which died of it.
void end_all(const Workers& workers, const std::string& engine) {
  for (const auto& worker : workers) {
    try {
      if (const std::string trouble = worker->end(); !trouble.empty())
        fmt::print(stderr, "{}: a worker died when it was told to end: {}\n", engine, trouble);
    } catch (const std::system_error&) {  // one that cannot be told to end is killed, with what it owns
    }
  }
}

std::vector<Task> tasks_for(const RunOptions& options, const std::set<std::pair<std::string, std::int64_t>>& done) {
  std::vector<Task> tasks;
  for (const corpus::Suite& suite : options.suites) {
    for (std::int64_t number = 0; number < static_cast<std::int64_t>(suite.cases.size()); ++number) {
      if (options.shard.contains(number) && !done.contains({suite.name, number})) tasks.push_back({&suite, number});
    }
  }
  return tasks;
}

EngineCampaign::Tasks all_of(const std::vector<Task>& tasks) {
  return {in_order(spread(tasks)), static_cast<std::int64_t>(tasks.size())};
}

/// What the store says of the engine, "" for nothing.
std::string note_of(const reports::Store& store, const std::string& engine, EngineNote note) {
  for (const auto& [name, notes] : store.engine_notes()) {
    if (name == engine) return words_of(notes, note);
  }
  return "";
}

}  // namespace

RunResult run(const RunOptions& options, reports::Store& store, std::unique_ptr<engines::WorkerEngine> warm) {
  RunResult result;
  result.findings = store.findings();  // of the run that this one resumes
  std::vector<Finding> explained;
  Journal journal(options.journal);
  const std::vector<const corpus::Suite*> endless = endless_suites_of(options);
  for (std::size_t k = 0; k < options.engines.size() && !stop_is_requested(); ++k) {
    const std::string& argument = options.engines[k];
    const Share share = share_of(options, k);
    Workers workers;
    workers.push_back(warm ? std::move(warm) : engines::make_engine(argument, options.worker));
    warm.reset();
    if (k + 1 < options.engines.size()) {  // the next one gets ready while this one runs
      warm = engines::make_engine(options.engines[k + 1], options.worker);
      warm->warm_up();
    }
    if (!is_here(*workers[0], argument.substr(0, argument.find('=')), store)) continue;
    const engines::EngineDescription description = workers[0]->describe();
    EngineUnderTest engine = engine_under_test(description, options.contracts);
    engines::ThreadedEngines threaded(argument, options.worker);
    if (description.takes_threads)
      engine.threaded = [&](const Problem& problem, int threads) { return threaded.run(problem, threads); };
    store.set_engine_note(engine.name, EngineNote::Version, engine.version);
    if (argument != engine.name)
      store.set_engine_note(engine.name, EngineNote::Argument, argument);  // how to replay it
    if (engine.declared) store.set_engine_note(engine.name, EngineNote::Contract, std::string(name(*engine.declared)));
    for (int job = 1; job < options.jobs; ++job) workers.push_back(engines::make_engine(argument, options.worker));
    std::vector<Finding> own = take_those_of(engine.name, result.findings);  // of the run that this one resumes
    auto other_engine = engines::make_engine(argument, engines::with_other_memory(options.worker));
    PipelinedWorker other_memory(*other_engine);
    engine.other_memory = [&](const Problem& problem) { return other_memory.probe(problem); };
    std::string gone;
    const auto begin = options.now();
    const auto run_all = [&](EngineCampaign::Tasks tasks) {
      EngineCampaign campaign(options, store, journal, engine, std::move(tasks), share.asked_until);
      campaign.run(workers, other_memory);
      result.engine_seconds += campaign.engine_seconds();
      gone = campaign.gone();
      std::vector<Finding> fresh = campaign.take_findings();
      result.judged += static_cast<std::int64_t>(fresh.size());
      std::ranges::move(fresh, std::back_inserter(own));
    };
    // How the engine reads the pages comes first: of a case in which several readings meet, no more is asked than
    // whether those explain it. Only once all of it is known does any of it count, whatever the number of jobs.
    const auto [readings, others] = readings_first(tasks_for(options, store.done(engine.name)));
    if (!readings.empty()) run_all(all_of(readings));
    engine.proved = proved_readings(own, engine.name);
    if (!others.empty() && gone.empty()) run_all(all_of(others));
    if (!endless.empty() && gone.empty()) {
      Searched searched(options.suites, options.shard,
                        searched_note_of(note_of(store, engine.name, EngineNote::Searched)), own);
      run_all({in_rounds(endless, options.shard, searched), 0, &searched});
    }
    attribute_signatures(own, store);
    if (!gone.empty()) note_missing(store, engine.name, EngineNote::CannotStartAgain, gone);
    const bool whole = options.explain || !endless.empty();
    const auto end =
        whole ? share.explained_until : std::min(share.explained_until, end_of_explaining(begin, options.now()));
    const auto late = [&options, end] { return options.now() >= end; };
    if (gone.empty() && !stop_is_requested())
      result.engine_seconds += explain(own, {options, engine, argument, late}, *workers[0], store);
    result.engine_seconds += other_memory.total_seconds();
    workers.push_back(std::move(other_engine));
    keep_notes(store, engine.name, workers, own);
    std::ranges::move(own, std::back_inserter(explained));
    result.endings.push_back(
        start_thread("to end workers", [name = engine.name, ending = std::move(workers)] { end_all(ending, name); }));
  }
  attribute_signatures(result.findings, store);  // of engines that only the run before this one asked
  std::ranges::move(explained, std::back_inserter(result.findings));
  const auto place = [](const Finding& f) { return std::tie(f.engine, f.suite, f.number); };
  std::ranges::sort(result.findings, {}, place);
  journal.remove();
  return result;
}

}  // namespace cellproof::campaign
