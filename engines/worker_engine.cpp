#include "engines/worker_engine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "engines/messages.hpp"
#include "engines/one_line.hpp"
#include "engines/worker_link.hpp"
#include "engines/worker_log.hpp"

namespace cellproof::engines {
namespace {

/// A worker that dies this often at its start, without a case between, is not started again: a hanging one would cost
/// its whole start time-out for every case of a suite.
constexpr int most_failed_starts = 3;

Outcome outcome_of(OutcomeKind kind, std::string message, int signal = 0) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.message = std::move(message);
  outcome.signal = signal;
  return outcome;
}

Outcome outcome_of(const Trouble& trouble) {
  const int signal = trouble.kind == OutcomeKind::Crashed ? trouble.death.signal : 0;
  return outcome_of(trouble.kind, trouble.message, signal);
}

std::string within(std::chrono::milliseconds time) {
  return fmt::format("within {:g} s", static_cast<double>(time.count()) / 1000);
}

}  // namespace

struct WorkerEngine::Prepared::Content {
  RunRequest request;
  std::optional<Outcome> unsendable;
};

struct WorkerEngine::Impl {
  std::string name;
  std::vector<std::string> command;
  WorkerOptions options;
  WorkerLog log;

  std::unique_ptr<WorkerLink> link;
  EngineDescription description;
  std::string absence;
  int failed_starts = 0;
  std::optional<Outcome> last_failed_start;

  /// A case between start() and finish().
  struct InFlight {
    RunRequest request;
    Clock::time_point sent, deadline;
    std::optional<Outcome> known;  ///< where there is nothing to wait for
  };
  std::optional<InFlight> in_flight;

  Impl(std::string engine_name, std::vector<std::string> engine_command, WorkerOptions engine_options)
      : name(std::move(engine_name)),
        command(std::move(engine_command)),
        options(std::move(engine_options)),
        log(options.log_file),
        description{name, "", std::nullopt} {}

  /// A worker that has said HELLO and waits for a request; otherwise what a run on it comes to.
  std::optional<Outcome> ensure_started() {
    if (link && (in_flight || link->is_idle())) return std::nullopt;
    link.reset();
    if (!absence.empty()) return outcome_of(OutcomeKind::EngineAbsent, absence);
    if (failed_starts >= most_failed_starts) return last_failed_start;
    begin_log_entry();
    try {
      link = std::make_unique<WorkerLink>(command, log, options.memory_limit_bytes);
      return greet();
    } catch (const SpawnError& error) {
      return absent(error.what());
    } catch (const Incompatible& error) {
      return absent(error.what());
    }
  }

  /// What the worker prints from here on is quoted when it comes to grief.
  void begin_log_entry() {
    log.trim();
    log.mark();
  }

  Outcome absent(std::string why) {
    link.reset();
    absence = std::move(why);
    return outcome_of(OutcomeKind::EngineAbsent, absence);
  }

  std::optional<Outcome> greet() {
    link->send(hello_request());
    auto answer = link->await(Clock::now() + options.start_timeout, within(options.start_timeout));
    try {
      if (const auto* frame = std::get_if<Frame>(&answer)) {
        description = read_hello(*frame);
        description.name = name;
        failed_starts = 0;
        return std::nullopt;
      }
    } catch (const ProtocolError& error) {
      answer = link->condemn(error.what());
    }
    const auto& trouble = std::get<Trouble>(answer);
    if (trouble.death.signal == 0 && trouble.death.exit_code == absent_exit_code) return absent(reason_of_absence());
    return failed_start(trouble);
  }

  std::string reason_of_absence() const {
    const auto printed = last_lines(log.since_mark());
    return printed.empty() ? fmt::format("its worker exited with code {}", absent_exit_code) : printed;
  }

  Outcome failed_start(const Trouble& trouble) {
    link.reset();
    ++failed_starts;
    last_failed_start = outcome_of(trouble);
    last_failed_start->message = "at its start: " + trouble.message;
    return *last_failed_start;
  }

