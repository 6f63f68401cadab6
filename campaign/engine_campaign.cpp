#include "campaign/engine_campaign.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

#include "campaign/besides.hpp"
#include "campaign/bounded_queue.hpp"
#include "campaign/kept_answers.hpp"
#include "campaign/repeat.hpp"
#include "campaign/start_thread.hpp"

namespace cellproof::campaign {
namespace {

using engines::WorkerEngine;
using std::chrono::steady_clock;

/// A transaction of the store costs as much as a small case takes to judge, so findings are committed some at a time;
/// no more are lost with the process than are run again in a moment.
constexpr std::size_t most_unsaved = 32;
constexpr std::chrono::milliseconds longest_unsaved{50};

/// Cases that may wait for the worker: enough that it never waits for one.
constexpr std::size_t most_made = 8;
/// Computed cases that may wait, and threads that judge them: no core is idle where cases take longer to judge.
constexpr std::size_t most_computed = 64;
constexpr std::size_t judges_per_job = 2;

/// The counts of a search are written this often: what is not counted yet is tried again after a kill -9.
constexpr std::chrono::seconds longest_unnoted{1};
/// Behind so many others no case of a search is charged with a misdeed any more.
constexpr std::size_t most_counted = 256;

/// The case of a task; `seed` is added to that of a case at rest.
corpus::SuiteCase case_of(const Task& task, std::uint64_t seed, const engines::Probe& ask) {
  if (task.suite->is_endless()) return task.suite->draw(static_cast<std::uint64_t>(task.number), ask);
  corpus::SuiteCase suite_case = task.suite->cases[static_cast<std::size_t>(task.number)];
  suite_case.c.seed += seed;
  return suite_case;
}

/// Thrown where the time is up or the engine has gone: the case is left to whoever resumes the run.
struct GivenUp {};

CaseKey key_of(const Trial& trial) {
  return {trial.suite, trial.number};
}

/// Is it that of a worker that did not greet, and so has seen no case?
bool is_of_no_case(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::EngineAbsent || outcome.before_the_case;
}

/// Makes this thread give way, if there are fewer cores than threads, to whatever keeps the engine busy.
void let_others_go_first() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 10);  // of this thread alone; refused, nothing is lost
}

}  // namespace

/// A case with all that the engine is asked about it, one after the other: a question that came only from the judge
/// would leave the worker idle until it is there.
struct EngineCampaign::PendingCase {
  Trial trial;
  std::size_t questions = 0;
  std::vector<Outcome> answers;  ///< in the order of the questions, the case's own first
};

struct EngineCampaign::Request {
  WorkerEngine::Prepared prepared;
  std::shared_ptr<PendingCase> pending;
};

/// One job. Its own thread does nothing but keep the worker busy, which has its next requests before it has answered
/// the last: cases are made in one thread and judged in others.
class EngineCampaign::Job {
 public:
  Job(EngineCampaign& campaign, WorkerEngine& engine, PipelinedWorker& other_memory)
      : campaign_(campaign), worker_(engine), other_memory_(other_memory), made_(most_made), computed_(most_computed) {}

  void run() {
    std::vector<std::jthread> threads;
    threads.reserve(1 + judges_per_job);
    // Stands before the first thread: where a later one cannot be made, the others wait at a queue for ever.
    const struct Close {
      Job& job;
      ~Close() {
        job.made_.close();
        job.computed_.close();
      }
    } close_before_joining{*this};
    threads.push_back(start_thread("to make cases", [&] { guarded([&] { make_all(); }, made_); }));
    for (std::size_t k = 0; k < judges_per_job; ++k)
      threads.push_back(start_thread("to judge cases", [&] { guarded([&] { judge_all(); }, computed_); }));
    for (send(); !sent_.empty(); send()) {
      const std::shared_ptr<PendingCase> pending = std::move(sent_.front());
      sent_.pop_front();
      Outcome outcome = worker_.finish();
      campaign_.charge(worker_.take_late());
      const bool gone = engine_has_gone();
      if (!is_of_no_case(outcome)) pending->answers.push_back(std::move(outcome));
      if (gone) {
        // Whose worker died is known, whatever else was still to be asked about the case.
        if (!pending->answers.empty() && is_death(pending->answers.front())) computed_.push(std::move(*pending));
        break;
      }
      if (pending->answers.size() == pending->questions && !computed_.push(std::move(*pending))) break;
    }
  }

  /// Charges what the worker did behind its last answer.
  void settle() { campaign_.charge(worker_.take_late()); }

