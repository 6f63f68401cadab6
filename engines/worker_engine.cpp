#include "engines/worker_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "engines/current_worker.hpp"
#include "engines/interruption.hpp"
#include "engines/messages.hpp"
#include "engines/worker_link.hpp"

namespace cellproof::engines {
namespace {

constexpr std::string_view after_its_answer = " after its answer", answered_twice = "answered a second time";

}  // namespace

struct WorkerEngine::Prepared::Content {
  RunRequest request;
  std::optional<Outcome> unsendable;
};

struct WorkerEngine::Impl {
  CurrentWorker worker;

  /// A case between start() and finish().
  struct InFlight {
    RunRequest request;            ///< a HELLO behind the RUN: its reply ends what belongs to the case
    std::optional<Outcome> known;  ///< where there is nothing to wait for
    int sent_to = 0;               ///< which of the workers started so far
    std::uint64_t log_begin = 0;   ///< where its part of the log begins at the earliest
    Clock::time_point begun;       ///< when the worker had nothing else to do
  };
  std::deque<InFlight> in_flight;  ///< in the order of their answers
  std::vector<LateMisdeed> late;
  Interruption interruption;

  /// A worker that has said HELLO and waits for a request; otherwise what a run on it comes to.
  std::optional<Outcome> ensure_started() {
    settle();
    return worker.ensure_greeted();
  }

  bool is_with_worker(const InFlight& flight) const {
    return worker.link() != nullptr && flight.sent_to == worker.started();
  }

  /// Has the worker been sent something that it has not answered?
  bool computing() const {
    return std::ranges::any_of(in_flight, [&](const InFlight& f) { return is_with_worker(f); });
  }

  /// Charges what a worker of which nothing is asked has done all the same to the case that its answer names, else to
  /// the last one that it had.
  void settle() {
    if (!worker.is_greeted() || computing()) return;
    WorkerLink& link = *worker.link();
    const auto unasked = link.unasked();
    if (!unasked) return;
    const auto* frame = std::get_if<Frame>(&*unasked);
    const LateMisdeed second{frame ? number_of(*frame).value_or(0) : 0,
                             outcome_of(OutcomeKind::Crashed, answered_twice)};
    const Trouble trouble = frame ? link.mark_dead("wrote what nobody had asked for") : std::get<Trouble>(*unasked);
    if (const auto last = worker.last_asked()) {
      const bool names_a_case = worker.was_asked(second.number);  // no case has the number 0
      late.push_back(names_a_case ? second : LateMisdeed{*last, outcome_of(trouble, after_its_answer)});
      worker.drop();
    } else {  // it has greeted, and that is all
      worker.failed_start(trouble);
    }
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
    worker.begin_log_entry();
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
    flight.sent_to = worker.started();
    flight.log_begin = worker.log().end();
    flight.begun = Clock::now();
    worker.asked(flight.request.number);
    if (flight.request.pieces.size() > 0) return worker.link()->send(flight.request.pieces, 2);
    worker.link()->send(flight.request.bytes, 2);
  }

  auto answer_within(std::chrono::milliseconds limit, Clock::time_point begun = Clock::now()) {
    return worker.link()->await(begun + limit, within(limit));
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
    worker.log().mark_at(std::max(first.log_begin, worker.printed_before));
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
    const auto answer = answer_within(worker.options().case_limit(flight.request.products), flight.begun);
    if (const auto* trouble = std::get_if<Trouble>(&answer))
      return with_time_spent(give_up(*trouble, before_answering(*trouble)), flight);
    const auto& frame = std::get<Frame>(answer);
    worker.printed_before = printed_until(frame).value_or(0);
    try {
      if (frame.kind == FrameKind::Died) {
        const Trouble trouble = worker.link()->reported(frame);
        return closed(flight, with_time_spent(outcome_of(trouble, before_answering(trouble)), flight), true);
      }
      if (charge_to_another(frame, flight)) return std::nullopt;
      Outcome outcome = read_outcome(frame, flight.request);
      if (worker.numbers_answers() && !number_of(frame))
        throw ProtocolError("left out the number of the request, though it numbers its answers");
      return closed(flight, std::move(outcome), false);
    } catch (const ProtocolError& error) {
      return give_up(worker.link()->mark_dead(error.what()), "");
    }
  }

  /// Is this the answer to another case than the one whose turn it is? Then the misdeed is that case's, and the worker
  /// goes. Throws ProtocolError where it can belong to none.
  bool charge_to_another(const Frame& frame, const InFlight& flight) {
    const auto number = number_of(frame);
    if (!number || *number == flight.request.number) return false;
    if (!worker.was_asked(*number)) throw ProtocolError("answered a request that was not sent to it");
    const auto early = std::ranges::find_if(in_flight, [&](const InFlight& f) { return f.request.number == *number; });
    if (early != in_flight.end())
      early->known = outcome_of(OutcomeKind::Crashed, "answered before the case in front of it");
    else
      late.push_back({*number, outcome_of(OutcomeKind::Crashed, answered_twice)});
    worker.drop();
    return true;
  }

