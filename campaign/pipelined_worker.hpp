#pragma once

#include <optional>

#include "engines/worker_engine.hpp"

namespace cellproof::campaign {

/// A worker that computes one case while the harness judges the one before, and that can still be asked for something
/// in between: a probe waits for the case in flight, keeps its outcome for finish(), and then runs.
class PipelinedWorker {
 public:
  explicit PipelinedWorker(engines::WorkerEngine& worker) : worker_(worker) {}

  void start(const Problem& problem);
  Outcome finish();
  Outcome probe(const Problem& problem);

  /// Seconds inside the engine's own calls, over everything that went through here.
  const Timings& total() const { return total_; }

 private:
  Outcome account(Outcome outcome);

  engines::WorkerEngine& worker_;
  bool in_flight_ = false;
  std::optional<Outcome> kept_;
  Timings total_;
};

}  // namespace cellproof::campaign
