#include "engines/worker_link.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "engines/messages.hpp"
#include "engines/one_line.hpp"

namespace cellproof::engines {
namespace {

using std::chrono::milliseconds;

/// Interval between looks at a busy worker's memory, log and pulse. Most cases are over before the first look.
constexpr milliseconds look_interval{20};
constexpr milliseconds farewell_time{500};
constexpr milliseconds dying_time{1000};

/// Words with which runtimes and languages say on their way out that memory was refused to them.
constexpr std::array<std::string_view, 3> signs_of_refused_memory{"std::bad_alloc", "MemoryError",
                                                                  "Cannot allocate memory"};

bool says_memory_was_refused(const std::string& log) {
  return std::any_of(signs_of_refused_memory.begin(), signs_of_refused_memory.end(),
                     [&](std::string_view sign) { return log.find(sign) != std::string::npos; });
}

/// Most bytes that stay allocated between requests.
constexpr std::size_t kept_for_requests = std::size_t{1} << 20;

}  // namespace

std::string Trouble::message(std::string_view when) const {
  return fmt::format("{}{}{}{}", what, death ? when : "", printed.empty() ? "" : "; it printed: ", printed);
}

WorkerLink::WorkerLink(const std::vector<std::string>& command, WorkerLog& log, std::uint64_t memory_limit_bytes,
                       const WorkerEnvironment& environment)
    : log_(log),
      memory_limit_(memory_limit_bytes),
      process_(command, log.descriptor(), environment),
      next_look_(Clock::now() + look_interval) {}

WorkerLink::~WorkerLink() {
  try {
    end();
  } catch (const std::system_error&) {  // one that cannot be told to end is killed, with what it owns
  }
}

std::string WorkerLink::end() {
  if (due_ != 0) return "";  // it is busy, and the process kills what it owns
  if (const auto misdeed = unasked()) {
    const auto* trouble = std::get_if<Trouble>(&*misdeed);
    return trouble != nullptr ? trouble->message() : "wrote what nobody had asked for";
  }
  if (process_.death()) return ended().message();
  send(bye_request(), 0);
  process_.close_requests();
  if (!process_.ends_within(farewell_time)) return "";
  const Death death = process_.kill();
  return death.signal == 0 && death.exit_code == 0 ? "" : cause_of_death(death).message();
}

void WorkerLink::send(std::string_view requests, int replies) {
  if (waiting_.size() > 0) {
    waiting_.add(std::string(requests));
  } else {
    outgoing_.erase(0, std::exchange(sent_, 0));
    outgoing_.append(requests);
  }
  due_ += replies;
  pump_out();
}

void WorkerLink::send(const Pieces& requests, int replies) {
  waiting_.add(requests);
  due_ += replies;
  pump_out();
}

void WorkerLink::pump_out() {
  while (has_more_to_send()) {
    if (sent_ == outgoing_.size()) {
      outgoing_ = waiting_.read(fetched_, kept_for_requests);
      fetched_ += outgoing_.size();
      sent_ = 0;
    }
    const auto wrote = write_some(process_.to_worker(), std::string_view(outgoing_).substr(sent_));
    if (wrote.what == Transfer::WouldBlock) return;
    // A worker that does not read to the end may still answer, or die: the answer's side will tell.
    sent_ = wrote.what == Transfer::Closed ? outgoing_.size() : sent_ + wrote.count;
    if (wrote.what == Transfer::Closed) fetched_ = waiting_.size();
  }
  waiting_ = {};
  fetched_ = 0;
  if (outgoing_.capacity() <= kept_for_requests) return;
  std::string().swap(outgoing_);  // of a whole model
  sent_ = 0;
}

Transfer WorkerLink::pump_in() {
  const auto room = reader_.space();
  const auto got = read_some(process_.from_worker(), room.data(), room.size());
  if (got.what == Transfer::Moved) reader_.received(got.count);
  return got.what;
}

std::variant<Frame, Trouble> WorkerLink::await(Clock::time_point deadline, std::string_view what) {
  try {
    for (bool fresh = false;; fresh = true) {
      // By the clock and not by the wait: an engine that answers fast is looked at as often as one that does not.
      if (auto memory = look()) return *std::move(memory);
      if (auto reply = whole_reply()) return *reply;
      if (fresh && Clock::now() >= deadline) {
        process_.kill();
        return trouble(OutcomeKind::TimedOut, fmt::format("no answer {}", what), std::nullopt);
      }
      if (fresh && !dead_) wait_for_traffic(std::min(deadline, next_look_));
      pump_out();
      const auto got = pump_in();
      // A dead worker's pipe may be held open by something that it started; what it wrote before is still read.
      if ((got == Transfer::Closed || (dead_ && got == Transfer::WouldBlock)) && !whole_reply_is_there())
        return ended();
    }
  } catch (const ProtocolError& error) {
    return mark_dead(error.what());
  }
}

std::optional<std::variant<Frame, Trouble>> WorkerLink::unasked() {
  try {
    if (is_idle()) return std::nullopt;
    const auto got = pump_in();
    if (auto frame = reader_.next()) return *frame;
    if (reader_.has_leftover()) return mark_dead("wrote what is no whole frame, and nobody had asked for");
    if (got == Transfer::Closed || process_.death()) return ended();
    return std::nullopt;
  } catch (const ProtocolError& error) {
    return mark_dead(error.what());
  }
}

std::optional<Frame> WorkerLink::whole_reply() {
  auto frame = reader_.next();
  if (frame) --due_, ++replies_;
  return frame;
}

bool WorkerLink::whole_reply_is_there() const {
  return reader_.peek().has_value();
}

void WorkerLink::wait_for_traffic(Clock::time_point until) const {
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
  std::array<pollfd, 2> watched{{{process_.from_worker(), POLLIN, 0}, {process_.to_worker(), POLLOUT, 0}}};
  poll(watched.data(), has_more_to_send() ? 2 : 1, static_cast<int>(std::max<milliseconds::rep>(left.count(), 0)));
}

/// Looks at the worker's memory, log and pulse, where it is time to.
std::optional<Trouble> WorkerLink::look() {
  const auto now = Clock::now();
  if (now < next_look_) return std::nullopt;
  next_look_ = now + look_interval;
  log_.trim();
  dead_ = process_.death().has_value();
  if (dead_) return std::nullopt;
  const auto resident = process_.resident_bytes();
  memory_.note(replies_, resident);
  if (resident <= memory_limit_) return std::nullopt;
  process_.kill();
  return trouble(
      OutcomeKind::OutOfMemory,
      fmt::format("killed at {} MiB of resident memory, and {} MiB are the limit", resident >> 20, memory_limit_ >> 20),
      std::nullopt);
}

Trouble WorkerLink::ended() {
  // A dying process closes its pipes a little before it is dead.
  if (process_.ends_within(dying_time)) {
    Trouble end = cause_of_death(process_.kill());
    if (reader_.has_leftover()) end.what += ", in the middle of an answer";
    return end;
  }
  process_.kill();
  return trouble(OutcomeKind::Crashed, "closed the protocol pipe", std::nullopt);
}

Trouble WorkerLink::reported(const Frame& died) const {
  Death death = read_death(died);
  death.killed_for_memory = death.signal == SIGKILL && process_.memory_ran_out();
  // The worker has gone on with the next case, which may have printed by now.
  if (const auto printed = printed_until(died)) log_.end_at(*printed);
  return cause_of_death(death);
}

Trouble WorkerLink::cause_of_death(const Death& death) const {
  const std::string what = death.describe();
  const bool memory = death.killed_for_memory || says_memory_was_refused(log_.since_mark());
  return trouble(memory ? OutcomeKind::OutOfMemory : OutcomeKind::Crashed, what, death);
}

Trouble WorkerLink::mark_dead(const std::string& what) {
  process_.kill();
  return trouble(OutcomeKind::Crashed, what, std::nullopt);
}

Trouble WorkerLink::trouble(OutcomeKind kind, std::string what, std::optional<Death> death) const {
  return {kind, std::move(what), last_lines(log_.since_mark()), death};
}

std::vector<std::string> WorkerLink::left_behind() const {
  const std::vector<std::string>& left = process_.left_behind();
  return left.empty() ? process_.daemons() : left;
}

/// Is the worker still there, and silent since its last reply?
bool WorkerLink::is_idle() const {
  pollfd watched{process_.from_worker(), POLLIN, 0};
  return due_ == 0 && !reader_.has_leftover() && poll(&watched, 1, 0) == 0;
}

}  // namespace cellproof::engines
