#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine.hpp"
#include "engines/environment.hpp"
#include "engines/model_run.hpp"

namespace cellproof::engines {

struct WorkerOptions {
  std::chrono::milliseconds start_timeout{30'000};  ///< until HELLO
  std::chrono::milliseconds case_timeout{20'000};   ///< wall time of one run
  bool is_case_timeout_fixed = false;               ///< else a run of many products has more
  std::uint64_t memory_limit_bytes = 8ull << 30;  ///< RLIMIT_AS is too blunt for GPU runtimes: resident size is watched
  WorkerEnvironment environment;
  std::string absence;             ///< why the engine cannot be used, where that is known; empty: its worker is asked
  std::filesystem::path log_file;  ///< the worker's stdout and stderr; empty: kept in memory, last 64 KiB

  /// Wall time of a run of so many multiplications. A naive engine in high precision makes 24 million a second, and
  /// shares its processor with others.
  std::chrono::milliseconds case_limit(double products) const;
};

/// A misdeed of a case that showed only after its outcome had been given: a second answer, a death after the answer.
struct LateMisdeed {
  std::uint64_t number = 0;  ///< what WorkerEngine::start() returned for the case
  Outcome outcome;           ///< that it has come to
};

/// Deeds of workers that no case is charged with.
struct WorkerNotes {
  std::optional<double> memory_growth;   ///< bytes a case by which the memory of one grew from beginning to end
  int failed_starts = 0;                 ///< after one that did not fail
  std::string start_failure;             ///< the last one's
  std::vector<std::string> idle;         ///< misdeeds of workers that nothing was asked of: "SIGKILL (Killed)"
  std::vector<std::string> left_behind;  ///< processes that outlived the one that started them: "sleep (pid 123)"
};

/// An engine in a process of its own, spoken to over descriptors 3 and 4 (docs/worker-protocol.md). The process is
/// started on first use and again after it dies. Whatever it does, crash, hang, eat memory, print, write garbage, is an
/// Outcome. Not for several threads at once, but it may move between threads.
class WorkerEngine : public Engine {
 public:
  /// `command`: program and arguments; a name without '/' is looked up in PATH. Throws std::invalid_argument when the
  /// log file cannot be written.
  WorkerEngine(std::string name, std::vector<std::string> command, WorkerOptions options = {});
  ~WorkerEngine() override;

  /// Starts the worker, and does not wait until it has said HELLO: it gets ready while the caller does something else.
  /// Reports what goes wrong at its first use.
  void warm_up();

  /// Starts the worker if need be. When it cannot be started: version "".
  EngineDescription describe() override;
  /// Why the engine cannot be used at all ("libonnxruntime.so not found"); empty when it can. A worker that crashes or
  /// hangs at its start is not absent: start_failure() tells, and every run of it comes to the same.
  std::string absence();
  /// Why no worker of it greets; empty: one did, or the engine is absent. After a greeting: why it can no longer be
  /// started, three times in a row, or has gone.
  std::string start_failure();
  /// Asks the worker. A worker that gives no answer counts as willing: run() then names what is wrong with
  /// it.
  Support supports(const Problem& problem) override;
  Outcome run(const Problem& problem) override;
  /// Runs a whole model; the outcome's outputs are in the order of the names asked for. An engine that takes nodes
  /// alone refuses it.
  Outcome run(const ModelRun& run);

  /// A problem written out for the worker, which can be done while it still computes another. The problem need not live
  /// on.
  class Prepared;
  static Prepared prepare(const Problem& problem);
  static Prepared prepare(const ModelRun& run);

  /// Number of cases that may be started and not finished: one that the worker computes, and enough in its pipe that it
  /// has something to do while the caller is late.
  static constexpr std::size_t most_in_flight = 12;

  /// Runs in two halves, so that the caller can do other work while the worker computes. More cases may be started
  /// before the first is finished: the worker finds them in its pipe and loses no time between two. Each outcome is
  /// that of its own case alone: when the worker dies, or has to, the cases behind the guilty one are asked again in
  /// their order. start() returns a number that no other case has. Throws std::logic_error for one more than
  /// most_in_flight, and for finish() without start().
  std::uint64_t start(Prepared prepared);
  std::uint64_t start(const Problem& problem);
  Outcome finish();

  /// Returns what came out since this was last asked about cases whose outcome had been given already. Where nothing is
  /// in flight it looks at what the worker has done meanwhile.
  std::vector<LateMisdeed> take_late();

  /// Notes a misdeed of a case that the caller does not know, or no longer.
  void note_of_no_case(LateMisdeed misdeed);

  /// Returns what is to be said of the engine and of no case. What nobody has taken of take_late() is of no case.
  WorkerNotes notes();

  /// Ends an idle worker, as the destructor does. Returns what it died of when told to, or while nothing was asked of
  /// it; "" where it ended in peace.
  std::string end();

  /// Returns what the worker printed on stdout and stderr since it was last asked (at most the last 64 KiB).
  std::string take_log();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class WorkerEngine::Prepared {
 public:
  ~Prepared();
  Prepared(Prepared&&) noexcept;
  Prepared& operator=(Prepared&&) noexcept;

 private:
  friend class WorkerEngine;
  struct Content;
  explicit Prepared(std::unique_ptr<Content> content);
  /// Writes out what run_request() takes; what cannot be sent is a harness error.
  template <class Request>
  static Prepared of(const Request& asked);
  std::unique_ptr<Content> content_;
};

}  // namespace cellproof::engines
