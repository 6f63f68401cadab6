#pragma once

#include <mutex>
#include <optional>

#include "engines/worker_engine.hpp"

namespace cellproof::campaign {

/// A worker that computes one case while another thread judges those before, which can ask it for something in between:
/// a probe waits for the case in flight, keeps its outcome for finish(), and then runs. start() and finish() belong to
/// one thread, probe() to any.
class PipelinedWorker {
 public:
  explicit PipelinedWorker(engines::WorkerEngine& worker) : worker_(worker) {}

  void start(engines::WorkerEngine::Prepared prepared);
  Outcome finish();
  Outcome probe(const Problem& problem);

  /// Seconds inside the engine's own calls, over everything that went through here; when no other thread is asking.
  const Timings& total() const { return total_; }

 private:
  Outcome account(Outcome outcome);

  std::mutex mutex_;  ///< guards all that follows
  engines::WorkerEngine& worker_;
  bool in_flight_ = false;
  std::optional<Outcome> kept_;
  Timings total_;
};

}  // namespace cellproof::campaign
