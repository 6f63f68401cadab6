#include "campaign/repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engines/fresh_memory.hpp"
#include "engines/same_outputs.hpp"
#include "spec/finding_words.hpp"

namespace cellproof::campaign {
namespace {

/// From the worst to what one wants to see.
constexpr std::array from_the_worst{OutcomeKind::Crashed,  OutcomeKind::OutOfMemory,  OutcomeKind::TimedOut,
                                    OutcomeKind::Rejected, OutcomeKind::NotSupported, OutcomeKind::Ran};

bool is_worse(const Outcome& a, const Outcome& b) {
  return std::ranges::find(from_the_worst, a.kind) < std::ranges::find(from_the_worst, b.kind);
}

bool says_nothing(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::EngineAbsent || outcome.kind == OutcomeKind::HarnessError ||
         outcome.before_the_case;
}

/// The first element in which two tensors of one type and shape differ.
std::optional<std::size_t> first_difference(const Tensor& a, const Tensor& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a.bits(i) != b.bits(i) && !(std::isnan(a.value(i)) && std::isnan(b.value(i)))) return i;
  return std::nullopt;
}

/// The place where the outputs of two runs differ; nothing where they do in number, type or shape.
std::optional<FirstViolation> difference(const Problem& problem, const Outcome& a, const Outcome& b) {
  const std::size_t most = output_names(problem.version.op).size();
  for (std::size_t k = 0; k < std::min({a.outputs.size(), b.outputs.size(), most}); ++k) {
    const std::optional<Tensor>&x = a.outputs[k], &y = b.outputs[k];
    if (!x || !y || x->type() != y->type() || x->shape() != y->shape()) continue;
    const auto place = first_difference(*x, *y);
    if (!place) continue;
    FirstViolation first;
    first.output = k;
    first.index = x->index_of(*place);
    first.type = x->type();
    first.expected = x->value(*place);
    first.actual = y->value(*place);
    return first;
  }
  return std::nullopt;
}

/// Leaves the worse of the two in `outcome` and returns the other.
Outcome take_the_worse(Outcome& outcome, Outcome again) {
  if (is_worse(again, outcome)) std::swap(outcome, again);
  return again;
}

bool both_ran(const Outcome& a, const Outcome& b) {
  return a.kind == OutcomeKind::Ran && b.kind == OutcomeKind::Ran;
}

/// Charges the outcome with reading fresh memory; `again`: what came of another filling.
Repeated reads_fresh_memory(const Problem& problem, Outcome& outcome, const Outcome& again) {
  Repeated repeated{.differs = true, .flaky = {}, .memory = {}};
  repeated.memory = difference(problem, outcome, again).value_or(FirstViolation{});
  outcome.misconduct.push_back(Misconduct::UninitialisedMemory);
  return repeated;
}

/// Leaves the worse of two calls in `outcome`.
Repeated differs_by_chance(const Problem& problem, Outcome& outcome, Outcome again) {
  Repeated repeated{.differs = true, .flaky = {}, .memory = {}};
  std::optional<FirstViolation> where;
  if (both_ran(outcome, again)) {
    where = difference(problem, outcome, again);
    outcome.misconduct.push_back(Misconduct::DiffersOnRepeat);
  }
  repeated.flaky = other_outcome(take_the_worse(outcome, std::move(again)));
  if (where)
    repeated.flaky->message =
        fmt::format("{} is {}, then {}", place_name(*where), expected_text(*where), actual_text(*where));
  return repeated;
}

}  // namespace

bool are_alike(const Outcome& a, const Outcome& b) {
  if (a.kind != b.kind) return false;
  return a.kind != OutcomeKind::Ran || (engines::same_outputs(a, b) && a.misconduct == b.misconduct);
}

OtherOutcome other_outcome(const Outcome& outcome) {
  return {outcome.kind, outcome.message, outcome.signal};
}

Repeated repeat(const Problem& problem, Outcome& outcome, const engines::Probe& ask,
                const engines::Probe& other_memory) {
  Outcome again = other_memory ? other_memory(problem) : ask(problem);
  // A second engine that does not start must not cost the case its second call.
  const bool two_fillings = other_memory && !says_nothing(again);
  if (other_memory && !two_fillings) again = ask(problem);
  if (says_nothing(again) || are_alike(outcome, again)) return {};
  if (two_fillings && both_ran(outcome, again)) {
    // Four calls, so that an engine that answers by chance is not taken for one that reads fresh memory. A death is
    // never laid to it: what kills a worker from outside may do so twice.
    const Outcome same = ask(problem), otherwise = other_memory(problem);
    if (are_alike(outcome, same) && are_alike(again, otherwise)) return reads_fresh_memory(problem, outcome, again);
    for (const Outcome& further : {same, otherwise})
      if (is_death(further)) again = further;  // which is worse than any other bits
  }
  return differs_by_chance(problem, outcome, std::move(again));
}

std::string describe(const Repeated& repeated) {
  if (repeated.memory && repeated.memory->output) {
    return fmt::format("{} is {} where fresh memory holds 0x{:02x} in each byte, and {} where it holds 0x{:02x}",
                       place_name(*repeated.memory), expected_text(*repeated.memory), engines::first_fill,
                       actual_text(*repeated.memory), engines::second_fill);
  }
  if (repeated.memory) return "it depends on what fresh memory holds";
  if (!repeated.flaky) return "";
  const OtherOutcome& other = *repeated.flaky;
  if (other.outcome != OutcomeKind::Ran)
    return fmt::format("{} when asked again{}", name(other.outcome), other.message.empty() ? "" : ": " + other.message);
  return other.message.empty() ? "ran when asked again" : other.message;
}

}  // namespace cellproof::campaign