  double engine_seconds() const { return worker_.total_seconds(); }

 private:
  using Made = std::deque<Request>;  ///< of one case

  template <class Work, class Queue>
  void guarded(const Work& work, Queue& queue) {
    try {
      work();
    } catch (...) {  // EngineCampaign::run throws it again
      campaign_.note_failure();
      queue.close();
    }
  }

  void make_all() {
    std::optional<Problem> asked;
    Outcome answer;
    // Cases that follow each other often rest on the same answer.
    const engines::Probe ask = [&](const Problem& problem) {
      if (asked != problem) {
        answer = worker_.probe(problem);
        asked = engine_has_gone() ? std::nullopt : std::optional(problem);
      }
      return answer;
    };
    while (std::optional<Trial> trial = campaign_.take(ask)) {
      const std::vector<Problem> questions = questions_of(*trial);
      auto pending = std::make_shared<PendingCase>(PendingCase{std::move(*trial), questions.size(), {}});
      Made requests;
      for (const Problem& question : questions) requests.push_back({WorkerEngine::prepare(question), pending});
      if (!made_.push(std::move(requests))) return;
    }
    made_.close();
  }

  bool engine_has_gone() {
    std::string why = worker_.start_failure();
    if (why.empty()) return false;
    campaign_.note_gone(std::move(why));
    return true;
  }

  /// Sends what is there, as far as it may; waits only where the worker has nothing to do.
  void send() {
    while (sent_.size() < WorkerEngine::most_in_flight) {
      if (to_send_.empty()) {
        std::optional<Made> next = sent_.empty() ? made_.pop() : made_.try_pop();
        if (!next || campaign_.asking_ends()) return;
        to_send_ = std::move(*next);
        const Trial& trial = to_send_.front().pending->trial;
        campaign_.journal_.enter(campaign_.engine_.name, trial.suite, trial.number, trial.case_line);
      }
      worker_.start(std::move(to_send_.front().prepared), key_of(to_send_.front().pending->trial));
      sent_.push_back(std::move(to_send_.front().pending));
      to_send_.pop_front();
    }
  }

  void judge_all() {
    let_others_go_first();
    EngineUnderTest engine = campaign_.engine_;
    CaseKey key;  // of the case that is being judged
    engine.other_memory = [&](const Problem& problem) { return other_memory_.probe(problem, key); };
    while (std::optional<PendingCase> next = computed_.pop()) {
      key = key_of(next->trial);
      // Dozens may wait here, and some take seconds: whoever resumes the run asks them again.
      if (campaign_.stopping()) continue;
      const auto death = is_death(next->answers.front()) ? std::optional(next->answers.front()) : std::nullopt;
      const auto ask = [&](const Problem& question) {
        Outcome answer = worker_.probe(question, key);
        if (!engine_has_gone() || !is_of_no_case(answer)) return answer;
        if (!death) throw GivenUp{};
        return *death;  // which stands, since it cannot be asked again
      };
      const auto give_up_when_stopping = [&] {
        if (campaign_.stopping()) throw GivenUp{};
      };
      try {
        campaign_.keep(conclude(next->trial, engine, std::move(next->answers), ask, Sampling{}, give_up_when_stopping));
      } catch (const GivenUp&) {
        continue;
      }
    }
  }

  EngineCampaign& campaign_;
  PipelinedWorker worker_;
  PipelinedWorker& other_memory_;  ///< all jobs share it
  BoundedQueue<Made> made_;
  BoundedQueue<PendingCase> computed_;
  Made to_send_;                                   ///< the rest of a case that is being sent
  std::deque<std::shared_ptr<PendingCase>> sent_;  ///< whose answers are due, in order
};

EngineCampaign::EngineCampaign(const RunOptions& options, reports::Store& store, Journal& journal,
                               EngineUnderTest engine, Tasks tasks, steady_clock::time_point deadline)
    : options_(options),
      store_(store),
      journal_(journal),
      engine_(std::move(engine)),
      tasks_(std::move(tasks)),
      deadline_(deadline),
      last_save_(steady_clock::now()),
      last_note_(last_save_) {}

bool EngineCampaign::stopping() {
  if (stop_is_requested() || options_.now() >= deadline_) return true;
  const std::scoped_lock lock(mutex_);
  return failure_ != nullptr;
}

bool EngineCampaign::asking_ends() {
  if (stopping()) return true;
  const std::scoped_lock lock(mutex_);
  return !gone_.empty();
}

