#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engines/environment.hpp"
#include "engines/protocol.hpp"
#include "engines/worker_log.hpp"
#include "engines/worker_process.hpp"
#include "spec/outcome.hpp"

namespace cellproof::engines {

using Clock = std::chrono::steady_clock;

/// What came instead of an answer; the worker is dead when this is said of it.
struct Trouble {
  OutcomeKind kind = OutcomeKind::Crashed;  ///< CRASHED, TIMED_OUT or OUT_OF_MEMORY
  std::string message;                      ///< one line, with the end of the log
  Death death;                              ///< its own; nothing where the harness killed it
};

/// One live worker and the bytes that go to and fro: requests, sent without blocking, and their answers in the same
/// order, awaited under a deadline and a limit of memory.
class WorkerLink {
 public:
  /// Throws SpawnError. `log` must outlive the link.
  WorkerLink(const std::vector<std::string>& command, WorkerLog& log, std::uint64_t memory_limit_bytes,
             const WorkerEnvironment& environment = {});
  /// Lets an idle worker go in peace, kills a busy one.
  ~WorkerLink();
  WorkerLink(const WorkerLink&) = delete;
  WorkerLink& operator=(const WorkerLink&) = delete;

  /// Sends as much as the pipe takes now, the rest while awaiting answers.
  void send(std::string_view request);
  /// The answer to the oldest request that has none yet, borrowed until the next call here.
  std::variant<Frame, Trouble> await(Clock::time_point deadline, std::string_view what);
  /// The answer behind the one that await() returned last, if it is there already.
  std::optional<Frame> next_answer() const;
  /// Kills the worker for an answer that is none.
  Trouble condemn(const std::string& what);
  /// What to say of a death that the worker reports of the process in which it computes. The worker lives on.
  Trouble reported(Death death) const;
  /// Is the worker still there, and silent since its last answer?
  bool is_idle() const;

 private:
  void pump_out();
  Transfer pump_in();
  std::optional<std::variant<Frame, Trouble>> whole_answer();
  void wait_for_traffic(Clock::time_point until) const;
  std::optional<Trouble> too_large();
  Trouble ended();
  Trouble obituary(const Death& death) const;
  Trouble trouble(OutcomeKind kind, std::string what, const Death& death) const;

  WorkerLog& log_;
  std::uint64_t memory_limit_;
  WorkerProcess process_;
  FrameReader reader_;
  std::string outgoing_;
  std::size_t sent_ = 0;  ///< of it
  int unanswered_ = 0;
};

}  // namespace cellproof::engines
