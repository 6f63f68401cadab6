#include "engines/threaded_engines.hpp"

#include "engines/registry.hpp"

namespace cellproof::engines {

Outcome ThreadedEngines::run(const Problem& problem, int threads) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<WorkerEngine>& worker = workers_[threads];
  if (!worker) {
    WorkerOptions options = options_;
    options.environment.threads = threads;
    worker = make_engine(argument_, options);
  }
  return worker->run(problem);
}

std::vector<WorkerNotes> ThreadedEngines::notes() {
  const std::lock_guard lock(mutex_);
  std::vector<WorkerNotes> notes;
  for (const auto& [threads, worker] : workers_) notes.push_back(worker->notes());
  return notes;
}

}  // namespace cellproof::engines
