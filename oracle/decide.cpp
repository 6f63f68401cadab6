#include "oracle/decide.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/contract.hpp"
#include "oracle/search.hpp"
#include "oracle/twin.hpp"

namespace cellproof::oracle {
namespace {

/// A judgement without a verdict: the engine did not do what would be judged.
Judgement unjudged(const Problem& problem, const EngineContext& engine, std::string message) {
  Judgement judgement;
  judgement.contract = base_contract(problem, engine.declared);
  judgement.message = std::move(message);
  return judgement;
}

Judgement verdict_without_values(const Problem& problem, const EngineContext& engine, Verdict verdict,
                                 std::string message) {
  Judgement judgement = unjudged(problem, engine, std::move(message));
  judgement.verdict = verdict;
  return judgement;
}

bool refused(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::Rejected || outcome.kind == OutcomeKind::NotSupported;
}

std::string said(const Outcome& outcome) {
  return outcome.message.empty() ? std::string(name(outcome.kind))
                                 : fmt::format("{}: {}", name(outcome.kind), outcome.message);
}

Judgement decide_invalid(const Problem& problem, const Expectation& expectation, const Outcome& outcome,
                         const EngineContext& engine, const Problem* valid_twin) {
  const std::string rule = expectation.violations.empty() ? "a rule" : expectation.violations.front().message;
  if (outcome.kind == OutcomeKind::Ran) {
    return verdict_without_values(problem, engine, Verdict::AcceptedInvalid,
                                  fmt::format("ran a problem that must be refused: {}", rule));
  }
  if (!refused(outcome)) return unjudged(problem, engine, said(outcome));
  if (!valid_twin || !engine.probe) {
    return unjudged(problem, engine, "refused, but nothing shows that the broken rule is why: no valid twin was run");
  }
  const Outcome twin = engine.probe(*valid_twin);
  if (twin.kind == OutcomeKind::Ran) {
    return verdict_without_values(problem, engine, Verdict::RefusedAsExpected, fmt::format("refused: {}", rule));
  }
  return unjudged(problem, engine,
                  fmt::format("refused, but so is the same problem with the rule repaired ({})", said(twin)));
}

/// A refusal where the pages leave one open. Under a clause that lists `refuse` it is a reading; under one that only
/// tolerates it (an empty sequence, say) it is a gap, as any case that an engine does not support.
Judgement decide_refusal_of_a_choice(const Problem& problem, const Expectation& expectation, const Outcome& outcome,
                                     const EngineContext& engine) {
  Judgement judgement = unjudged(problem, engine, "");
  for (const Clause clause : expectation.clauses) {
    if (std::ranges::find(info(clause).readings, "refuse") != info(clause).readings.end())
      judgement.readings.push_back(fmt::format("{}=refuse", info(clause).id));
  }
  if (judgement.readings.empty()) {
    judgement.message = fmt::format("{}; refusing is tolerated here", said(outcome));
    return judgement;
  }
  judgement.verdict = Verdict::Reading;
  judgement.message = fmt::format("refused, which is admissible under {}", fmt::join(judgement.readings, " or "));
  return judgement;
}

Judgement misconduct_judgement(const Problem& problem, const EngineContext& engine, Misconduct misconduct) {
  Judgement judgement =
      verdict_without_values(problem, engine, Verdict::Diverges, fmt::format("the engine {}", describe(misconduct)));
  switch (misconduct) {
    case Misconduct::ChangedInputs:
      judgement.kind = "inputs";
      break;
    case Misconduct::DiffersOnRepeat:
      judgement.kind = "repeat";
      break;
    case Misconduct::UninitialisedMemory:
      judgement.kind = "memory";
      break;
  }
  return judgement;
}

}  // namespace

Judgement decide(const Problem& problem, const Expectation& expectation, const Outcome& outcome,
                 const EngineContext& engine, const Problem* valid_twin) {
  if (expectation.kind == Expectation::Kind::Refuse) {
    return decide_invalid(problem, expectation, outcome, engine, valid_twin);
  }
  if (expectation.kind == Expectation::Kind::Either && outcome.kind == OutcomeKind::Rejected) {
    return decide_refusal_of_a_choice(problem, expectation, outcome, engine);
  }
  if (outcome.kind != OutcomeKind::Ran) return unjudged(problem, engine, said(outcome));
  if (!outcome.misconduct.empty()) return misconduct_judgement(problem, engine, outcome.misconduct.front());
  if (engine.probe && needs_twin(problem)) return decide_by_twin(problem, outcome, engine);
  return search(problem, outcome.outputs, engine);
}

bool passes_gate(const Outcome& outcome, const Judgement& judgement, std::optional<ContractId> declared) {
  switch (outcome.kind) {
    case OutcomeKind::Crashed:
    case OutcomeKind::TimedOut:
    case OutcomeKind::OutOfMemory:
    case OutcomeKind::HarnessError:
      return false;
    default:
      break;
  }
  if (!outcome.misconduct.empty()) return false;
  if (!judgement.verdict) return true;  // a gap: reported apart from wrong results
  switch (*judgement.verdict) {
    case Verdict::Conforms:
    case Verdict::Reading:
    case Verdict::Undecided:
    case Verdict::RefusedAsExpected:
      return true;
    case Verdict::Precision:
      return declared && at_least_as_wide(*declared, judgement.contract);
    default:
      return false;
  }
}

}  // namespace cellproof::oracle
