#include "engines/worker_engine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "engines/interruption.hpp"
#include "engines/messages.hpp"
#include "engines/one_line.hpp"
#include "engines/worker_link.hpp"
#include "engines/worker_log.hpp"

namespace cellproof::engines {
namespace {

/// A worker that dies this often at its start, without a case between, is not started again: what has become of the
/// engine is no case's doing.
constexpr int most_failed_starts = 3;

Outcome outcome_of(OutcomeKind kind, std::string_view message) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.message = message;
  return outcome;
}

/// `when`: follows what a worker died of, or how it exited.
Outcome outcome_of(const Trouble& trouble, std::string_view when) {
  Outcome outcome = outcome_of(trouble.kind, trouble.message(when));
  if (trouble.death && trouble.kind == OutcomeKind::Crashed) outcome.signal = trouble.death->signal;
  return outcome;
}

std::string_view before_answering(const Trouble& trouble) {
  return trouble.death && trouble.death->signal == 0 ? " without answering" : "";
}

constexpr std::string_view after_its_answer = " after its answer", answered_twice = "answered a second time";

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
  bool has_greeted = false;  ///< some worker has
  EngineDescription description;
  bool numbers_answers = false;
  std::string absence;
  int failed_starts = 0;
  std::optional<Outcome> last_failed_start;
  std::string start_trouble;  ///< what it says, but for the words that it was a start

  /// A case between start() and finish().
  struct InFlight {
    RunRequest request;            ///< a HELLO behind the RUN: its reply ends what belongs to the case
    std::optional<Outcome> known;  ///< where there is nothing to wait for
    int sent_to = 0;               ///< which of the workers started so far
    std::uint64_t log_begin = 0;   ///< where its part of the log begins at the earliest
    Clock::time_point begun;       ///< when the worker had nothing else to do
  };
  std::deque<InFlight> in_flight;  ///< in the order of their answers
  int workers_started = 0;
  std::vector<std::uint64_t> asked_of_worker;  ///< numbers of the cases that the worker of now was sent, in order
  std::vector<LateMisdeed> late;
  std::uint64_t printed_before = 0;  ///< where the log of the last answer ended, if the worker said so
  WorkerNotes notes;                 ///< of workers that are gone
  Interruption interruption;

  Impl(std::string engine_name, std::vector<std::string> engine_command, WorkerOptions engine_options)
      : name(std::move(engine_name)),
        command(std::move(engine_command)),
        options(std::move(engine_options)),
        log(options.log_file),
        description{name, "", std::nullopt} {}

  /// A worker that has said HELLO and waits for a request; otherwise what a run on it comes to.
  std::optional<Outcome> ensure_started() {
    if (link && !greeted) {
      const auto failure = greet();
      if (!failure || !absence.empty()) return failure;
    }
    if (link && computing()) return std::nullopt;
    settle();
    if (link) return std::nullopt;
    if (!absence.empty()) return outcome_of(OutcomeKind::EngineAbsent, absence);
    for (;;) {
      if (cannot_start()) return last_failed_start;
      if (auto absent = begin_start()) return absent;
      auto failure = greet();
      if (!failure || !absence.empty()) return failure;
    }
  }

  /// Is it given up? At once where no worker of it has ever greeted: it is a broken engine and not a bad moment.
  bool cannot_start() const { return failed_starts >= (!has_greeted ? 1 : most_failed_starts); }

  bool is_with_worker(const InFlight& flight) const { return link && flight.sent_to == workers_started; }

  /// Has the worker been sent something that it has not answered?
  bool computing() const {
    return std::ranges::any_of(in_flight, [&](const InFlight& f) { return is_with_worker(f); });
  }

  std::optional<Outcome> begin_start() {
    begin_log_entry();
    try {
      link = std::make_unique<WorkerLink>(command, log, options.memory_limit_bytes, options.environment);
    } catch (const SpawnError& error) {
      return absent(error.what());
    }
    ++workers_started;
    asked_of_worker.clear();
    greeted = false;
    link->send(hello_request());
    return std::nullopt;
  }

  void drop_worker() {
    if (!link) return;
    note(*link, notes);
    link.reset();
  }

  static void note(const WorkerLink& link, WorkerNotes& notes) {
    if (const auto grown = link.memory().per_answer()) {
      constexpr double replies_of_a_case = 2;
      notes.memory_growth = std::max(notes.memory_growth.value_or(0), *grown * replies_of_a_case);
    }
    for (std::string& process : link.left_behind()) notes.left_behind.push_back(std::move(process));
  }

  /// What the worker prints from here on is quoted when it comes to grief.
  void begin_log_entry() {
    log.trim();
    log.mark();
    printed_before = 0;  // said of the log before it was cut
  }

  Outcome absent(std::string why) {
    drop_worker();
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
    if (trouble.death && trouble.death->signal == 0 && trouble.death->exit_code == absent_exit_code)
      return absent(reason_of_absence());
    return failed_start(trouble);
  }

