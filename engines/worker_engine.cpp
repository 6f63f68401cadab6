#include "engines/worker_engine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
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
/// its whole start time-out for every case of a suite. Until then no case is charged with it.
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
  bool greeted = false;      ///< the link's worker has said HELLO
  bool has_greeted = false;  ///< some worker of this engine has
  EngineDescription description;
  bool numbers_answers = false;
  bool out_of_step = false;  ///< has given an answer that was not due: nothing is sent ahead to it any more
  std::string absence;
  int failed_starts = 0;
  std::string start_trouble;  ///< of the last start that failed
  std::optional<Outcome> last_failed_start;

  /// A case between start() and finish().
  struct InFlight {
    RunRequest request;
    std::optional<Outcome> known;  ///< where there is nothing to wait for
    bool ahead = false;            ///< sent while the worker still computed another
    int sent_to = 0;               ///< which of the workers started so far
    std::uint64_t log_begin = 0;   ///< where its part of the log begins at the earliest
    Clock::time_point begun;       ///< when the worker had nothing else to do
  };
  std::deque<InFlight> in_flight;  ///< in the order of their answers
  int workers_started = 0;
  std::uint64_t printed_before = 0;  ///< where the log of the last answer ended, if the worker said so

  Impl(std::string engine_name, std::vector<std::string> engine_command, WorkerOptions engine_options)
      : name(std::move(engine_name)),
        command(std::move(engine_command)),
        options(std::move(engine_options)),
        log(options.log_file),
        description{name, "", std::nullopt} {}

  /// A worker that has said HELLO and waits for a request; otherwise what a run on it comes to.
  std::optional<Outcome> ensure_started() {
    if (link && !greeted && !greet()) return std::nullopt;
    if (link && (computing() || link->is_idle())) return std::nullopt;
    link.reset();
    while (absence.empty() && failed_starts < most_failed_starts) {
      if (!begin_start() && !greet()) return std::nullopt;
    }
    if (!absence.empty()) return outcome_of(OutcomeKind::EngineAbsent, absence);
    return last_failed_start;
  }

  /// Tries the first start once: where it fails, whoever asks why shall not wait for two more.
  void start_first() {
    if (has_greeted || failed_starts > 0 || !absence.empty()) return;
    if (!link) begin_start();
    if (link && !greeted) greet();
  }

  /// Has the worker been sent something that it has not answered?
  bool computing() const {
    return std::ranges::any_of(in_flight, [&](const InFlight& f) { return f.sent_to == workers_started; });
  }

  std::optional<Outcome> begin_start() {
    begin_log_entry();
    try {
      link = std::make_unique<WorkerLink>(command, log, options.memory_limit_bytes);
    } catch (const SpawnError& error) {
      return absent(error.what());
    }
    ++workers_started;
    greeted = false;
    link->send(hello_request());
    return std::nullopt;
  }

  /// What the worker prints from here on is quoted when it comes to grief.
  void begin_log_entry() {
    log.trim();
    log.mark();
    printed_before = 0;  // said of the log before it was cut
  }

  Outcome absent(std::string why) {
    link.reset();
    absence = std::move(why);
    return outcome_of(OutcomeKind::EngineAbsent, absence);
  }

  std::optional<Outcome> greet() {
    auto answer = link->await(Clock::now() + options.start_timeout, within(options.start_timeout));
    try {
      if (const auto* frame = std::get_if<Frame>(&answer)) {
        const Greeting greeting = read_hello(*frame);
        description = greeting.description;
        description.name = name;
        numbers_answers = greeting.numbers_answers;
        failed_starts = 0;
        greeted = has_greeted = true;
        return std::nullopt;
      }
    } catch (const Incompatible& error) {
      return absent(error.what());
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
    start_trouble = trouble.message;
    last_failed_start = outcome_of(trouble);
    last_failed_start->message = "at its start: " + trouble.message;
    return *last_failed_start;
  }

  void launch(Prepared::Content prepared) {
    InFlight flight{.request = std::move(prepared.request), .known = std::move(prepared.unsendable), .begun = {}};
    // Without numbers a second answer to one case would be taken for the answer to the next.
    const bool may_go_ahead = numbers_answers && !out_of_step;
    flight.ahead = link && !in_flight.empty() && may_go_ahead;
    if (!flight.known && (in_flight.empty() || may_go_ahead)) send(flight);
    in_flight.push_back(std::move(flight));
  }

  void send(InFlight& flight) {
    if (!flight.ahead) {
      flight.known = ensure_started();
      if (flight.known) return;
      begin_log_entry();
    }
    flight.sent_to = workers_started;
    flight.log_begin = log.end();
    flight.begun = Clock::now();
    link->send(flight.request.bytes);
  }

  Outcome land() {
    InFlight flight = std::move(in_flight.front());
    in_flight.pop_front();
    Outcome outcome = result_of(flight);
    if (!in_flight.empty() && !in_flight.front().known) begin(in_flight.front());
    return outcome;
  }

  /// The case before is done with: now it is this one's turn.
  void begin(InFlight& next) {
    if (!link || next.sent_to != workers_started) {  // it went down with the worker that it was sent to
      next.ahead = false;
      send(next);
      return;
    }
    log.mark_at(std::max(next.log_begin, printed_before));
    next.begun = Clock::now();
  }

  Outcome result_of(InFlight& flight) {
    if (flight.known) return *flight.known;
    Outcome outcome = await(flight);
    // Bytes that the case before wrote too many, and its last words in the log, would be taken for those of a case that
    // was sent ahead: it gets a worker of its own before anything is said of it.
    const bool doubtful = flight.ahead && !link && outcome.kind != OutcomeKind::TimedOut;
    if (!doubtful) return outcome;
    flight.ahead = false;
    flight.sent_to = 0;
    send(flight);
    return flight.known ? *flight.known : await(flight);
  }

  Outcome await(const InFlight& flight) {
    const auto answer = link->await(flight.begun + options.case_timeout, within(options.case_timeout));
    if (const auto* trouble = std::get_if<Trouble>(&answer)) return with_time_spent(give_up(*trouble), flight);
    try {
      const auto& frame = std::get<Frame>(answer);
      printed_before = printed_until(frame).value_or(0);
      if (frame.kind == FrameKind::Died) {
        return with_time_spent(outcome_of(link->reported(read_death(frame))), flight);
      }
      Outcome outcome = read_outcome(frame, flight.request, numbers_answers);
      if (const auto next = link->next_answer(); next && is_numbered_answer_to(*next, flight.request)) {
        out_of_step = true;
        return give_up(link->condemn("wrote more than one answer"));
      }
      return outcome;
    } catch (const ProtocolError& error) {
      out_of_step = out_of_step || flight.ahead;
      return give_up(link->condemn(error.what()));
    }
  }

  /// An engine that did not come back has spent all its time inside its own calls.
  static Outcome with_time_spent(Outcome outcome, const InFlight& flight) {
    outcome.timings.run = std::chrono::duration<double>(Clock::now() - flight.begun).count();
    return outcome;
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

void WorkerEngine::warm_up() {
  if (!impl_->link && impl_->absence.empty() && impl_->failed_starts < most_failed_starts) impl_->begin_start();
}

EngineDescription WorkerEngine::describe() {
  impl_->start_first();
  return impl_->description;
}

std::string WorkerEngine::absence() {
  impl_->start_first();
  return impl_->absence;
}

std::string WorkerEngine::start_failure() {
  impl_->start_first();
  if (!impl_->has_greeted) return impl_->absence.empty() ? impl_->start_trouble : "";
  if (!impl_->absence.empty()) return impl_->absence;
  return impl_->failed_starts >= most_failed_starts ? impl_->start_trouble : "";
}

Support WorkerEngine::supports(const Problem& problem) {
  if (!impl_->in_flight.empty()) throw std::logic_error("WorkerEngine::supports between start and finish");
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
  if (impl_->in_flight.size() >= most_in_flight)
    throw std::logic_error("WorkerEngine::start: finish() what was started");
  impl_->launch(std::move(*prepared.content_));
}

void WorkerEngine::start(const Problem& problem) {
  start(prepare(problem));
}

Outcome WorkerEngine::finish() {
  if (impl_->in_flight.empty()) throw std::logic_error("WorkerEngine::finish: nothing was started");
  return impl_->land();
}

std::string WorkerEngine::take_log() {
  return impl_->log.take();
}

}  // namespace cellproof::engines
