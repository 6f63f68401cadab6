#include "engines/worker_link.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engines/messages.hpp"
#include "engines/one_line.hpp"

namespace cellproof::engines {
namespace {

using std::chrono::milliseconds;

/// How often a busy worker's memory, log and pulse are looked at. Most cases are over before the first look.
constexpr milliseconds look_interval{20};
constexpr milliseconds farewell_time{500};
constexpr milliseconds dying_time{1000};

/// How runtimes and languages say on their way out that memory was refused to them.
constexpr std::array<std::string_view, 3> signs_of_refused_memory{"std::bad_alloc", "MemoryError",
                                                                  "Cannot allocate memory"};

bool says_memory_was_refused(const std::string& log) {
  return std::any_of(signs_of_refused_memory.begin(), signs_of_refused_memory.end(),
                     [&](std::string_view sign) { return log.find(sign) != std::string::npos; });
}

}  // namespace

WorkerLink::WorkerLink(const std::vector<std::string>& command, WorkerLog& log, std::uint64_t memory_limit_bytes,
                       const WorkerEnvironment& environment)
    : log_(log), memory_limit_(memory_limit_bytes), process_(command, log.descriptor(), environment) {}

WorkerLink::~WorkerLink() {
  if (!is_idle()) return;  // the process kills what it owns
  send(bye_request());
  process_.close_requests();
  process_.ends_within(farewell_time);
}

void WorkerLink::send(std::string_view request) {
  outgoing_.erase(0, std::exchange(sent_, 0));
  outgoing_.append(request);
  ++unanswered_;
  pump_out();
}

void WorkerLink::pump_out() {
  while (sent_ < outgoing_.size()) {
    const auto wrote = write_some(process_.to_worker(), std::string_view(outgoing_).substr(sent_));
    if (wrote.what == Transfer::WouldBlock) return;
    // A worker that does not read to the end may still answer, or die: the answer's side will tell.
    sent_ = wrote.what == Transfer::Closed ? outgoing_.size() : sent_ + wrote.count;
  }
}

Transfer WorkerLink::pump_in() {
  const auto room = reader_.space();
  const auto got = read_some(process_.from_worker(), room.data(), room.size());
  if (got.what == Transfer::Moved) reader_.received(got.count);
  return got.what;
}

std::variant<Frame, Trouble> WorkerLink::await(Clock::time_point deadline, std::string_view what) {
  auto next_look = Clock::now() + look_interval;
  bool dead = false;
  try {
    if (auto answer = whole_answer()) return *std::move(answer);  // it came along with the one before
    for (;;) {
      if (!dead) wait_for_traffic(std::min(deadline, next_look));
      pump_out();
      const auto got = pump_in();
      if (auto answer = whole_answer()) return *std::move(answer);
      // A dead worker's pipe may be held open by something that it started; what it wrote before is still read.
      if (got == Transfer::Closed || (dead && got == Transfer::WouldBlock)) return ended();
      const auto now = Clock::now();
      if (now >= deadline) return trouble(OutcomeKind::TimedOut, fmt::format("no answer {}", what), process_.kill());
      if (now < next_look) continue;
      next_look = now + look_interval;
      log_.trim();
      if (auto memory = too_large()) return *std::move(memory);
      dead = process_.death().has_value();
    }
  } catch (const ProtocolError& error) {
    return condemn(error.what());
  }
}

std::optional<std::variant<Frame, Trouble>> WorkerLink::whole_answer() {
  auto frame = reader_.next();
  if (!frame) return std::nullopt;
  --unanswered_;
  if (reader_.has_leftover() && unanswered_ == 0) return condemn("wrote more than one answer");
  return *std::move(frame);
}

std::optional<Frame> WorkerLink::next_answer() const {
  try {
    return reader_.peek();
  } catch (const ProtocolError&) {  // await() will say so
    return std::nullopt;
  }
}

void WorkerLink::wait_for_traffic(Clock::time_point until) const {
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now());
  std::array<pollfd, 2> watched{{{process_.from_worker(), POLLIN, 0}, {process_.to_worker(), POLLOUT, 0}}};
  poll(watched.data(), sent_ < outgoing_.size() ? 2 : 1,
       static_cast<int>(std::max<milliseconds::rep>(left.count(), 0)));
}

std::optional<Trouble> WorkerLink::too_large() {
  const auto resident = process_.resident_bytes();
  if (resident <= memory_limit_) return std::nullopt;
  return trouble(
      OutcomeKind::OutOfMemory,
      fmt::format("killed at {} MiB of resident memory, and {} MiB are the limit", resident >> 20, memory_limit_ >> 20),
      process_.kill());
}

Trouble WorkerLink::ended() {
  // A dying process closes its pipes a little before it is dead.
  if (process_.ends_within(dying_time)) return obituary(process_.kill());
  process_.kill();
  return trouble(OutcomeKind::Crashed, "closed the protocol pipe", {});
}

Trouble WorkerLink::reported(Death death) const {
  death.killed_for_memory = death.signal == SIGKILL && process_.memory_ran_out();
  return obituary(death);
}

Trouble WorkerLink::obituary(const Death& death) const {
  std::string what = death.describe();
  if (death.signal == 0) what += " without answering";
  if (reader_.has_leftover()) what += ", in the middle of an answer";
  const bool memory = death.killed_for_memory || says_memory_was_refused(log_.since_mark());
  return trouble(memory ? OutcomeKind::OutOfMemory : OutcomeKind::Crashed, what, death);
}

Trouble WorkerLink::condemn(const std::string& what) {
  process_.kill();
  return trouble(OutcomeKind::Crashed, what, {});
}

Trouble WorkerLink::trouble(OutcomeKind kind, std::string what, const Death& death) const {
  const auto printed = last_lines(log_.since_mark());
  if (!printed.empty()) what += "; it printed: " + printed;
  return {kind, std::move(what), death};
}

bool WorkerLink::is_idle() const {
  pollfd watched{process_.from_worker(), POLLIN, 0};
  return unanswered_ == 0 && !reader_.has_leftover() && poll(&watched, 1, 0) == 0;
}

}  // namespace cellproof::engines