  InFlight launch(Prepared::Content prepared) {
    InFlight flight{.request = std::move(prepared.request), .sent = {}, .deadline = {}, .known = ensure_started()};
    if (!flight.known) flight.known = std::move(prepared.unsendable);
    if (flight.known) return flight;
    begin_log_entry();
    flight.sent = Clock::now();
    flight.deadline = flight.sent + options.case_timeout;
    link->send(std::exchange(flight.request.bytes, {}));
    return flight;
  }

  /// An engine that did not come back has spent all its time inside its own calls.
  static Outcome with_time_spent(Outcome outcome, const InFlight& flight) {
    outcome.timings.run = std::chrono::duration<double>(Clock::now() - flight.sent).count();
    return outcome;
  }

  Outcome land(const InFlight& flight) {
    if (flight.known) return *flight.known;
    const auto answer = link->await(flight.deadline, within(options.case_timeout));
    if (const auto* trouble = std::get_if<Trouble>(&answer)) return with_time_spent(give_up(*trouble), flight);
    try {
      const auto& frame = std::get<Frame>(answer);
      if (frame.kind == FrameKind::Died) return with_time_spent(outcome_of(link->reported(read_death(frame))), flight);
      return read_outcome(frame, flight.request);
    } catch (const ProtocolError& error) {
      return give_up(link->condemn(error.what()));
    }
  }

  Outcome give_up(const Trouble& trouble) {
    link.reset();
    return outcome_of(trouble);
  }

  Support ask(const Problem& problem) {
    if (ensure_started()) return {};
    begin_log_entry();
    link->send(supports_request(problem));
    const auto answer = link->await(Clock::now() + options.case_timeout, within(options.case_timeout));
    if (const auto* frame = std::get_if<Frame>(&answer)) {
      try {
        return read_support(*frame);
      } catch (const ProtocolError& error) {
        link->condemn(error.what());
      }
    }
    link.reset();
    return {};
  }
};

WorkerEngine::WorkerEngine(std::string name, std::vector<std::string> command, WorkerOptions options)
    : impl_(std::make_unique<Impl>(std::move(name), std::move(command), std::move(options))) {}

WorkerEngine::~WorkerEngine() = default;

EngineDescription WorkerEngine::describe() {
  if (impl_->ensure_started()) return {impl_->name, "", std::nullopt};
  return impl_->description;
}

std::string WorkerEngine::absence() {
  impl_->ensure_started();
  return impl_->absence;
}

Support WorkerEngine::supports(const Problem& problem) {
  if (impl_->in_flight) throw std::logic_error("WorkerEngine::supports between start and finish");
  return impl_->ask(problem);
}

Outcome WorkerEngine::run(const Problem& problem) {
  start(problem);
  return finish();
}

WorkerEngine::Prepared::Prepared(std::unique_ptr<Content> content) : content_(std::move(content)) {}
WorkerEngine::Prepared::~Prepared() = default;
WorkerEngine::Prepared::Prepared(Prepared&&) noexcept = default;
WorkerEngine::Prepared& WorkerEngine::Prepared::operator=(Prepared&&) noexcept = default;

WorkerEngine::Prepared WorkerEngine::prepare(const Problem& problem) {
  auto content = std::make_unique<Prepared::Content>();
  try {
    content->request = run_request(problem);
  } catch (const std::exception& error) {  // whatever it is, it is not the engine's doing
    content->unsendable =
        outcome_of(OutcomeKind::HarnessError, fmt::format("the case cannot be sent: {}", error.what()));
  }
  return Prepared(std::move(content));
}

void WorkerEngine::start(Prepared prepared) {
  if (impl_->in_flight) throw std::logic_error("WorkerEngine::start: the case before was not finished");
  impl_->in_flight = impl_->launch(std::move(*prepared.content_));
}

void WorkerEngine::start(const Problem& problem) {
  start(prepare(problem));
}

Outcome WorkerEngine::finish() {
  if (!impl_->in_flight) throw std::logic_error("WorkerEngine::finish: nothing was started");
  const auto flight = *std::exchange(impl_->in_flight, std::nullopt);
  return impl_->land(flight);
}

std::string WorkerEngine::take_log() {
  return impl_->log.take();
}

}  // namespace cellproof::engines
