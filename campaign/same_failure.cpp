#include "campaign/same_failure.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "campaign/law_trial.hpp"
#include "fuzz/law.hpp"
#include "oracle/changed_output.hpp"
#include "oracle/decide.hpp"
#include "spec/finding_words.hpp"
#include "spec/signature.hpp"

namespace cellproof::campaign {
namespace {

std::optional<std::size_t> first_output(const Judgement& judgement) {
  return judgement.first ? judgement.first->output : std::nullopt;
}

bool names_the_same(const Judgement& before, const Judgement& now) {
  if (before.faults.empty()) return now.faults.empty();
  return std::ranges::find(now.faults, before.faults.front()) != now.faults.end();
}

bool has(const std::vector<Misconduct>& all, Misconduct one) {
  return std::ranges::find(all, one) != all.end();
}

bool is_refusal(OutcomeKind kind) {
  return kind == OutcomeKind::Rejected || kind == OutcomeKind::NotSupported;
}

bool has_same_signature(const Judgement& before, const Judgement& now) {
  if (now.kind != before.kind || first_output(now) != first_output(before) || now.readings != before.readings)
    return false;
  if (before.verdict == Verdict::Precision && now.contract != before.contract) return false;
  return names_the_same(before, now);
}

}  // namespace

bool fail_alike(const Finding& known, const Finding& other) {
  if (known.flaky || other.flaky) {
    return known.flaky && other.flaky && known.version.op == other.version.op && flaky_kind(known) == flaky_kind(other);
  }
  return known.version.op == other.version.op && known.outcome == other.outcome && known.signal == other.signal &&
         known.judgement.verdict == other.judgement.verdict && kind_name(known) == kind_name(other) &&
         has_same_signature(known.judgement, other.judgement);
}

SameFailure::SameFailure(const Finding& finding, const EngineUnderTest& engine, const engines::Probe& run)
    : finding_(finding),
      run_(run),
      threaded_(engine.threaded),
      same_bits_(engine.same_bits),
      known_{engine.declared, engine.proved_of(finding.version.op)},
      tried_(engine.tried.value_or(oracle::every_fault_but(""))),
      explains_(engine.explains) {
  if (engine.other_memory)
    other_memory_ = [this, probe = engine.other_memory](const Problem& problem) { return ++calls_, probe(problem); };
}

Outcome SameFailure::call(const Problem& problem) {
  ++calls_;
  return run_(problem);
}

/// A death is seen in one call. That two answers differ is not, nor that a refusal is not repeated.
bool SameFailure::takes_several_calls() const {
  if (!finding_.law.empty()) return false;
  if (finding_.judgement.kind == ViolationKind::Repeat || has(finding_.misconduct, Misconduct::UninitialisedMemory))
    return true;
  return finding_.flaky && finding_.expectation.kind != Expectation::Kind::Refuse &&
         (is_refusal(finding_.outcome) || is_refusal(finding_.flaky->outcome));
}

Answer SameFailure::ask(const Case& c, Faults faults) {
  const Problem problem = make_problem(c);
  const engines::Probe call_engine = [this](const Problem& each) { return call(each); };
  if (!finding_.law.empty()) {
    LawAnswer of_law = answer_to_law(
        fuzz::law_named(finding_.law), problem, call_engine,
        threaded_ ? [this](const Problem& each, int threads) { return ++calls_, threaded_(each, threads); }
                  : fuzz::ThreadedProbe(),
        {known_.declared, same_bits_});
    return {std::move(of_law.outcome), expectation_of(problem), std::move(of_law.judgement), {}};
  }
  Answer answer{call(problem), expectation_of(problem), {}, {}};
  if (takes_several_calls()) answer.repeated = repeat(problem, answer.outcome, call_engine, other_memory_);
  if (answer.outcome.kind != OutcomeKind::Ran) return answer;
  // Whatever else it does. Where no more is asked than whether it fails alike, no judgement says so.
  if (takes_several_calls() && (faults == Faults::TheSame || !differs_alike(answer))) return answer;
  oracle::Answers answers{answer.outcome};
  if (oracle::further_answer(problem, answer.expectation, answer.outcome) == oracle::FurtherAnswer::AllOutputs)
    answers.all_outputs = call(oracle::with_all_outputs(problem));
  if (faults == Faults::TheSame && is_of_another_output(problem, answers)) return answer;
  const std::vector<std::string>& named = finding_.judgement.faults;
  const auto the_same = faults == Faults::TheSame && !named.empty() ? oracle::only_fault(named.front()) : tried_;
  answer.judgement = oracle::decide(problem, answer.expectation, answers, known_, the_same);
  const bool fails = answer.judgement.verdict == Verdict::Diverges;
  answer.is_explained = fails && explains_ && explains_(problem, answers);
  const auto& memory = answer.repeated.memory;
  if (memory && memory->output) answer.judgement.first = memory;
  if (const std::string shown = describe(answer.repeated); !shown.empty())
    answer.judgement.reason.besides = "; " + shown;
  return answer;
}

/// The finding's first wrong output is one that the case does not ask for: it was seen in the run with all outputs,
/// which says nothing of an answer that differs from it.
bool SameFailure::is_of_another_output(const Problem& problem, const oracle::Answers& answers) const {
  const std::optional<std::size_t> first = first_output(finding_.judgement);
  return first && !problem.asks_for(*first) && answers.all_outputs &&
         oracle::first_changed_output(answers.outcome.outputs, answers.all_outputs->outputs);
}

bool SameFailure::differs_alike(const Answer& answer) const {
  if (has(finding_.misconduct, Misconduct::UninitialisedMemory)) {
    return answer.repeated.memory && answer.outcome.kind == finding_.outcome &&
           answer.repeated.memory->output == first_output(finding_.judgement);
  }
  if (has(answer.outcome.misconduct, Misconduct::DiffersOnRepeat))
    return finding_.judgement.kind == ViolationKind::Repeat;
  if (!answer.repeated.flaky || !finding_.flaky) return false;
  const auto both = [](OutcomeKind a, OutcomeKind b) { return std::minmax({a, b}); };
  return both(answer.outcome.kind, answer.repeated.flaky->outcome) == both(finding_.outcome, finding_.flaky->outcome);
}

bool SameFailure::passes(const Answer& answer) const {
  const auto verdict = answer.judgement.verdict;
  return answer.outcome.kind == OutcomeKind::Ran && answer.outcome.misconduct.empty() &&
         (verdict == Verdict::Conforms || verdict == Verdict::Reading);
}

bool SameFailure::is_alike(const Answer& answer) const {
  if (takes_several_calls()) return differs_alike(answer);
  if (answer.outcome.kind != finding_.outcome || answer.is_explained) return false;
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