std::optional<Trial> EngineCampaign::take(const engines::Probe& ask) {
  if (asking_ends()) return std::nullopt;
  const std::optional<Task> task = [&] {
    const std::scoped_lock lock(taking_);
    return tasks_.next();
  }();
  if (!task) return std::nullopt;
  return make_trial(task->suite->name, task->number, case_of(*task, options_.seed, ask));
}

void EngineCampaign::keep(Finding finding) {
  const std::scoped_lock lock(mutex_);
  if (const auto late = late_.find({finding.suite, finding.number}); late != late_.end())
    campaign::charge(finding, late->second);
  failing_ += !finding.pass;
  gaps_ += finding.pass && !finding.judgement.verdict.has_value();
  if (tasks_.searched == nullptr || tasks_.searched->add(finding)) {
    unsaved_.push_back(std::move(finding));
  } else {
    journal_.leave(finding.engine, finding.suite, finding.number);
    counted_.push_back(std::move(finding));
    if (counted_.size() > most_counted) counted_.pop_front();
  }
  const bool waits = !unsaved_.empty() && steady_clock::now() - last_save_ >= longest_unsaved;
  if (unsaved_.size() >= most_unsaved || waits || is_time_to_note()) save();
  progress_->advance(fmt::format("{} failing, {} not supported", failing_, gaps_));
}

void EngineCampaign::charge(std::vector<LateCharge> charges) {
  if (charges.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (LateCharge& late : charges) {
    const auto is_its = [&](const Finding& f) { return f.suite == late.of.first && f.number == late.of.second; };
    if (const auto saved = std::ranges::find_if(findings_, is_its); saved != findings_.end()) {
      campaign::charge(*saved, late.outcome);
      store_.add(*saved);
    } else if (const auto waiting = std::ranges::find_if(unsaved_, is_its); waiting != unsaved_.end()) {
      campaign::charge(*waiting, late.outcome);
    } else if (const auto counted = std::ranges::find_if(counted_, is_its); counted != counted_.end()) {
      campaign::charge(*counted, late.outcome);
      unsaved_.push_back(std::move(*counted));
      counted_.erase(counted);
    } else {
      late_.emplace(std::move(late.of), std::move(late.outcome));
    }
  }
}

/// With the mutex held, or alone.
void EngineCampaign::save() {
  campaign::save(store_, unsaved_, engine_.kept);
  for (const Finding& finding : unsaved_) journal_.leave(finding.engine, finding.suite, finding.number);
  std::ranges::move(unsaved_, std::back_inserter(findings_));
  unsaved_.clear();
  last_save_ = steady_clock::now();
  if (tasks_.searched == nullptr) return;
  // After the findings that it counts: what is counted is never tried again.
  store_.set_engine_note(engine_.name, EngineNote::Searched, to_text(tasks_.searched->note()));
  last_note_ = last_save_;
}

/// With the mutex held.
bool EngineCampaign::is_time_to_note() const {
  return tasks_.searched != nullptr && steady_clock::now() - last_note_ >= longest_unnoted;
}

void EngineCampaign::note_failure() {
  const std::scoped_lock lock(mutex_);
  if (!failure_) failure_ = std::current_exception();  // what comes after the first one comes of it
}

void EngineCampaign::note_gone(std::string why) {
  const std::scoped_lock lock(mutex_);
  gone_ = std::move(why);
}

void EngineCampaign::run_job(WorkerEngine& worker, PipelinedWorker& other_memory) {
  try {
    Job job(*this, worker, other_memory);
    job.run();
    job.settle();
    const std::scoped_lock lock(mutex_);
    engine_seconds_ += job.engine_seconds();
  } catch (...) {  // run() throws it again
    note_failure();
  }
}

void EngineCampaign::run(std::vector<std::unique_ptr<WorkerEngine>>& workers, PipelinedWorker& other_memory) {
  progress_.emplace(engine_.name, tasks_.count);
  findings_.reserve(static_cast<std::size_t>(tasks_.count));
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t k = 1; k < workers.size(); ++k)
        threads.push_back(start_thread(
            "for another job", [this, &worker = *workers[k], &other_memory] { run_job(worker, other_memory); }));
    } catch (...) {  // the jobs that have begun stop, too
      note_failure();
    }
    run_job(*workers[0], other_memory);
  }
  charge(other_memory.take_late());
  progress_.reset();  // says its last word
  try {
    save();        // also what was judged before something failed
  } catch (...) {  // the store's own failure; an earlier one is more likely to be its cause
    if (!failure_) throw;
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace cellproof::campaign
