#include "campaign/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/case_trial.hpp"
#include "campaign/handover.hpp"
#include "campaign/journal.hpp"
#include "campaign/progress.hpp"
#include "campaign/reduced_case.hpp"
#include "campaign/reduction.hpp"
#include "engines/registry.hpp"

namespace cellproof::campaign {
namespace {

using std::chrono::steady_clock;

std::atomic<bool> stop_requested = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

/// A case that is still to be run: suite and position, made concrete only when its turn comes.
struct Task {
  const corpus::Suite* suite;
  std::int64_t number;
};

corpus::SuiteCase with_seed(corpus::SuiteCase suite_case, std::uint64_t seed) {
  suite_case.c.seed += seed;
  return suite_case;
}

/// A case that the engine can begin with at once.
struct Waiting {
  Trial trial;
  engines::WorkerEngine::Prepared prepared;
};

/// A transaction of the store costs as much as a small case takes to judge, so findings are committed some at a time;
/// no more are lost with the process than are run again in a moment.
constexpr std::size_t most_unsaved = 32;
constexpr std::chrono::milliseconds longest_unsaved{50};

/// What the jobs of one engine share.
struct EngineCampaign {
  const RunOptions& options;
  reports::Store& store;
  Journal& journal;
  EngineUnderTest engine;
  std::vector<Task> tasks;
  steady_clock::time_point deadline;
  std::optional<Progress> progress;

  std::atomic<std::size_t> next{0};
  std::mutex mutex;  ///< guards what follows, and the store
  std::int64_t failing = 0;
  std::int64_t gaps = 0;
  double engine_seconds = 0;
  std::vector<Finding> findings;  ///< in the store
  std::vector<Finding> unsaved;
  steady_clock::time_point last_save = steady_clock::now();
  std::exception_ptr failure;

  EngineCampaign(const RunOptions& run_options, reports::Store& run_store, Journal& run_journal,
                 EngineUnderTest under_test, std::vector<Task> run_tasks, steady_clock::time_point run_deadline)
      : options(run_options),
        store(run_store),
        journal(run_journal),
        engine(std::move(under_test)),
        tasks(std::move(run_tasks)),
        deadline(run_deadline),
        progress(std::in_place, engine.name, static_cast<std::int64_t>(tasks.size())) {}

  bool stopping() {
    if (stop_requested || steady_clock::now() >= deadline) return true;
    const std::scoped_lock lock(mutex);
    return failure != nullptr;
  }

  std::optional<Waiting> take() {
    if (stopping()) return std::nullopt;
    const std::size_t index = next.fetch_add(1);
    if (index >= tasks.size()) return std::nullopt;
    const Task& task = tasks[index];
    Trial trial = make_trial(task.suite->name, task.number,
                             with_seed(task.suite->cases[static_cast<std::size_t>(task.number)], options.seed));
    engines::WorkerEngine::Prepared prepared = engines::WorkerEngine::prepare(trial.problem);
    return Waiting{std::move(trial), std::move(prepared)};
  }

  void keep(Finding finding) {
    const std::scoped_lock lock(mutex);
    failing += !finding.pass;
    gaps += finding.pass && !finding.judgement.verdict.has_value();
    unsaved.push_back(std::move(finding));
    if (unsaved.size() >= most_unsaved || steady_clock::now() - last_save >= longest_unsaved) save();
    progress->advance(fmt::format("{} failing, {} not supported", failing, gaps));
  }

  /// With the mutex held, or alone.
  void save() {
    store.add(unsaved);
    for (const Finding& finding : unsaved) journal.leave(finding.engine, finding.suite, finding.number);
    std::ranges::move(unsaved, std::back_inserter(findings));
    unsaved.clear();
    last_save = steady_clock::now();
  }
};

void note_failure(EngineCampaign& campaign) {
  const std::scoped_lock lock(campaign.mutex);
  campaign.failure = std::current_exception();
}

/// A case that the engine is done with.
struct Computed {
  Trial trial;
  Outcome outcome;
};

/// How many cases may wait for the worker: enough that it never waits for one.
constexpr std::size_t most_made = 8;
/// How many computed cases may wait to be judged, and how many threads judge them: enough to even out stretches of
/// cases that take longer to judge than to compute, and to leave no core idle in them.
constexpr std::size_t most_computed = 32;
constexpr std::size_t judges_per_job = 2;

/// Judges what the engine has computed, until no more comes.
void judge_all(EngineCampaign& campaign, PipelinedWorker& worker, Handover<Computed>& computed) {
  try {
    while (std::optional<Computed> next = computed.pop())
      campaign.keep(conclude(next->trial, campaign.engine, std::move(next->outcome), worker));
  } catch (...) {  // see run_jobs
    note_failure(campaign);
    computed.close();
  }
}

/// Makes cases until there are none left, or until nobody takes them any more.
void make_all(EngineCampaign& campaign, Handover<Waiting>& made) {
  try {
    while (std::optional<Waiting> next = campaign.take()) {
      if (!made.push(std::move(*next))) break;
    }
  } catch (...) {  // see run_jobs
    note_failure(campaign);
  }
  made.close();
}

/// One job. This thread does nothing but keep the worker busy, which has its next cases before it has answered the
/// last: cases are made in one thread and judged in others.
void work(EngineCampaign& campaign, engines::WorkerEngine& engine) {
  PipelinedWorker worker(engine);
  {
    Handover<Waiting> made(most_made);
    Handover<Computed> computed(most_computed);
    const std::jthread maker([&] { make_all(campaign, made); });
    std::vector<std::jthread> judges;
    judges.reserve(judges_per_job);
    for (std::size_t k = 0; k < judges_per_job; ++k)
      judges.emplace_back([&] { judge_all(campaign, worker, computed); });
    const struct Close {
      Handover<Waiting>& made;
      Handover<Computed>& computed;
      ~Close() {
        made.close();
        computed.close();
      }
    } close_before_joining{made, computed};
    std::deque<Trial> started;
    const auto start_what_is_made = [&] {
      while (started.size() < engines::WorkerEngine::most_in_flight) {
        std::optional<Waiting> next = started.empty() ? made.pop() : made.try_pop();
        if (!next || campaign.stopping()) return;
        const Trial& trial = next->trial;
        campaign.journal.enter(campaign.engine.name, trial.suite, trial.number, trial.case_line);
        worker.start(std::move(next->prepared));
        started.push_back(std::move(next->trial));
      }
    };
    for (start_what_is_made(); !started.empty(); start_what_is_made()) {
      Outcome outcome = worker.finish();
      if (!computed.push({std::move(started.front()), std::move(outcome)})) break;
      started.pop_front();
    }
  }
  const std::scoped_lock lock(campaign.mutex);
  campaign.engine_seconds += worker.total().prepare + worker.total().run + worker.total().release;
}

void work_in_thread(EngineCampaign& campaign, engines::WorkerEngine& engine) {
  try {
    work(campaign, engine);
  } catch (...) {  // carried to the thread that waits for the jobs, and thrown again there
    note_failure(campaign);
  }
}

using Workers = std::vector<std::unique_ptr<engines::WorkerEngine>>;

void run_jobs(EngineCampaign& campaign, Workers& workers) {
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 1; k < workers.size(); ++k) {
      threads.emplace_back([&campaign, &worker = *workers[k]] { work_in_thread(campaign, worker); });
    }
    work_in_thread(campaign, *workers[0]);
  }
  campaign.progress.reset();  // says its last word
  try {
    campaign.save();  // also what was judged before something failed
  } catch (...) {     // the store's own failure; an earlier one is more likely to be its cause
    if (!campaign.failure) throw;
  }
  if (campaign.failure) std::rethrow_exception(campaign.failure);
}

