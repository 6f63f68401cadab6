#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engines/environment.hpp"
#include "engines/memory_growth.hpp"
#include "engines/protocol.hpp"
#include "engines/worker_log.hpp"
#include "engines/worker_process.hpp"
#include "spec/files/pieces.hpp"
#include "spec/outcome.hpp"

namespace cellproof::engines {

using Clock = std::chrono::steady_clock;

/// Cause of death, in place of an answer; the worker is dead when this is said of it.
struct Trouble {
  OutcomeKind kind = OutcomeKind::Crashed;  ///< CRASHED, TIMED_OUT or OUT_OF_MEMORY
  std::string what;                         ///< part of a line
  std::string printed;                      ///< the end of its log, in one line
  std::optional<Death> death;               ///< its own; nothing where the harness killed it

  /// Returns the whole line. `when` follows what it died of.
  std::string message(std::string_view when = "") const;
};

/// One live worker and the bytes that go to and fro: requests, sent without blocking, and their replies in the same
/// order, awaited under a deadline and a limit of memory.
class WorkerLink {
 public:
  /// Throws SpawnError. `log` must outlive the link.
  WorkerLink(const std::vector<std::string>& command, WorkerLog& log, std::uint64_t memory_limit_bytes,
             const WorkerEnvironment& environment = {});
  /// Ends the worker.
  ~WorkerLink();
  WorkerLink(const WorkerLink&) = delete;
  WorkerLink& operator=(const WorkerLink&) = delete;

  /// Tells an idle worker to end and gives it a moment; a busy one is killed by the destructor. Returns what an idle
  /// one has done before or died of then, "" where it ended as asked or was too slow. The link is of no use after this.
  std::string end();

  /// Sends as much as the pipe takes now, the rest while awaiting answers. `replies`: how many are due to it.
  void send(std::string_view requests, int replies = 1);
  /// The same for what is too large to be held: its files are read as the pipe takes them.
  void send(const Pieces& requests, int replies);
  /// The oldest reply that is due, borrowed until the next call here.
  std::variant<Frame, Trouble> await(Clock::time_point deadline, std::string_view what);
  /// Anything that a worker of which no reply is due has written all the same, or has come to; does not wait for it.
  std::optional<std::variant<Frame, Trouble>> unasked();
  /// Kills the worker for an answer that is none.
  Trouble mark_dead(const std::string& what);
  /// Describes the death that a frame DIED reports of the process in which the worker computes. The worker lives on.
  Trouble reported(const Frame& died) const;
  /// The worker's memory over its answers, as far as it was looked at.
  const MemoryGrowth& memory() const { return memory_; }
  /// Processes that have left the worker, or have outlived it: "sleep (pid 123)".
  std::vector<std::string> left_behind() const;

 private:
  bool is_idle() const;
  bool has_more_to_send() const { return sent_ < outgoing_.size() || fetched_ < waiting_.size(); }
  void pump_out();
  Transfer pump_in();
  std::optional<Frame> whole_reply();
  bool whole_reply_is_there() const;
  void wait_for_traffic(Clock::time_point until) const;
  std::optional<Trouble> look();
  Trouble ended();
  Trouble cause_of_death(const Death& death) const;
  Trouble trouble(OutcomeKind kind, std::string what, std::optional<Death> death) const;

  WorkerLog& log_;
  std::uint64_t memory_limit_;
  WorkerProcess process_;
  FrameReader reader_;
  std::string outgoing_;
  std::size_t sent_ = 0;       ///< of it
  Pieces waiting_;             ///< to become outgoing
  std::uint64_t fetched_ = 0;  ///< of them
  std::int64_t due_ = 0;       ///< replies
  std::int64_t replies_ = 0;   ///< that have come
  Clock::time_point next_look_;
  bool dead_ = false;  ///< seen at a look: what is still in its pipe is the last of it
  MemoryGrowth memory_;
};

}  // namespace cellproof::engines
