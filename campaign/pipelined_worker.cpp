#include "campaign/pipelined_worker.hpp"

#include <stdexcept>
#include <utility>

namespace cellproof::campaign {

void PipelinedWorker::start(engines::WorkerEngine::Prepared prepared) {
  const std::scoped_lock lock(mutex_);
  if (in_flight_ || kept_) throw std::logic_error("PipelinedWorker::start: the case before was not finished");
  worker_.start(std::move(prepared));
  in_flight_ = true;
}

Outcome PipelinedWorker::finish() {
  const std::scoped_lock lock(mutex_);
  if (kept_) return *std::exchange(kept_, std::nullopt);
  if (!in_flight_) throw std::logic_error("PipelinedWorker::finish: nothing was started");
  in_flight_ = false;
  return account(worker_.finish());
}

Outcome PipelinedWorker::probe(const Problem& problem) {
  const std::scoped_lock lock(mutex_);
  if (in_flight_) {
    in_flight_ = false;
    kept_ = account(worker_.finish());
  }
  return account(worker_.run(problem));
}

Outcome PipelinedWorker::account(Outcome outcome) {
  total_.prepare += outcome.timings.prepare;
  total_.run += outcome.timings.run;
  total_.release += outcome.timings.release;
  return outcome;
}

}  // namespace cellproof::campaign
