#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "engines/worker_engine.hpp"
#include "engines/worker_link.hpp"
#include "engines/worker_log.hpp"

namespace cellproof::engines {

/// Returns an outcome without outputs.
Outcome outcome_of(OutcomeKind kind, std::string_view message);
/// Returns the outcome that a worker's trouble comes to. `when`: follows what it died of, or how it exited.
Outcome outcome_of(const Trouble& trouble, std::string_view when);
/// Returns " without answering" for a worker that exited by itself, else "".
std::string_view before_answering(const Trouble& trouble);
/// "within 20 s"
std::string within(std::chrono::milliseconds time);

/// An engine's workers one after the other: starts one where there is none, greets it, knows what it was asked, and
/// gives the engine up where none can be started.
class CurrentWorker {
 public:
  /// Throws std::invalid_argument when the log file cannot be written.
  CurrentWorker(std::string name, std::vector<std::string> command, WorkerOptions options);

  /// Returns nothing where a worker has said HELLO; otherwise what a run on it comes to.
  std::optional<Outcome> ensure_greeted();
  /// Starts a worker without waiting for its HELLO; returns what a run comes to where that cannot be done.
  std::optional<Outcome> begin_start();
  /// Notes a worker that died at its start, or right after its greeting.
  Outcome failed_start(const Trouble& trouble);
  void drop();

  /// nullptr where there is none.
  WorkerLink* link() const { return link_.get(); }
  bool is_greeted() const { return link_ != nullptr && greeted_; }
  /// Has any worker of the engine greeted?
  bool has_greeted() const { return has_greeted_; }
  /// Is it given up? At once where no worker of it has ever greeted: it is a broken engine and not a bad moment.
  bool cannot_start() const;
  /// Returns what the last failed start died of, without the words that it was a start.
  const std::string& start_trouble() const { return start_trouble_; }
  /// Returns why the engine cannot be used at all, "" where it can.
  const std::string& absence() const { return absence_; }

  const std::string& name() const { return name_; }
  const EngineDescription& description() const { return description_; }
  bool numbers_answers() const { return numbers_answers_; }
  const WorkerOptions& options() const { return options_; }
  /// Returns how many workers have been started.
  int started() const { return started_; }

  /// Notes that the worker was sent the case of this number.
  void asked(std::uint64_t number) { asked_.push_back(number); }
  bool was_asked(std::uint64_t number) const;
  /// Returns the number of the last case that the worker was sent; nothing where it was sent none.
  std::optional<std::uint64_t> last_asked() const;

  WorkerLog& log() { return log_; }
  /// Quotes what the worker prints from here on when it comes to grief.
  void begin_log_entry();
  /// End of the log of the last answer, if the worker said so.
  std::uint64_t printed_before = 0;

  /// Notes a misdeed of a worker that nothing was asked of, and so of no case.
  void note_idle(std::string misdeed) { notes_.idle.push_back(std::move(misdeed)); }
  WorkerNotes notes() const;

 private:
  std::optional<Outcome> greet();
  Outcome absent(std::string why);
  std::string reason_of_absence() const;

  std::string name_;
  std::vector<std::string> command_;
  WorkerOptions options_;
  WorkerLog log_;
  std::unique_ptr<WorkerLink> link_;
  bool greeted_ = false;      ///< the link's worker has said HELLO
  bool has_greeted_ = false;  ///< some worker has
  EngineDescription description_;
  bool numbers_answers_ = false;
  std::string absence_;
  int failed_starts_ = 0;  ///< in a row
  std::optional<Outcome> last_failed_start_;
  std::string start_trouble_;
  int started_ = 0;
  std::vector<std::uint64_t> asked_;  ///< of the link's worker, in order
  WorkerNotes notes_;                 ///< of workers that are gone
};

}  // namespace cellproof::engines