/// The share of an engine's own time that goes into making its failing cases smaller.
constexpr double reduction_share = 0.25;

/// Signatures, and a smaller case for some of them. `findings`: of one engine.
double explain(std::vector<Finding>& findings, const EngineCampaign& campaign, const std::string& argument,
               engines::WorkerEngine& engine, steady_clock::time_point began) {
  attribute_signatures(findings, campaign.store);
  PipelinedWorker worker(engine);
  const auto now = steady_clock::now();
  const std::chrono::duration<double> share = reduction_share * (now - began);
  const ReductionLimits limits{campaign.options.explain,
                               std::min<std::chrono::duration<double>>(share, campaign.deadline - now)};
  const auto ask = [&](const Problem& problem) { return worker.probe(problem); };
  std::vector<Finding> reduced;
  for (const std::size_t k : reduce_representatives(findings, campaign.engine, ask, limits)) {
    findings[k].reduction->folder = write_reduced_case(findings[k], argument, campaign.options.report);
    reduced.push_back(findings[k]);
  }
  campaign.store.add(reduced);
  return worker.total().prepare + worker.total().run + worker.total().release;
}

std::optional<ContractId> contract_for(const RunOptions& options, const engines::EngineDescription& description) {
  const auto given = options.contracts.find(description.name);
  return given != options.contracts.end() ? std::optional(given->second) : description.contract;
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
  const auto started = steady_clock::now();
  const auto deadline = options.time_budget
                            ? started + std::chrono::duration_cast<steady_clock::duration>(*options.time_budget)
                            : steady_clock::time_point::max();
  RunResult result;
  result.findings = store.findings();  // of the run that this one resumes
  Journal journal(options.journal);
  for (std::size_t k = 0; k < options.engines.size(); ++k) {
    const std::string& argument = options.engines[k];
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
    const EngineUnderTest engine{description.name, description.version, contract_for(options, description)};
    store.set_engine_note(engine.name, "version", engine.version);
    if (argument != engine.name) store.set_engine_note(engine.name, "argument", argument);  // how to replay it
    if (engine.declared) store.set_engine_note(engine.name, "contract", std::string(name(*engine.declared)));
    for (int job = 1; job < options.jobs; ++job) workers.push_back(engines::make_engine(argument, options.worker));
    const auto began = steady_clock::now();
    EngineCampaign campaign(options, store, journal, engine, tasks_for(options, store.done(engine.name)), deadline);
    run_jobs(campaign, workers);
    result.judged += static_cast<std::int64_t>(campaign.findings.size());
    result.engine_seconds += campaign.engine_seconds;
    if (campaign.findings.size() < campaign.tasks.size()) result.interrupted = true;
    // Those of the run that this one resumes are this engine's, too.
    const auto rest =
        std::ranges::stable_partition(result.findings, [&](const Finding& f) { return f.engine != engine.name; });
    std::vector<Finding> own(std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    result.findings.erase(rest.begin(), rest.end());
    std::ranges::move(campaign.findings, std::back_inserter(own));
    if (options.explain > 0 && !campaign.stopping())
      result.engine_seconds += explain(own, campaign, argument, *workers[0], began);
    std::ranges::move(own, std::back_inserter(result.findings));
    if (stop_requested) break;
  }
  const auto place = [](const Finding& f) { return std::tie(f.engine, f.suite, f.number); };
  std::ranges::sort(result.findings, {}, place);
  attribute_signatures(result.findings, store);
  journal.remove();
  return result;
}

}  // namespace cellproof::campaign