  std::string reason_of_absence() const {
    const auto printed = last_lines(log.since_mark());
    return printed.empty() ? fmt::format("its worker exited with code {}", absent_exit_code) : printed;
  }

  Outcome failed_start(const Trouble& trouble) {
    drop_worker();
    ++failed_starts;
    last_failed_start = outcome_of(trouble, before_answering(trouble));
    start_trouble = last_failed_start->message;
    if (has_greeted) {
      ++notes.failed_starts;
      notes.start_failure = start_trouble;
    }
    last_failed_start->message = "at its start: " + last_failed_start->message;
    last_failed_start->before_the_case = true;
    return *last_failed_start;
  }

  /// What a worker of which nothing is asked has done all the same belongs to the case that its answer names, else to
  /// the last one that it had.
  void settle() {
    if (!link || !greeted || computing()) return;
    const auto unasked = link->unasked();
    if (!unasked) return;
    const auto* frame = std::get_if<Frame>(&*unasked);
    const auto number = frame ? number_of(*frame) : std::nullopt;
    const Trouble trouble = frame ? link->condemn("wrote what nobody had asked for") : std::get<Trouble>(*unasked);
    if (asked_of_worker.empty()) {  // it has greeted, and that is all
      failed_start(trouble);
      return;
    }
    if (number && was_asked(*number))
      late.push_back({*number, outcome_of(OutcomeKind::Crashed, answered_twice)});
    else
      late.push_back({asked_of_worker.back(), outcome_of(trouble, after_its_answer)});
    drop_worker();
  }

  bool was_asked(std::uint64_t number) const {
    return std::ranges::find(asked_of_worker, number) != asked_of_worker.end();
  }

  void launch(Prepared::Content prepared) {
    in_flight.push_back({.request = std::move(prepared.request), .known = std::move(prepared.unsendable), .begun = {}});
    if (in_flight.size() == 1) set_out();
    send_ahead();
  }

  /// Sends the first case to a worker that has nothing else to do.
  void set_out() {
    InFlight& first = in_flight.front();
    if (!first.known) first.known = ensure_started();
    if (first.known) return;
    begin_log_entry();
    send(first);
  }

  /// Sends the cases behind those that the worker has, in order: none passes another, since answers are told apart by
  /// their order.
  void send_ahead() {
    if (!computing()) return;
    for (InFlight& flight : in_flight)
      if (!flight.known && !is_with_worker(flight)) send(flight);
  }

  void send(InFlight& flight) {
    flight.sent_to = workers_started;
    flight.log_begin = log.end();
    flight.begun = Clock::now();
    asked_of_worker.push_back(flight.request.number);
    link->send(flight.request.bytes, 2);
  }

  Outcome land() {
    Outcome outcome = result_of(in_flight.front());
    in_flight.pop_front();
    if (!in_flight.empty()) begin();
    return outcome;
  }

  /// The case before is done with: now it is the first one's turn.
  void begin() {
    InFlight& first = in_flight.front();
    if (!is_with_worker(first)) {  // it went down with the worker that it was sent to
      set_out();
      send_ahead();
      return;
    }
    log.mark_at(std::max(first.log_begin, printed_before));
    first.begun = Clock::now();
  }

  Outcome result_of(InFlight& first) {
    while (!first.known) {
      if (auto outcome = await(first)) return *std::move(outcome);
      set_out();  // another case has cost it its worker
      send_ahead();
    }
    return *first.known;
  }

  /// Nothing where the worker had to go for what it did to another case.
  std::optional<Outcome> await(const InFlight& flight) {
    const auto answer = link->await(flight.begun + options.case_timeout, within(options.case_timeout));
    if (const auto* trouble = std::get_if<Trouble>(&answer))
      return with_time_spent(give_up(*trouble, before_answering(*trouble)), flight);
    const auto& frame = std::get<Frame>(answer);
    printed_before = printed_until(frame).value_or(0);
    try {
      if (frame.kind == FrameKind::Died) {
        const Trouble trouble = link->reported(read_death(frame));
        return closed(flight, with_time_spent(outcome_of(trouble, before_answering(trouble)), flight), true);
      }
      if (charge_to_another(frame, flight)) return std::nullopt;
      Outcome outcome = read_outcome(frame, flight.request);
      if (numbers_answers && !number_of(frame))
        throw ProtocolError("left out the number of the request, though it numbers its answers");
      return closed(flight, std::move(outcome), false);
    } catch (const ProtocolError& error) {
      return give_up(link->condemn(error.what()), "");
    }
  }

