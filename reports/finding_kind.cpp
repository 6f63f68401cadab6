#include "reports/finding_kind.hpp"

#include <array>

namespace cellproof::reports {
namespace {

constexpr std::array<FindingKindInfo, finding_kind_count> kinds{{
    {FindingKind::Wrong, "wrong", "wrong result", "wrong results",
     "Outputs that no listed reading of the specification and no honest arithmetic explains."},
    {FindingKind::Crash, "crash", "crash", "crashes", "The engine's process died."},
    {FindingKind::Hang, "hang", "hang", "hangs", "The engine did not answer in time and was stopped."},
    {FindingKind::OutOfMemory, "memory", "memory overrun", "memory overruns",
     "The engine went beyond its memory limit."},
    {FindingKind::Flaky, "flaky", "flaky", "flaky", "Two identical calls came to different outcomes or outputs."},
    {FindingKind::Misconduct, "misconduct", "misconduct", "misconduct",
     "The engine changed its inputs, or answered two identical calls differently."},
    {FindingKind::AcceptedInvalid, "accepted-invalid", "invalid accepted", "invalid accepted",
     "A model that the specification forbids was run as if nothing were wrong."},
    {FindingKind::Imprecise, "imprecise", "imprecise", "imprecise",
     "Right only under a more permissive arithmetic contract than the engine's own."},
    {FindingKind::HarnessError, "harness", "harness error", "harness errors",
     "Our own fault: nothing is said about the engine."},
    {FindingKind::Unreadable, "unreadable", "unreadable case", "unreadable cases", "The files could not be read."},
    {FindingKind::Gap, "gap", "gap", "gaps",
     "A valid case that the engine refuses or does not support: no result, so no wrong one."},
    {FindingKind::Undecided, "undecided", "undecided", "undecided",
     "No fault proved, but too little verified to vouch for it."},
    {FindingKind::Reading, "reading", "reading", "readings",
     "Right under a listed reading of the specification other than our default: not a fault."},
    {FindingKind::Conforms, "conforms", "conforms", "conform", "Every element within the bounds of honest arithmetic."},
    {FindingKind::Absent, "absent", "not run", "not run", "The engine is not installed here."},
}};

FindingKind kind_of_verdict(Verdict verdict, bool pass) {
  switch (verdict) {
    case Verdict::Diverges:
    case Verdict::Suspect:
      return FindingKind::Wrong;
    case Verdict::AcceptedInvalid:
      return FindingKind::AcceptedInvalid;
    case Verdict::Precision:
      return pass ? FindingKind::Conforms : FindingKind::Imprecise;
    case Verdict::Reading:
      return FindingKind::Reading;
    case Verdict::Undecided:
      return FindingKind::Undecided;
    case Verdict::Unreadable:
      return FindingKind::Unreadable;
    case Verdict::Conforms:
    case Verdict::RefusedAsExpected:
      return FindingKind::Conforms;
  }
  return FindingKind::HarnessError;
}

}  // namespace

std::span<const FindingKindInfo> finding_kinds() {
  return kinds;
}

const FindingKindInfo& info(FindingKind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

FindingKind kind_of(const Finding& finding) {
  if (finding.flaky && finding.outcome != OutcomeKind::HarnessError) return FindingKind::Flaky;
  switch (finding.outcome) {
    case OutcomeKind::Crashed:
      return FindingKind::Crash;
    case OutcomeKind::TimedOut:
      return FindingKind::Hang;
    case OutcomeKind::OutOfMemory:
      return FindingKind::OutOfMemory;
    case OutcomeKind::EngineAbsent:
      return FindingKind::Absent;
    case OutcomeKind::HarnessError:
      // `check` judges files that no engine ran here; what cannot be read has a verdict and no outcome.
      return finding.judgement.verdict == Verdict::Unreadable ? FindingKind::Unreadable : FindingKind::HarnessError;
    case OutcomeKind::Ran:
    case OutcomeKind::NotSupported:
    case OutcomeKind::Rejected:
      break;
  }
  // A refusal where the text leaves one open is admissible, but no way to compute: the case is a gap like any other.
  const auto& verdict = finding.judgement.verdict;
  const bool is_gap = !verdict || (verdict == Verdict::Reading && finding.outcome != OutcomeKind::Ran);
  const FindingKind judged = is_gap ? FindingKind::Gap : kind_of_verdict(*verdict, finding.pass);
  const bool judged_worse = judged < FindingKind::Misconduct;
  return finding.misconduct.empty() || judged_worse ? judged : FindingKind::Misconduct;
}

bool held_against_engine(FindingKind kind) {
  return kind <= FindingKind::Imprecise;
}

}  // namespace cellproof::reports
