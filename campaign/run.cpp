#include "campaign/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/engine_campaign.hpp"
#include "campaign/engine_notes.hpp"
#include "campaign/journal.hpp"
#include "campaign/pipelined_worker.hpp"
#include "campaign/reduced_case.hpp"
#include "campaign/reduction.hpp"
#include "campaign/task.hpp"
#include "engines/fresh_memory.hpp"
#include "engines/registry.hpp"
#include "engines/threaded_engines.hpp"

namespace cellproof::campaign {
namespace {

using std::chrono::steady_clock;

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

using Workers = std::vector<std::unique_ptr<engines::WorkerEngine>>;

/// Cases of an engine for each signature that is explained, and how often the engine is called for one of them.
constexpr std::size_t cases_per_explanation = 150;
constexpr std::int64_t most_calls_unasked = 30;

/// What explain() needs to know of the run on one engine.
struct Explained {
  const RunOptions& options;
  const EngineUnderTest& engine;
  const std::string& argument;  ///< what `--engine` takes
  std::function<bool()> stop;
};

/// A smaller case for some of the signatures. `findings`: of one engine. Returns the seconds inside the engine's own
/// calls.
double explain(std::vector<Finding>& findings, const Explained& of, engines::WorkerEngine& engine,
               reports::Store& store) {
  PipelinedWorker worker(engine);
  const auto ask = [&](const Problem& problem) { return worker.probe(problem); };
  const auto write = [&](Finding& finding) {
    if (!finding.law.empty()) return;  // a folder has room for one run and its expected outputs
    finding.reduction->folder = write_reduced_case(finding, of.argument, of.options.report);
  };
  std::vector<Finding> reduced;
  const std::size_t signatures = of.options.explain.value_or(findings.size() / cases_per_explanation);
  ReductionLimits limits;
  limits.stop = of.stop;
  // Whoever asks for explanations gets them whole; by default they are to take a small share of the run's time.
  if (!of.options.explain) limits.most_calls = most_calls_unasked;
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

/// When engine number k has had its share of the time: as much of what is left as each of those behind it. The first
/// would leave the others nothing.
steady_clock::time_point deadline_of(const RunOptions& options, std::size_t k) {
  if (!options.time_budget) return steady_clock::time_point::max();
  const auto now = options.now();
  const auto end = options.begun + std::chrono::duration_cast<steady_clock::duration>(*options.time_budget);
  return now + (end - now) / static_cast<int>(options.engines.size() - k);
}

/// Keeps what is to be said of the engine and of no case.
void keep_notes(reports::Store& store, const std::string& engine, const Workers& workers,
                const std::vector<Finding>& findings) {
  std::vector<engines::WorkerNotes> of_workers;
  for (const auto& worker : workers) of_workers.push_back(worker->notes());
  for (const auto& notes : {notes_of(of_workers), notes_of(findings)})
    for (const auto& [key, text] : notes) store.set_engine_note(engine, key, text);
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

}  // namespace

bool stop_is_requested() {
  return stop_requested;
}

void request_stop() {
  stop_requested = true;
}

int exit_code_of(const std::vector<Finding>& findings, const std::map<std::string, reports::Waived>& waived) {
  if (findings.empty()) return 77;
  int code = 0;
  for (const Finding& finding : findings) {
    if (finding.outcome == OutcomeKind::HarnessError) return 3;
    if (!finding.pass && !waived.contains(finding.signature)) code = 1;
  }
  return code;
}

RunResult run(const RunOptions& options, reports::Store& store, std::unique_ptr<engines::WorkerEngine> warm) {
  RunResult result;
  result.findings = store.findings();  // of the run that this one resumes
  std::vector<Finding> explained;
  Journal journal(options.journal);
  for (std::size_t k = 0; k < options.engines.size(); ++k) {
    const std::string& argument = options.engines[k];
    const auto deadline = deadline_of(options, k);
    Workers workers;
    workers.push_back(warm ? std::move(warm) : engines::make_engine(argument, options.worker));
    warm.reset();
    if (k + 1 < options.engines.size()) {  // the next one gets ready while this one runs
      warm = engines::make_engine(options.engines[k + 1], options.worker);
      warm->warm_up();
    }
    const std::string absent = workers[0]->absence();
    const engines::EngineDescription description = workers[0]->describe();
    if (!absent.empty()) {
      store.set_engine_note(description.name, "absent", absent);
      fmt::print(stderr, "{}: absent: {}\n", description.name, absent);
      continue;
    }
    EngineUnderTest engine = engine_under_test(description, options.contracts);
    engines::ThreadedEngines threaded(argument, options.worker);
    if (description.takes_threads)
      engine.threaded = [&](const Problem& problem, int threads) { return threaded.run(problem, threads); };
    store.set_engine_note(engine.name, "version", engine.version);
    if (argument != engine.name) store.set_engine_note(engine.name, "argument", argument);  // how to replay it
    if (engine.declared) store.set_engine_note(engine.name, "contract", std::string(name(*engine.declared)));
    for (int job = 1; job < options.jobs; ++job) workers.push_back(engines::make_engine(argument, options.worker));
    std::vector<Finding> own = take_those_of(engine.name, result.findings);  // of the run that this one resumes
    auto other_engine = engines::make_engine(argument, engines::with_other_memory(options.worker));
    PipelinedWorker other_memory(*other_engine);
    engine.other_memory = [&](const Problem& problem) { return other_memory.probe(problem); };
    const auto run_all = [&](const std::vector<Task>& tasks) {
      EngineCampaign campaign(options, store, journal, engine, spread(tasks), deadline);
      campaign.run(workers, other_memory);
      result.engine_seconds += campaign.engine_seconds();
      result.interrupted = result.interrupted || !campaign.complete();
      std::vector<Finding> fresh = campaign.take_findings();
      result.judged += static_cast<std::int64_t>(fresh.size());
      std::ranges::move(fresh, std::back_inserter(own));
    };
    // How the engine reads the pages comes first: of a case in which several readings meet, no more is asked than
    // whether those explain it. Only once all of it is known does any of it count, whatever the number of jobs.
    const auto [readings, others] = readings_first(tasks_for(options, store.done(engine.name)));
    if (!readings.empty()) run_all(readings);
    engine.proved = proved_readings(own, engine.name);
    if (!others.empty()) run_all(others);
    attribute_signatures(own, store);
    const auto stop = [&] { return stop_requested || options.now() >= deadline; };
    if (!stop()) result.engine_seconds += explain(own, {options, engine, argument, stop}, *workers[0], store);
    result.engine_seconds += other_memory.total_seconds();
    workers.push_back(std::move(other_engine));
    keep_notes(store, engine.name, workers, own);
    std::ranges::move(own, std::back_inserter(explained));
    result.endings.emplace_back([ending = std::move(workers)]() mutable { ending.clear(); });
    if (stop_requested) break;
  }
  attribute_signatures(result.findings, store);  // of engines that only the run before this one asked
  std::ranges::move(explained, std::back_inserter(result.findings));
  const auto place = [](const Finding& f) { return std::tie(f.engine, f.suite, f.number); };
  std::ranges::sort(result.findings, {}, place);
  journal.remove();
  return result;
}

}  // namespace cellproof::campaign