  /// Is this the answer to another case than the one whose turn it is? Then the misdeed is that case's, and the worker
  /// goes. Throws ProtocolError where it can belong to none.
  bool charge_to_another(const Frame& frame, const InFlight& flight) {
    const auto number = number_of(frame);
    if (!number || *number == flight.request.number) return false;
    if (!was_asked(*number)) throw ProtocolError("answered a request that was not sent to it");
    const auto early = std::ranges::find_if(in_flight, [&](const InFlight& f) { return f.request.number == *number; });
    if (early != in_flight.end())
      early->known = outcome_of(OutcomeKind::Crashed, "answered before the case in front of it");
    else
      late.push_back({*number, outcome_of(OutcomeKind::Crashed, answered_twice)});
    drop_worker();
    return true;
  }

  /// The outcome of a case that has been answered, once the worker has shown that it is done with it. `died`: the
  /// answer was that the process in which it was computed is dead.
  Outcome closed(const InFlight& flight, Outcome outcome, bool died) {
    const auto end = link->await(Clock::now() + options.case_timeout, within(options.case_timeout));
    const auto* frame = std::get_if<Frame>(&end);
    if (frame && frame->kind == FrameKind::HelloReply) return outcome;
    if (died) {  // whatever else it is, one death is enough to tell
      drop_worker();
      return outcome;
    }
    if (!frame) return give_up(std::get<Trouble>(end), after_its_answer);
    try {
      if (frame->kind == FrameKind::Died) return give_up(link->reported(read_death(*frame)), after_its_answer);
      if (is_answer_to_run(frame->kind) && charge_to_another(*frame, flight)) return outcome;
    } catch (const ProtocolError& error) {
      return give_up(link->condemn(error.what()), "");
    }
    return give_up(link->condemn("wrote more than one answer"), "");
  }

  /// An engine that did not come back has spent all its time inside its own calls.
  static Outcome with_time_spent(Outcome outcome, const InFlight& flight) {
    outcome.timings.run = std::chrono::duration<double>(Clock::now() - flight.begun).count();
    return outcome;
  }

  Outcome give_up(const Trouble& trouble, std::string_view when) {
    Outcome outcome = outcome_of(trouble, when);
    drop_worker();
    return outcome;
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
    drop_worker();
    return {};
  }
};

WorkerEngine::WorkerEngine(std::string name, std::vector<std::string> command, WorkerOptions options)
    : impl_(std::make_unique<Impl>(std::move(name), std::move(command), std::move(options))) {}

WorkerEngine::~WorkerEngine() = default;

void WorkerEngine::warm_up() {
  if (!impl_->link && impl_->absence.empty() && !impl_->cannot_start()) impl_->begin_start();
}

EngineDescription WorkerEngine::describe() {
  if (impl_->interruption.guard([&] { return impl_->ensure_started(); })) return {impl_->name, "", std::nullopt};
  return impl_->description;
}

std::string WorkerEngine::absence() {
  impl_->interruption.guard([&] { impl_->ensure_started(); });
  return impl_->absence;
}

std::string WorkerEngine::start_failure() {
  impl_->interruption.guard([&] {
    if (!impl_->has_greeted) impl_->ensure_started();
  });
  if (!impl_->absence.empty()) return impl_->has_greeted ? impl_->absence : "";
  return impl_->cannot_start() ? impl_->start_trouble : "";
}

Support WorkerEngine::supports(const Problem& problem) {
  if (!impl_->in_flight.empty()) throw std::logic_error("WorkerEngine::supports between start and finish");
  return impl_->interruption.guard([&] { return impl_->ask(problem); });
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
    content->request.bytes += hello_request();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // whatever it is, it is not the engine's doing
    content->unsendable =
        outcome_of(OutcomeKind::HarnessError, fmt::format("the case cannot be sent: {}", error.what()));
  }
  return Prepared(std::move(content));
}

std::uint64_t WorkerEngine::start(Prepared prepared) {
  if (impl_->in_flight.size() >= most_in_flight)
    throw std::logic_error("WorkerEngine::start: finish() what was started");
  const std::uint64_t number = prepared.content_->request.number;
  impl_->interruption.guard([&] { impl_->launch(std::move(*prepared.content_)); });
  return number;
}

std::uint64_t WorkerEngine::start(const Problem& problem) {
  return start(prepare(problem));
}

Outcome WorkerEngine::finish() {
  if (impl_->in_flight.empty()) throw std::logic_error("WorkerEngine::finish: nothing was started");
  return impl_->interruption.guard([&] { return impl_->land(); });
}

std::vector<LateMisdeed> WorkerEngine::take_late() {
  impl_->interruption.guard([&] {
    if (impl_->in_flight.empty()) impl_->settle();
  });
  return std::exchange(impl_->late, {});
}

WorkerNotes WorkerEngine::notes() const {
  WorkerNotes notes = impl_->notes;
  if (impl_->link) impl_->note(*impl_->link, notes);
  return notes;
}

std::string WorkerEngine::end() {
  if (!impl_->link) return "";
  impl_->begin_log_entry();
  std::string trouble = impl_->link->end();
  impl_->drop_worker();
  return trouble;
}

std::string WorkerEngine::take_log() {
  return impl_->log.take();
}

}  // namespace cellproof::engines
