#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>

#include "engines/worker_engine.hpp"

namespace cellproof::campaign {

/// A worker that is kept busy by one thread, which starts a case before it finishes the one before, while others judge
/// what came back and can ask the worker for something in between: a probe waits for what is in flight, keeps the
/// outcomes for finish(), and then runs. start() and finish() belong to one thread, probe() to any.
class PipelinedWorker {
 public:
  explicit PipelinedWorker(engines::WorkerEngine& worker) : worker_(worker) {}

  void start(engines::WorkerEngine::Prepared prepared);
  /// The outcome of the oldest case that was started.
  Outcome finish();
  Outcome probe(const Problem& problem);
  /// As the engine says it, which nobody may ask at the same time.
  std::string start_failure();

  /// Seconds inside the engine's own calls, over everything that went through here; when no other thread is asking.
  const Timings& total() const { return total_; }

 private:
  Outcome account(Outcome outcome);

  std::atomic<int> probing_ = 0;  ///< threads in probe(): start() lets them go first
  std::mutex mutex_;              ///< guards all that follows
  engines::WorkerEngine& worker_;
  int in_flight_ = 0;
  std::deque<Outcome> kept_;
  Timings total_;
};

}  // namespace cellproof::campaign
