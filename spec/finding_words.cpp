#include "spec/finding_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <variant>

#include "spec/reason_words.hpp"
#include "spec/value_text.hpp"

namespace cellproof {
namespace {

std::string with_message(OutcomeKind outcome, const std::string& message, std::string_view where) {
  return fmt::format("{} {}{}", name(outcome), where, message.empty() ? "" : fmt::format(" ({})", message));
}

std::string_view text_of(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::Value:
      return "returns wrong values";
    case ViolationKind::Shape:
      return "returns a wrong shape";
    case ViolationKind::Type:
      return "returns a wrong element type";
    case ViolationKind::Padding:
      return "returns wrong padding";
    case ViolationKind::State:
      return "returns a wrong final state";
    case ViolationKind::Count:
      return "returns a wrong number of outputs";
    case ViolationKind::Memory:
      return "returns uninitialised memory";
    case ViolationKind::Inputs:
      return "changes its inputs";
    case ViolationKind::Nan:
      return "returns NaN in every run of a law";
    default:
      return "returns a wrong result";
  }
}

std::string text_of(const Finding& finding) {
  switch (finding.outcome) {
    case OutcomeKind::Crashed: {
      const char* const signal = finding.signal == 0 ? nullptr : sigabbrev_np(finding.signal);
      return signal == nullptr ? "kills its process" : fmt::format("crashes by SIG{}", signal);
    }
    case OutcomeKind::TimedOut:
      return "gives no answer in time";
    case OutcomeKind::OutOfMemory:
      return "goes beyond its memory limit";
    default:
      return fmt::format("gives no answer ({})", name(finding.outcome));
  }
}

}  // namespace

std::string_view result_name(const Finding& finding) {
  if (finding.flaky) return "FLAKY";
  const auto& verdict = finding.judgement.verdict;
  return verdict ? name(*verdict) : name(finding.outcome);
}

std::string_view kind_name(ViolationKind kind, const Finding& finding) {
  const auto& broken_rules = finding.expectation.violations;
  switch (kind) {
    case ViolationKind::Law:
      return finding.law;
    case ViolationKind::Rule:
      return broken_rules.empty() ? std::string_view() : broken_rules.front().rule;
    case ViolationKind::Outcome:
      return name(finding.outcome);
    default:
      return name(kind);
  }
}

std::string_view kind_name(const Finding& finding) {
  return finding.judgement.kind ? kind_name(*finding.judgement.kind, finding) : "";
}

std::string failure_text(const Finding& finding) {
  const auto& verdict = finding.judgement.verdict;
  if (finding.outcome != OutcomeKind::Ran) return (finding.flaky ? "sometimes " : "") + text_of(finding);
  if (finding.flaky) return "answers two identical calls differently";
  if (verdict == Verdict::AcceptedInvalid) return "runs models that must be refused";
  if (!finding.law.empty()) return "breaks law " + finding.law;
  if (verdict == Verdict::Suspect) return "returns values beyond what usual arithmetic reaches";
  if (finding.judgement.kind) return std::string(text_of(*finding.judgement.kind));
  return finding.misconduct.empty() ? "returns a wrong result" : std::string(describe(finding.misconduct.front()));
}

std::string_view type_name(const Finding& finding) {
  return finding.type ? onnx_name(*finding.type) : "";
}

const std::string& smallest_line(const Finding& finding) {
  return finding.reduction ? finding.reduction->case_line : finding.case_line;
}

std::string both_outcomes(const Finding& finding) {
  if (!finding.flaky) return "";
  if (finding.outcome == finding.flaky->outcome && finding.outcome_message == finding.flaky->message)
    return with_message(finding.outcome, finding.outcome_message, "in both of two identical calls");
  return with_message(finding.outcome, finding.outcome_message, "in one call") + ", " +
         with_message(finding.flaky->outcome, finding.flaky->message, "in an identical one");
}

std::string_view output_name(const FirstViolation& first) {
  return first.output ? output_name(*first.output) : "";
}

std::string place_name(const FirstViolation& first) {
  return fmt::format("{}[{}]", output_name(first), fmt::join(first.index, ","));
}

std::string expected_text(const FirstViolation& first) {
  if (first.expected) return value_text(first.type, *first.expected);
  const auto* const broken = std::get_if<BrokenOutput>(&first.structure);
  return broken != nullptr ? to_text(*broken) : std::get<Words>(first.structure);
}

std::string actual_text(const FirstViolation& first) {
  return first.actual ? value_text(first.type, *first.actual) : "";
}

ValueNames value_names(const Judgement& judgement) {
  if (judgement.kind == ViolationKind::Memory)
    return {"differs first", "with one filling of fresh memory", "with another"};
  if (judgement.kind == ViolationKind::Repeat) return {"differs first", "in one call", "in an identical one"};
  return {};
}

std::string both_values(const Judgement& judgement, const FirstViolation& first) {
  if (first.index.empty()) return expected_text(first);  // of the whole output, which has no two values
  const ValueNames names = value_names(judgement);
  return fmt::format("{} {}, {} {}", names.expected, expected_text(first), names.actual, actual_text(first));
}

}  // namespace cellproof
