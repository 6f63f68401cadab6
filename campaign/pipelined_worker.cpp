#include "campaign/pipelined_worker.hpp"

#include <stdexcept>
#include <utility>

namespace cellproof::campaign {

void PipelinedWorker::start(engines::WorkerEngine::Prepared prepared, const CaseKey& of) {
  // Whoever judges would else hardly ever find the worker free.
  for (int probing = probing_; probing > 0; probing = probing_) probing_.wait(probing);
  const std::scoped_lock lock(mutex_);
  interruption_.guard([&] {
    asked_for_.emplace(worker_.start(std::move(prepared)), of);
    ++in_flight_;
  });
}

Outcome PipelinedWorker::finish() {
  const std::scoped_lock lock(mutex_);
  if (kept_.empty() && in_flight_ == 0) throw std::logic_error("PipelinedWorker::finish: nothing was started");
  return interruption_.guard([&] {
    if (kept_.empty()) {
      --in_flight_;
      return account(worker_.finish());
    }
    Outcome outcome = std::move(kept_.front());
    kept_.pop_front();
    return outcome;
  });
}

Outcome PipelinedWorker::probe(const Problem& problem, const CaseKey& of) {
  engines::WorkerEngine::Prepared prepared = engines::WorkerEngine::prepare(problem);  // while others use the worker
  const struct Announce {
    std::atomic<int>& probing;
    explicit Announce(std::atomic<int>& count) : probing(count) { ++probing; }
    Announce(const Announce&) = delete;
    Announce& operator=(const Announce&) = delete;
    ~Announce() {
      --probing;
      probing.notify_all();
    }
  } announce(probing_);
  const std::scoped_lock lock(mutex_);
  return interruption_.guard([&] {
    for (; in_flight_ > 0; --in_flight_) kept_.push_back(account(worker_.finish()));
    asked_for_.emplace(worker_.start(std::move(prepared)), of);
    return account(worker_.finish());
  });
}

std::vector<LateCharge> PipelinedWorker::take_late() {
  const std::scoped_lock lock(mutex_);
  return interruption_.guard([&] {
    std::vector<LateCharge> charges;
    for (engines::LateMisdeed& late : worker_.take_late()) {
      if (const auto of = asked_for_.find(late.number); of != asked_for_.end())
        charges.push_back({of->second, std::move(late.outcome)});
      else  // it has answered somebody else before, and was idle since
        worker_.note_of_no_case(std::move(late));
    }
    return charges;
  });
}

std::string PipelinedWorker::start_failure() {
  const std::scoped_lock lock(mutex_);
  return worker_.start_failure();
}

Outcome PipelinedWorker::account(Outcome outcome) {
  total_.prepare += outcome.timings.prepare;
  total_.run += outcome.timings.run;
  total_.release += outcome.timings.release;
  return outcome;
}

}  // namespace cellproof::campaign
