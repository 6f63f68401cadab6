#include "engines/current_worker.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "engines/messages.hpp"
#include "engines/one_line.hpp"

namespace cellproof::engines {
namespace {

/// A worker that dies this often at its start, without a case between, is not started again: what has become of the
/// engine is no case's doing.
constexpr int most_failed_starts = 3;

/// Adds what is to be noted of a worker.
void note(const WorkerLink& link, WorkerNotes& notes) {
  if (const auto grown = link.memory().per_answer()) {
    constexpr double replies_of_a_case = 2;
    notes.memory_growth = std::max(notes.memory_growth.value_or(0), *grown * replies_of_a_case);
  }
  for (std::string& process : link.left_behind()) notes.left_behind.push_back(std::move(process));
}

}  // namespace

Outcome outcome_of(OutcomeKind kind, std::string_view message) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.message = message;
  return outcome;
}

Outcome outcome_of(const Trouble& trouble, std::string_view when) {
  Outcome outcome = outcome_of(trouble.kind, trouble.message(when));
  if (trouble.death && trouble.kind == OutcomeKind::Crashed) outcome.signal = trouble.death->signal;
  return outcome;
}

std::string_view before_answering(const Trouble& trouble) {
  return trouble.death && trouble.death->signal == 0 ? " without answering" : "";
}

std::chrono::milliseconds WorkerOptions::case_limit(double products) const {
  constexpr double products_a_second = 1e7;
  if (is_case_timeout_fixed) return case_timeout;
  return case_timeout + std::chrono::seconds(static_cast<std::int64_t>(products / products_a_second));
}

std::string within(std::chrono::milliseconds time) {
  return fmt::format("within {:g} s", static_cast<double>(time.count()) / 1000);
}

CurrentWorker::CurrentWorker(std::string name, std::vector<std::string> command, WorkerOptions options)
    : name_(std::move(name)),
      command_(std::move(command)),
      options_(std::move(options)),
      log_(options_.log_file),
      description_{name_, "", std::nullopt},
      absence_(options_.absence) {}

std::optional<Outcome> CurrentWorker::ensure_greeted() {
  if (link_ && !greeted_) {
    auto failure = greet();
    if (!failure || !absence_.empty()) return failure;
  }
  if (link_) return std::nullopt;
  if (!absence_.empty()) return outcome_of(OutcomeKind::EngineAbsent, absence_);
  for (;;) {
    if (cannot_start()) return last_failed_start_;
    if (auto absent = begin_start()) return absent;
    auto failure = greet();
    if (!failure || !absence_.empty()) return failure;
  }
}

bool CurrentWorker::cannot_start() const {
  return failed_starts_ >= (!has_greeted_ ? 1 : most_failed_starts);
}

std::optional<Outcome> CurrentWorker::begin_start() {
  begin_log_entry();
  try {
    link_ = std::make_unique<WorkerLink>(command_, log_, options_.memory_limit_bytes, options_.environment);
  } catch (const SpawnError& error) {
    return absent(error.what());
  }
  ++started_;
  asked_.clear();
  greeted_ = false;
  link_->send(hello_request());
  return std::nullopt;
}

void CurrentWorker::drop() {
  if (!link_) return;
  note(*link_, notes_);
  link_.reset();
}

void CurrentWorker::begin_log_entry() {
  log_.trim();
  log_.mark();
  printed_before = 0;  // said of the log before it was cut
}

Outcome CurrentWorker::absent(std::string why) {
  drop();
  absence_ = std::move(why);
  return outcome_of(OutcomeKind::EngineAbsent, absence_);
}

std::optional<Outcome> CurrentWorker::greet() {
  auto answer = link_->await(Clock::now() + options_.start_timeout, within(options_.start_timeout));
  try {
    if (const auto* frame = std::get_if<Frame>(&answer)) {
      const Greeting greeting = read_hello(*frame);
      description_ = greeting.description;
      description_.name = name_;
      numbers_answers_ = greeting.numbers_answers;
      failed_starts_ = 0;
      greeted_ = has_greeted_ = true;
      return std::nullopt;
    }
  } catch (const Incompatible& error) {
    return absent(error.what());
  } catch (const ProtocolError& error) {
    answer = link_->mark_dead(error.what());
  }
  const auto& trouble = std::get<Trouble>(answer);
  if (trouble.death && trouble.death->signal == 0 && trouble.death->exit_code == absent_exit_code)
    return absent(reason_of_absence());
  return failed_start(trouble);
}

std::string CurrentWorker::reason_of_absence() const {
  const auto printed = last_lines(log_.since_mark());
  return printed.empty() ? fmt::format("its worker exited with code {}", absent_exit_code) : printed;
}

Outcome CurrentWorker::failed_start(const Trouble& trouble) {
  drop();
  ++failed_starts_;
  last_failed_start_ = outcome_of(trouble, before_answering(trouble));
  start_trouble_ = last_failed_start_->message;
  if (has_greeted_) {
    ++notes_.failed_starts;
    notes_.start_failure = start_trouble_;
  }
  last_failed_start_->message = "at its start: " + last_failed_start_->message;
  last_failed_start_->before_the_case = true;
  return *last_failed_start_;
}

bool CurrentWorker::was_asked(std::uint64_t number) const {
  return std::ranges::find(asked_, number) != asked_.end();
}

std::optional<std::uint64_t> CurrentWorker::last_asked() const {
  return asked_.empty() ? std::nullopt : std::optional(asked_.back());
}

WorkerNotes CurrentWorker::notes() const {
  WorkerNotes notes = notes_;
  if (link_) note(*link_, notes);
  return notes;
}

}  // namespace cellproof::engines
