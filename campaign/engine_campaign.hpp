#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case_trial.hpp"
#include "campaign/journal.hpp"
#include "campaign/pipelined_worker.hpp"
#include "campaign/progress.hpp"
#include "campaign/run.hpp"
#include "campaign/searched.hpp"
#include "campaign/stop.hpp"
#include "campaign/task.hpp"
#include "engines/worker_engine.hpp"

namespace cellproof::campaign {

/// All cases of a run on one engine: what its jobs share, and what came of them.
class EngineCampaign {
 public:
  /// Cases to be run: how many there are, 0 where they have no end; `searched` counts those, else it is null.
  struct Tasks {
    NextTask next;
    std::int64_t count = 0;
    Searched* searched = nullptr;
  };

  /// `options`, `store`, `journal` and `tasks.searched` must outlive it.
  EngineCampaign(const RunOptions& options, reports::Store& store, Journal& journal, EngineUnderTest engine,
                 Tasks tasks, std::chrono::steady_clock::time_point deadline);

  /// Runs every task, one job for each worker. `other_memory`: the same engine, its fresh memory filled otherwise, for
  /// the second of two calls. Throws what went wrong in the harness, after everything that was judged has been saved.
  void run(std::vector<std::unique_ptr<engines::WorkerEngine>>& workers, PipelinedWorker& other_memory);

  /// Why the engine's worker could no longer be started, which ended the campaign; "" where it did not.
  const std::string& gone() const { return gone_; }
  /// Seconds inside the engine's own calls.
  double engine_seconds() const { return engine_seconds_; }
  std::vector<Finding> take_findings() { return std::move(findings_); }

 private:
  struct PendingCase;
  struct Request;
  class Job;

  bool stopping();
  bool asking_ends();  ///< also where the engine has gone: what it has answered is still judged
  /// Returns the next case, for which the engine may be asked something.
  std::optional<Trial> take(const engines::Probe& ask);
  void keep(Finding finding);
  void save();
  bool is_time_to_note() const;
  void note_failure();
  void charge(std::vector<LateCharge> charges);
  void note_gone(std::string why);
  void run_job(engines::WorkerEngine& worker, PipelinedWorker& other_memory);

  const RunOptions& options_;
  reports::Store& store_;
  Journal& journal_;
  EngineUnderTest engine_;
  Tasks tasks_;
  std::chrono::steady_clock::time_point deadline_;
  std::optional<Progress> progress_;

  std::mutex taking_;  ///< guards tasks_.next
  std::mutex mutex_;   ///< guards what follows, and the store
  std::int64_t failing_ = 0;
  std::int64_t gaps_ = 0;
  double engine_seconds_ = 0;
  std::vector<Finding> findings_;    ///< in the store
  std::map<CaseKey, Outcome> late_;  ///< charged to cases that are still being judged
  std::vector<Finding> unsaved_;
  std::deque<Finding> counted_;  ///< the last of those that the store does not keep
  std::chrono::steady_clock::time_point last_save_, last_note_;
  std::exception_ptr failure_;
  std::string gone_;
};

}  // namespace cellproof::campaign
