#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engines/worker_engine.hpp"

namespace cellproof::engines {

/// One engine with different numbers of threads: a worker for each number, started when it is first asked. For several
/// threads at once.
class ThreadedEngines {
 public:
  /// `argument`: what `--engine` takes.
  ThreadedEngines(std::string argument, WorkerOptions options)
      : argument_(std::move(argument)), options_(std::move(options)) {}

  Outcome run(const Problem& problem, int threads);
  /// Returns the notes on each worker.
  std::vector<WorkerNotes> notes();

 private:
  std::string argument_;
  WorkerOptions options_;
  std::mutex mutex_;  ///< guards the workers
  std::map<int, std::unique_ptr<WorkerEngine>> workers_;
};

}  // namespace cellproof::engines
