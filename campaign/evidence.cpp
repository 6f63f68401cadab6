#include "campaign/evidence.hpp"

#include <algorithm>

#include "corpus/suites/basis.hpp"
#include "oracle/weigh.hpp"

namespace cellproof::campaign {
namespace {

bool explained(const Judgement& judgement) {
  return judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Reading ||
         judgement.verdict == Verdict::Precision;
}

std::optional<cellproof::Answer> refusal(Clause clause) {
  return answer_named(clause, "refuse");
}

Evidence nothing_learnt(Clause clause) {
  return {clause, {}, {}};
}

/// For a clause with one right way of computing: it is that way, or it is none.
std::vector<Evidence> by_verdict(Clause clause, const Judgement& judgement) {
  if (explained(judgement)) return {only(clause, answers(clause).front())};
  if (judgement.verdict != Verdict::Diverges) return {nothing_learnt(clause)};
  const bool settled = info(clause).kind == ClauseKind::Settled;
  return {settled ? only(clause, "broken") : none(clause)};
}

std::vector<Evidence> by_values(const Trial& trial, Clause clause, const Outcome& outcome,
                                const oracle::Knowledge& known) {
  std::vector<Evidence> weighed = oracle::weigh(oracle::Observed(trial.problem, outcome.outputs), known);
  for (Evidence& evidence : weighed)
    if (const auto answer = refusal(evidence.clause)) evidence.excludes.push_back(*answer);
  if (std::ranges::find(weighed, clause, &Evidence::clause) == weighed.end()) weighed.push_back(nothing_learnt(clause));
  return weighed;
}

/// Does the engine run the case that the suite's cases of this version start from? Then it does not refuse them all.
bool runs_the_basis(const Trial& trial, const engines::Probe& ask) {
  if (!ask) return false;
  const Case basis = corpus::catalogue::basis(trial.c.version, trial.c.type);
  return ask(make_problem(basis)).kind == OutcomeKind::Ran;
}

std::vector<Evidence> of_refusal(const Trial& trial, Clause clause, const engines::Probe& ask) {
  const bool only_cause = trial.expectation.kind == Expectation::Kind::Either &&
                          trial.expectation.clauses == std::vector{clause} && runs_the_basis(trial, ask);
  return {only_cause && refusal(clause) ? only(clause, "refuse") : nothing_learnt(clause)};
}

}  // namespace

std::vector<Evidence> evidence_of(const Trial& trial, const Outcome& outcome, const Judgement& judgement,
                                  const oracle::Knowledge& known, const engines::Probe& ask) {
  const std::optional<Clause> clause = trial.clause;
  if (!clause) return {};
  if (info(*clause).kind == ClauseKind::Invalid) {
    if (judgement.verdict == Verdict::RefusedAsExpected) return {only(*clause, "refused")};
    if (judgement.verdict == Verdict::AcceptedInvalid) return {only(*clause, "accepted")};
    return {nothing_learnt(*clause)};
  }
  if (outcome.kind == OutcomeKind::Rejected) return of_refusal(trial, *clause, ask);
  if (outcome.kind != OutcomeKind::Ran || !outcome.misconduct.empty()) return {nothing_learnt(*clause)};
  if (info(*clause).kind == ClauseKind::Value) return by_values(trial, *clause, outcome, known);
  return by_verdict(*clause, judgement);
}

}  // namespace cellproof::campaign