  /// The outcome of a case that has been answered, once the worker has shown that it is done with it. `died`: the
  /// answer was that the process in which it was computed is dead.
  Outcome closed(const InFlight& flight, Outcome outcome, bool died) {
    const auto end = answer_within(worker.options().case_timeout);
    const auto* frame = std::get_if<Frame>(&end);
    if (frame && frame->kind == FrameKind::HelloReply) return outcome;
    if (died) {  // whatever else it is, one death is enough to tell
      worker.drop();
      return outcome;
    }
    if (!frame) return give_up(std::get<Trouble>(end), after_its_answer);
    try {
      if (frame->kind == FrameKind::Died) return give_up(worker.link()->reported(*frame), after_its_answer);
      if (is_answer_to_run(frame->kind) && charge_to_another(*frame, flight)) return outcome;
    } catch (const ProtocolError& error) {
      return give_up(worker.link()->mark_dead(error.what()), "");
    }
    return give_up(worker.link()->mark_dead("wrote more than one answer"), "");
  }

  /// An engine that did not come back has spent all its time inside its own calls.
  static Outcome with_time_spent(Outcome outcome, const InFlight& flight) {
    outcome.timings.run = std::chrono::duration<double>(Clock::now() - flight.begun).count();
    return outcome;
  }

  Outcome give_up(const Trouble& trouble, std::string_view when) {
    Outcome outcome = outcome_of(trouble, when);
    worker.drop();
    return outcome;
  }

  Support ask(const Problem& problem) {
    if (ensure_started()) return {};
    worker.begin_log_entry();
    worker.link()->send(supports_request(problem));
    const auto answer = answer_within(worker.options().case_timeout);
    if (const auto* frame = std::get_if<Frame>(&answer)) {
      try {
        return read_support(*frame);
      } catch (const ProtocolError& error) {
        worker.link()->mark_dead(error.what());
      }
    }
    worker.drop();
    return {};
  }
};

WorkerEngine::WorkerEngine(std::string name, std::vector<std::string> command, WorkerOptions options)
    : impl_(std::make_unique<Impl>(CurrentWorker(std::move(name), std::move(command), std::move(options)))) {}

WorkerEngine::~WorkerEngine() = default;

void WorkerEngine::warm_up() {
  CurrentWorker& worker = impl_->worker;
  if (worker.link() == nullptr && worker.absence().empty() && !worker.cannot_start()) worker.begin_start();
}

EngineDescription WorkerEngine::describe() {
  if (impl_->interruption.guard([&] { return impl_->ensure_started(); }))
    return {impl_->worker.name(), "", std::nullopt};
  return impl_->worker.description();
}

std::string WorkerEngine::absence() {
  impl_->interruption.guard([&] { impl_->ensure_started(); });
  return impl_->worker.absence();
}

std::string WorkerEngine::start_failure() {
  impl_->interruption.guard([&] {
    if (!impl_->worker.has_greeted()) impl_->ensure_started();
  });
  const CurrentWorker& worker = impl_->worker;
  if (!worker.absence().empty()) return worker.has_greeted() ? worker.absence() : "";
  return worker.cannot_start() ? worker.start_trouble() : "";
}

Support WorkerEngine::supports(const Problem& problem) {
  if (!impl_->in_flight.empty()) throw std::logic_error("WorkerEngine::supports between start and finish");
  return impl_->interruption.guard([&] { return impl_->ask(problem); });
}

Outcome WorkerEngine::run(const Problem& problem) {
  start(problem);
  return finish();
}

Outcome WorkerEngine::run(const ModelRun& run) {
  start(prepare(run));
  return finish();
}

WorkerEngine::Prepared::Prepared(std::unique_ptr<Content> content) : content_(std::move(content)) {}
WorkerEngine::Prepared::~Prepared() = default;
WorkerEngine::Prepared::Prepared(Prepared&&) noexcept = default;
WorkerEngine::Prepared& WorkerEngine::Prepared::operator=(Prepared&&) noexcept = default;

template <class Request>
WorkerEngine::Prepared WorkerEngine::Prepared::of(const Request& asked) {
  auto content = std::make_unique<Prepared::Content>();
  try {
    (content->request = run_request(asked)).append(hello_request());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // whatever it is, it is not the engine's doing
    content->unsendable =
        outcome_of(OutcomeKind::HarnessError, fmt::format("the case cannot be sent: {}", error.what()));
  }
  return Prepared(std::move(content));
}

WorkerEngine::Prepared WorkerEngine::prepare(const Problem& problem) {
  return Prepared::of(problem);
}

WorkerEngine::Prepared WorkerEngine::prepare(const ModelRun& run) {
  return Prepared::of(run);
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

void WorkerEngine::note_of_no_case(LateMisdeed misdeed) {
  impl_->worker.note_idle(std::move(misdeed.outcome.message));
}

WorkerNotes WorkerEngine::notes() {
  for (LateMisdeed& misdeed : take_late()) note_of_no_case(std::move(misdeed));
  return impl_->worker.notes();
}

std::string WorkerEngine::end() {
  CurrentWorker& worker = impl_->worker;
  if (const auto misdeeds = take_late(); !misdeeds.empty()) return misdeeds.back().outcome.message;
  if (worker.link() == nullptr) return "";
  worker.begin_log_entry();
  std::string trouble = worker.link()->end();
  worker.drop();
  return trouble;
}

std::string WorkerEngine::take_log() {
  return impl_->worker.log().take();
}

}  // namespace cellproof::engines
