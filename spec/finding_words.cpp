#include "spec/finding_words.hpp"

#include <fmt/format.h>

namespace cellproof {
namespace {

std::string with_message(OutcomeKind outcome, const std::string& message, std::string_view where) {
  return fmt::format("{} {}{}", name(outcome), where, message.empty() ? "" : fmt::format(" ({})", message));
}

}  // namespace

std::string_view result_name(const Finding& finding) {
  if (finding.flaky) return "FLAKY";
  const auto& verdict = finding.judgement.verdict;
  return verdict ? name(*verdict) : name(finding.outcome);
}

std::string both_outcomes(const Finding& finding) {
  if (!finding.flaky) return "";
  if (finding.outcome == finding.flaky->outcome && finding.outcome_message == finding.flaky->message)
    return with_message(finding.outcome, finding.outcome_message, "in both of two identical calls");
  return with_message(finding.outcome, finding.outcome_message, "in one call") + ", " +
         with_message(finding.flaky->outcome, finding.flaky->message, "in an identical one");
}

ValueNames value_names(const Judgement& judgement) {
  if (judgement.kind == "memory") return {"differs first", "with one filling of fresh memory", "with another"};
  if (judgement.kind == "repeat") return {"differs first", "in one call", "in an identical one"};
  return {};
}

std::string both_values(const Judgement& judgement, const FirstViolation& first) {
  const ValueNames names = value_names(judgement);
  return fmt::format("{} {}, {} {}", names.expected, first.expected, names.actual, first.actual);
}

}  // namespace cellproof
