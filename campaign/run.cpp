#include "campaign/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "campaign/attribution.hpp"
#include "campaign/causes_note.hpp"
#include "campaign/engine_campaign.hpp"
#include "campaign/engine_notes.hpp"
#include "campaign/journal.hpp"
#include "campaign/kept_answers.hpp"
#include "campaign/pipelined_worker.hpp"
#include "campaign/progress.hpp"
#include "campaign/share.hpp"
#include "campaign/smaller_cases.hpp"
#include "campaign/start_thread.hpp"
#include "campaign/task.hpp"
#include "engines/fresh_memory.hpp"
#include "engines/registry.hpp"
#include "engines/threaded_engines.hpp"

namespace cellproof::campaign {
namespace {

using std::chrono::steady_clock;

using Workers = std::vector<std::unique_ptr<engines::WorkerEngine>>;

/// Takes the findings of one engine out of the list.
std::vector<Finding> take_those_of(const std::string& engine, std::vector<Finding>& findings) {
  const auto own = std::ranges::stable_partition(findings, [&](const Finding& f) { return f.engine != engine; });
  std::vector<Finding> taken(std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  findings.erase(own.begin(), own.end());
  return taken;
}

/// Moves the second to the end of the first. There may be millions, so most often nothing is moved at all.
void append(std::vector<Finding>& findings, std::vector<Finding> more) {
  if (findings.empty()) {
    findings = std::move(more);
    return;
  }
  findings.reserve(findings.size() + more.size());
  std::ranges::move(more, std::back_inserter(findings));
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

/// Keeps what is to be said of the engine and of no case: of these workers, what has been noted of others, of its
/// cases.
void keep_notes(reports::Store& store, const std::string& engine, const Workers& workers,
                std::vector<engines::WorkerNotes> of_workers, const std::vector<Finding>& findings) {
  for (const auto& worker : workers) of_workers.push_back(worker->notes());
  for (const auto& notes : {notes_of(of_workers), notes_of(findings)})
    for (const auto& [note, words] : notes) store.set_engine_note(engine, note, words);
}

/// Ends idle workers. Says which died of it, or just before.
void end_all(const Workers& workers, const std::string& engine) {
  for (const auto& worker : workers) {
    try {
      if (const std::string trouble = worker->end(); !trouble.empty())
        fmt::print(stderr, "{}: a worker died at its end: {}\n", engine, trouble);
    } catch (const std::system_error&) {  // one that cannot be told to end is killed, with what it owns
    }
  }
}

EngineCampaign::Tasks all_of(const std::vector<Task>& tasks) {
  return {in_order(spread(tasks)), static_cast<std::int64_t>(tasks.size())};
}

/// The words of the store on the engine, "" for nothing.
std::string note_of(const reports::Store& store, const std::string& engine, EngineNote note) {
  for (const auto& [name, notes] : store.engine_notes()) {
    if (name == engine) return words_of(notes, note);
  }
  return "";
}

/// The run on one engine that is here.
class EngineRun {
 public:
  /// `result`: takes what comes of it, but for the findings. Everything must outlive it.
  EngineRun(const RunOptions& options, const std::string& argument, std::unique_ptr<engines::WorkerEngine> worker,
            Share share, RunResult& result, Journal& journal, reports::Store& store)
      : options_(options),
        argument_(argument),
        share_(share),
        result_(result),
        journal_(journal),
        store_(store),
        threaded_(argument, options.worker),
        other_engine_(engines::make_engine(argument, engines::with_other_memory(options.worker))),
        other_memory_(*other_engine_) {
    const engines::EngineDescription description = worker->describe();
    engine_ = engine_under_test(description, options.contracts);
    engine_.other_memory = [&](const Problem& problem) { return other_memory_.probe(problem); };
    if (description.takes_threads)
      engine_.threaded = [&](const Problem& problem, int threads) { return threaded_.run(problem, threads); };
    store.set_engine_note(engine_.name, EngineNote::Version, engine_.version);
    if (argument != engine_.name)
      store.set_engine_note(engine_.name, EngineNote::Argument, argument);  // how to replay it
    if (engine_.declared)
      store.set_engine_note(engine_.name, EngineNote::Contract, std::string(name(*engine_.declared)));
    workers_.push_back(std::move(worker));
    for (int job = 1; job < options.jobs; ++job) workers_.push_back(engines::make_engine(argument, options.worker));
    own_ = take_those_of(engine_.name, result.findings);  // of the run that this one resumes
    resumed_ = own_.size();
    begin_ = options.now() - time_of_text(note_of(store, engine_.name, EngineNote::AskedFor));
  }

  /// Asks about every case that the store does not hold yet, then about those of suites without end.
  void ask_all() {
    const std::vector<corpus::Suite> suites = suites_with_further();
    // The readings of the engine come first: of a case in which several readings meet, no more is asked than whether
    // those explain it. Only once all of them are known does any of them count, whatever the number of jobs.
    const auto [readings, others] = readings_first(tasks_of(suites, options_.shard, store_.done(engine_.name)));
    engine_.kept = &kept_;
    if (!readings.empty()) ask(all_of(readings));
    engine_.proved = proved_readings(options_.readings_of.empty() ? own_ : options_.readings_of, engine_.name);
    if (!others.empty() && gone_.empty()) ask(all_of(others));
    const std::vector<const corpus::Suite*> endless = endless_of(options_.suites);
    if (endless.empty() || !gone_.empty()) return;
    engine_.kept = nullptr;  // there may be millions of cases
    Searched searched(options_.suites, options_.shard,
                      searched_note_of(note_of(store_, engine_.name, EngineNote::Searched)), own_);
    ask({in_rounds(endless, options_.shard, searched), 0, &searched});
  }

  /// Gives every finding its signature.
  void sign_findings() {
    // Not in the order in which they came, which differs with jobs and where a run was resumed.
    std::ranges::sort(own_, {}, [](const Finding& f) { return std::tie(f.suite, f.number); });
    attribute_signatures(own_, store_);
    if (!gone_.empty()) note_missing(store_, engine_.name, EngineNote::CannotStartAgain, gone_);
  }

  /// Begins to look for causes. As long as groups are reduced, which has an end of its own, it needs no clock.
  void seek_causes() {
    if (are_causes_known() || stop_is_requested()) return;
    stored_.take_over(own_, store_, engine_.name);
    progress_.emplace(engine_.name + ": causes, smaller cases tried", 0);
    causes_.emplace(own_, stored_, engine_, [this] {
      const steady_clock::time_point end = searched_until_;
      if (end != unknown_end) progress_->go_on();  // until then the groups that are reduced show theirs
      return is_over(end);
    });
  }

  /// Finds a smaller case for as many signatures as somebody asks for. A search explains all, as far as its time goes:
  /// what a failure needs tells known from new in the next one. Else find_causes() does it for the causes.
  void explain_findings() {
    const bool is_asked_for = options_.explain || !endless_of(options_.suites).empty();
    if (!is_asked_for || !gone_.empty() || stop_is_requested()) return;
    const auto late = [this] { return options_.now() >= share_.explained_until; };
    PipelinedWorker worker(*workers_[0]);
    SmallerCases{options_, engine_, argument_, store_, worker, late}.of_signatures(own_);
    result_.engine_seconds += worker.total_seconds();
  }

  /// Models the engine by all its findings, those of a run before among them.
  void find_causes() {
    if (are_causes_known()) return;
    EngineNotes notes;
    if (resumed_ > 0) notes = {{EngineNote::Causes, ""}, {EngineNote::CausesCutShort, ""}};  // those are of a part
    const auto now = options_.now(), end = std::min(share_.explained_until, end_of_modelling(begin_, now));
    searched_until_ = now + (end - now) * 2 / 3;  // the rest is left for smaller cases
    if (causes_ && !stop_is_requested()) {
      PipelinedWorker worker(*workers_[0]);
      const engines::Probe ask = [&](const Problem& problem) { return worker.probe(problem); };
      Attempts attempts;
      const causes::ReduceCauses reduce = [&](const causes::Modelled& model) {
        const auto late = [&] { return is_over(end); };
        const auto on_answer = [&] { progress_->advance(""); };
        return SmallerCases{options_, engine_, argument_, store_, worker, late, on_answer}.of_causes(model, own_,
                                                                                                     attempts);
      };
      const bool is_there = gone_.empty();
      const FoundCauses found = causes_->found(is_there ? ask : nullptr, is_there ? reduce : nullptr);
      std::ranges::move(notes_on_causes(found, own_, engine_, options_.report), std::back_inserter(notes));
      result_.engine_seconds += worker.total_seconds();
    }
    causes_.reset();
    progress_.reset();
    for (const auto& [note, words] : notes) store_.set_engine_note(engine_.name, note, words);
  }

  /// Lets the workers end, in a thread of its own, and returns the findings.
  std::vector<Finding> finish() {
    result_.engine_seconds += other_memory_.total_seconds();
    workers_.push_back(std::move(other_engine_));
    keep_notes(store_, engine_.name, workers_, threaded_.notes(), own_);
    result_.endings.push_back(
        start_thread("to end workers", [name = engine_.name, ending = std::move(workers_)] { end_all(ending, name); }));
    return std::move(own_);
  }

 private:
  /// The suites, each with the cases that this engine is asked behind those of the list.
  std::vector<corpus::Suite> suites_with_further() {
    std::vector<corpus::Suite> suites = options_.suites;
    PipelinedWorker worker(*workers_[0]);
    const engines::Probe ask = [&](const Problem& problem) {
      return stop_is_requested() || options_.now() >= share_.asked_until ? Outcome{} : worker.probe(problem);
    };
    for (corpus::Suite& suite : suites)
      if (suite.further) std::ranges::move(suite.further(ask), std::back_inserter(suite.cases));
    result_.engine_seconds += worker.total_seconds();
    return suites;
  }

  /// Is an end reached that may not be known yet?
  bool is_over(steady_clock::time_point end) const {
    return stop_is_requested() || (end != unknown_end && options_.now() >= end);
  }

  bool are_causes_known() const {
    return resumed_ == own_.size() && !note_of(store_, engine_.name, EngineNote::Causes).empty();
  }

  void ask(EngineCampaign::Tasks tasks) {
    EngineCampaign campaign(options_, store_, journal_, engine_, std::move(tasks), share_.asked_until);
    campaign.run(workers_, other_memory_);
    result_.engine_seconds += campaign.engine_seconds();
    gone_ = campaign.gone();
    store_.set_engine_note(engine_.name, EngineNote::AskedFor, text_of_time(options_.now() - begin_));
    std::vector<Finding> fresh = campaign.take_findings();
    result_.judged += static_cast<std::int64_t>(fresh.size());
    append(own_, std::move(fresh));
  }

  const RunOptions& options_;
  const std::string& argument_;  ///< what `--engine` takes
  Share share_;
  RunResult& result_;
  Journal& journal_;
  reports::Store& store_;
  Workers workers_;
  engines::ThreadedEngines threaded_;
  std::unique_ptr<engines::WorkerEngine> other_engine_;
  PipelinedWorker other_memory_;  ///< other_engine_
  EngineUnderTest engine_;
  KeptAnswers kept_;                ///< not in the store yet
  KeptAnswers stored_;              ///< in the store, of this run and of those before it
  std::vector<Finding> own_;        ///< of this engine
  std::size_t resumed_ = 0;         ///< of them: those of the run that this one resumes
  std::string gone_;                ///< why it could no longer be started; "" where it could
  steady_clock::time_point begin_;  ///< of its cases, the time of earlier calls of the run before it
  std::atomic<steady_clock::time_point> searched_until_ = unknown_end;  ///< set once groups are reduced
  std::optional<Progress> progress_;                                    ///< of the search for causes
  std::optional<CausesSearch> causes_;                                  ///< uses all of the above
};

}  // namespace

RunResult run(const RunOptions& options, reports::Store& store, std::unique_ptr<engines::WorkerEngine> warm) {
  RunResult result;
  result.findings = store.findings();  // of the run that this one resumes
  std::vector<Finding> explained;
  Journal journal(options.journal);
  for (std::size_t k = 0; k < options.engines.size() && !stop_is_requested(); ++k) {
    const std::string& argument = options.engines[k];
    const Share share = share_of(options, k);
    auto worker = warm ? std::move(warm) : engines::make_engine(argument, options.worker);
    if (k + 1 < options.engines.size()) {  // the next one gets ready while this one runs
      warm = engines::make_engine(options.engines[k + 1], options.worker);
      warm->warm_up();
    }
    if (!is_here(*worker, engines::name_of_argument(argument), store)) continue;
    EngineRun engine(options, argument, std::move(worker), share, result, journal, store);
    engine.ask_all();
    engine.sign_findings();
    engine.seek_causes();
    engine.explain_findings();
    engine.find_causes();
    append(explained, engine.finish());
  }
  attribute_signatures(result.findings, store);  // of engines that only the run before this one asked
  append(result.findings, std::move(explained));
  const auto place = [](const Finding& f) { return std::tie(f.engine, f.suite, f.number); };
  std::ranges::sort(result.findings, {}, place);
  journal.remove();
  return result;
}

}  // namespace cellproof::campaign
