#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "reports/grouping.hpp"
#include "reports/plain_text.hpp"
#include "spec/finding_words.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::reports {
namespace {

/// "LSTM 14, 22; GRU 7 (float16, float)"; types only where they are not all float.
std::string subject_of(const std::vector<OperatorVersion>& versions, const std::vector<std::string>& types) {
  std::string subject;
  const OperatorVersion* last = nullptr;
  for (const OperatorVersion& version : versions) {
    if (last && last->op == version.op)
      subject += fmt::format(", {}", version.since_version);
    else
      subject += fmt::format("{}{} {}", last ? "; " : "", name(version.op), version.since_version);
    last = &version;
  }
  const bool any_type = std::find(types.begin(), types.end(), "float") != types.end();
  if (!any_type) subject += fmt::format(" ({})", fmt::join(types, ", "));
  return subject;
}

std::string_view phrase_of(ViolationKind kind) {
  switch (kind) {
    case ViolationKind::Value:
      return "wrong values";
    case ViolationKind::Shape:
      return "wrong shape";
    case ViolationKind::Type:
      return "wrong element type";
    case ViolationKind::Padding:
      return "wrong padding";
    case ViolationKind::State:
      return "wrong final state";
    case ViolationKind::Count:
      return "wrong number of outputs";
    case ViolationKind::Repeat:
      return "two identical calls differ";
    case ViolationKind::Memory:
      return "returns uninitialised memory";
    default:
      return "wrong result";
  }
}

std::string violation_of(const Finding& finding) {
  const Judgement& judgement = finding.judgement;
  if (!finding.law.empty()) return fmt::format("breaks the law {}", finding.law);
  std::string words(judgement.kind ? phrase_of(*judgement.kind) : "wrong result");
  if (judgement.verdict == Verdict::Suspect) words = "values beyond what usual arithmetic reaches";
  if (judgement.first && judgement.first->output) words += fmt::format(" in {}", output_name(*judgement.first));
  return words;
}

/// One of two identical calls. Messages hold numbers: they stand below the sentence.
std::string one_call(OutcomeKind outcome, int signal) {
  const char* const short_name = signal == 0 ? nullptr : sigabbrev_np(signal);
  switch (outcome) {
    case OutcomeKind::Ran:
      return "ran";
    case OutcomeKind::NotSupported:
    case OutcomeKind::Rejected:
      return "refused it";
    case OutcomeKind::Crashed:
      if (signal == 0) return "its worker died or broke the protocol";
      return short_name ? fmt::format("its worker died of SIG{} ({})", short_name, sigdescr_np(signal))
                        : fmt::format("its worker died of signal {}", signal);
    case OutcomeKind::TimedOut:
      return "gave no answer in time";
    case OutcomeKind::OutOfMemory:
      return "went beyond its memory limit";
    case OutcomeKind::EngineAbsent:
      return "was absent";
    case OutcomeKind::HarnessError:
      return "the harness failed";
  }
  return "";
}

std::string chance_of(const Finding& finding) {
  const OtherOutcome& other = *finding.flaky;
  if (finding.outcome == OutcomeKind::Ran && other.outcome == OutcomeKind::Ran && !finding.law.empty())
    return fmt::format("answers by chance: breaks the law {} at times", finding.law);
  if (finding.outcome == other.outcome && finding.signal == other.signal)
    return "answers by chance: two identical calls differ";
  // A busy machine makes an engine late as well.
  const bool late = (finding.outcome == OutcomeKind::TimedOut) != (other.outcome == OutcomeKind::TimedOut);
  return fmt::format("{}: {}, and {} on an identical call", late ? "is late at times" : "answers by chance",
                     one_call(finding.outcome, finding.signal), one_call(other.outcome, other.signal));
}

std::string crash_of(const Finding& finding) {
  if (finding.signal == 0) return "the process dies";
  const char* signal = sigabbrev_np(finding.signal);
  return signal ? fmt::format("crash by SIG{}", signal) : fmt::format("crash by signal {}", finding.signal);
}

std::string misconduct_of(const Finding& finding) {
  std::string words;
  for (const Misconduct m : finding.misconduct) words += (words.empty() ? "" : "; ") + std::string(describe(m));
  return words;
}

/// "shape-of-W, type-of-X": each rule once.
std::string broken_rules(const Group& group) {
  std::vector<std::string> rules;
  for (const Finding* finding : group.members)
    for (const Violation& violation : finding->expectation.violations) rules.push_back(violation.rule);
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return fmt::format("{}", fmt::join(rules, ", "));
}

}  // namespace

std::string event_of(const Group& group) {
  const Finding& finding = *group.representative;
  switch (group.kind) {
    case FindingKind::Wrong:
      return violation_of(finding);
    case FindingKind::Crash:
      return crash_of(finding);
    case FindingKind::Hang:
      return "no answer in time";
    case FindingKind::OutOfMemory:
      return "beyond its memory limit";
    case FindingKind::Flaky:
      return chance_of(finding);
    case FindingKind::Misconduct:
      return misconduct_of(finding);
    case FindingKind::AcceptedInvalid:
      return "runs models that must be refused: " + broken_rules(group);
    case FindingKind::Imprecise:
      return fmt::format("as coarse as contract {}", name(finding.judgement.contract));
    case FindingKind::Reading:
      return fmt::format("follows {}", fmt::join(finding.judgement.readings.differences(), ", "));
    case FindingKind::Undecided:
    case FindingKind::Unreadable:
      return sentence_of(finding.judgement);
    case FindingKind::HarnessError:
    case FindingKind::Gap:
    case FindingKind::Absent:
      return finding.outcome_message;
    case FindingKind::Conforms:
      return "conforms";
  }
  return "";
}

std::string sentence_of(const Group& group) {
  return fmt::format("{}: {}", subject_of(group.versions, group.types), shortened(event_of(group), 300));
}

}  // namespace cellproof::reports
