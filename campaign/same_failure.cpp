#include "campaign/same_failure.hpp"

#include <algorithm>
#include <string>

#include "campaign/law_trial.hpp"
#include "engines/same_outputs.hpp"
#include "fuzz/law.hpp"

namespace cellproof::campaign {
namespace {

std::string first_output(const Judgement& judgement) {
  return judgement.first ? judgement.first->output : "";
}

bool names_the_same(const Judgement& before, const Judgement& now) {
  if (before.faults.empty()) return now.faults.empty();
  return std::ranges::find(now.faults, before.faults.front()) != now.faults.end();
}

bool has_same_signature(const Judgement& before, const Judgement& now) {
  if (now.kind != before.kind || first_output(now) != first_output(before) || now.readings != before.readings)
    return false;
  if (before.verdict == Verdict::Precision && now.contract != before.contract) return false;
  return names_the_same(before, now);
}

}  // namespace

bool fail_alike(const Finding& known, const Finding& other) {
  return known.version.op == other.version.op && known.outcome == other.outcome && known.signal == other.signal &&
         known.judgement.verdict == other.judgement.verdict && has_same_signature(known.judgement, other.judgement);
}

SameFailure::SameFailure(const Finding& finding, const EngineUnderTest& engine, const oracle::Probe& run)
    : finding_(finding),
      run_(run),
      threaded_(engine.threaded),
      engine_{engine.declared, engine.proved_of(finding.version.op),
              [this](const Problem& problem) { return call(problem); }} {}

Outcome SameFailure::call(const Problem& problem) {
  ++calls_;
  return run_(problem);
}

Answer SameFailure::ask(const Case& c, Faults faults) {
  const std::vector<std::string>& named = finding_.judgement.faults;
  engine_.only_fault = faults == Faults::TheSame && !named.empty() ? named.front() : "";
  const Problem problem = make_problem(c);
  if (!finding_.law.empty()) {
    LawAnswer of_law = answer_to_law(
        fuzz::law_named(finding_.law), problem, [this](const Problem& each) { return call(each); },
        threaded_ ? [this](const Problem& each, int threads) { return ++calls_, threaded_(each, threads); }
                  : fuzz::ThreadedProbe(),
        engine_.declared);
    return {std::move(of_law.outcome), expectation_of(problem), std::move(of_law.judgement)};
  }
  Answer answer{call(problem), expectation_of(problem), {}};
  if (answer.outcome.kind != OutcomeKind::Ran) return answer;
  if (finding_.judgement.kind == "repeat" && !engines::same_outputs(answer.outcome, call(problem)))
    answer.outcome.misconduct.push_back(Misconduct::DiffersOnRepeat);
  answer.judgement = oracle::decide(problem, answer.expectation, answer.outcome, engine_);
  return answer;
}

bool SameFailure::is_alike(const Answer& answer) const {
  if (answer.outcome.kind != finding_.outcome) return false;
  if (finding_.outcome != OutcomeKind::Ran) {
    return answer.outcome.signal == finding_.signal && answer.expectation.kind == finding_.expectation.kind;
  }
  if (answer.judgement.verdict != finding_.judgement.verdict) return false;
  if (answer.judgement.verdict == Verdict::AcceptedInvalid) {
    return !finding_.expectation.violations.empty() &&
           answer.expectation.violations.front().rule == finding_.expectation.violations.front().rule;
  }
  return has_same_signature(finding_.judgement, answer.judgement);
}

}  // namespace cellproof::campaign
