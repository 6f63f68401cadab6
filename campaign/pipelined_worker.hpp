#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engines/interruption.hpp"
#include "engines/worker_engine.hpp"

namespace cellproof::campaign {

/// A case of a run: its suite, and its number in it.
using CaseKey = std::pair<std::string, std::int64_t>;

/// A misdeed of a case of which an outcome has been given already.
struct LateCharge {
  CaseKey of;
  Outcome outcome;
};

/// A worker that is kept busy by one thread, which starts a case before it finishes the one before, while others judge
/// what came back and can ask the worker for something in between: a probe waits for what is in flight, keeps the
/// outcomes for finish(), and then runs. start() and finish() belong to one thread, probe() to any.
class PipelinedWorker {
 public:
  explicit PipelinedWorker(engines::WorkerEngine& worker) : worker_(worker) {}

  /// `of`: for whose sake it is asked.
  void start(engines::WorkerEngine::Prepared prepared, const CaseKey& of = {});
  /// Returns the outcome of the oldest case that was started.
  Outcome finish();
  Outcome probe(const Problem& problem, const CaseKey& of = {});
  /// Returns what has come out since this was last asked about cases whose outcome had been given.
  std::vector<LateCharge> take_late();
  /// Why the worker can no longer be started; "" where it can (engines::WorkerEngine::start_failure).
  std::string start_failure();

  /// Returns the seconds inside the engine's own calls, over everything that went through here; when no other thread is
  /// asking.
  double total_seconds() const { return total_.prepare + total_.run + total_.release; }

 private:
  Outcome account(Outcome outcome);

  std::atomic<int> probing_ = 0;  ///< threads in probe(): start() lets them go first
  std::mutex mutex_;              ///< guards all that follows
  engines::Interruption interruption_;
  engines::WorkerEngine& worker_;
  int in_flight_ = 0;
  std::deque<Outcome> kept_;
  std::map<std::uint64_t, CaseKey> asked_for_;  ///< by the number of the request
  Timings total_;
};

}  // namespace cellproof::campaign
