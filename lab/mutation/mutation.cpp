#include "lab/mutation/mutation.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "campaign/progress.hpp"
#include "fuzz/law.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"

namespace cellproof::lab {
namespace {

using mutants::Mutant;
using oracle::Fault;

struct MutantTarget {
  std::string name;
  std::optional<fuzz::LawTrial> law;  ///< that is tried on it; nothing: the oracle judges it
  Problem problem;
  Outputs right;  ///< what the plain implementation without a fault computes
};

std::vector<MutantTarget> targets_of(const std::vector<corpus::SuiteCase>& cases) {
  std::vector<MutantTarget> targets;
  for (const corpus::SuiteCase& made : cases) {
    Problem problem = make_problem(made.c);
    if (!mutants::is_for_mutants(problem)) continue;
    Outputs right = mutants::run_without_fault(problem);
    std::optional<fuzz::LawTrial> law;
    if (!made.law.empty()) law = fuzz::trial_of(fuzz::law_named(made.law), problem);
    if (!made.law.empty() && !law) continue;  // it says nothing of the case
    targets.push_back({made.name, std::move(law), std::move(problem), std::move(right)});
  }
  return targets;
}

bool kills(Verdict verdict, oracle::FaultClass cls) {
  return verdict == Verdict::Diverges || (verdict == Verdict::Precision && cls == oracle::FaultClass::Precision);
}

/// Does the mutant break the law, also by what lies between two calls, or what only some number of threads brings out?
bool breaks(const fuzz::LawTrial& law, const Mutant& mutant) {
  mutants::Session session(mutant);
  const auto ran = [](Outputs outputs) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Ran;
    outcome.outputs = std::move(outputs);
    return outcome;
  };
  const auto result = fuzz::try_law(
      law, [&](const Problem& each) { return ran(session.run(each)); },
      [&](const Problem& each, int threads) { return ran(session.run(each, threads)); });
  return result.kind == fuzz::LawResult::Kind::Broken;
}

MutantScore score_of(const Fault& fault, Operator op, const std::vector<MutantTarget>& targets, bool all_kills) {
  const Mutant& mutant = *mutants::mutant_named(fault.id);
  MutantScore score{fault.id, fault.cls, op, 0, 0, {}, false};
  bool explained = false;
  for (const MutantTarget& target : targets) {
    if (target.problem.version.op != op) continue;
    if (target.law) {
      // The mutant may act on another of the law's problems.
      ++score.applicable;
      if (!breaks(*target.law, mutant)) continue;
      ++score.changed;
      score.kills.push_back(target.name);
      if (!all_kills) break;
      continue;
    }
    if (!mutants::applies(target.problem, mutant)) continue;
    ++score.applicable;
    Outcome outcome = outcome_of(target.problem, mutant);
    // Without Y the run that asks for all outputs may show what this one does not.
    if (outcome.outputs == target.right && !oracle::needs_all_outputs(target.problem)) continue;
    ++score.changed;
    const Verdict verdict = oracle::verdict_on(target.problem, answers_of(target.problem, std::move(outcome), mutant));
    explained = explained || verdict == Verdict::Reading;
    if (!kills(verdict, fault.cls)) continue;
    score.kills.push_back(target.name);
    if (!all_kills) break;
  }
  score.is_a_reading = explained && score.kills.empty();
  return score;
}

}  // namespace

MutationShare MutationScore::of(std::optional<Operator> op, std::optional<oracle::FaultClass> cls) const {
  MutationShare share;
  for (const MutantScore& row : rows) {
    if (row.is_a_reading || (op && row.op != *op) || (cls && row.cls != *cls)) continue;
    ++share.counted;
    share.killed += row.killed();
  }
  return share;
}

std::vector<const MutantScore*> MutationScore::survivors() const {
  std::vector<const MutantScore*> list;
  for (const MutantScore& row : rows) {
    if (!row.killed() && !row.is_a_reading) list.push_back(&row);
  }
  return list;
}

MutationScore score_mutants(const std::vector<corpus::SuiteCase>& cases, bool all_kills) {
  const std::vector<MutantTarget> targets = targets_of(cases);
  const auto all = oracle::faults();
  MutationScore result;
  campaign::Progress progress("mutants", static_cast<std::int64_t>(all_operators().size() * all.size()));
  for (const Operator op : all_operators()) {
    for (const Fault& fault : all) {
      if (std::ranges::find(fault.operators, op) != fault.operators.end()) {
        result.rows.push_back(score_of(fault, op, targets, all_kills));
      }
      progress.advance("");
    }
  }
  return result;
}

std::vector<std::optional<std::string>> killers_of(const std::vector<const MutantScore*>& mutants,
                                                   const std::vector<corpus::SuiteCase>& cases) {
  const std::vector<MutantTarget> targets = targets_of(cases);
  std::vector<std::optional<std::string>> killers;
  killers.reserve(mutants.size());
  for (const MutantScore* mutant : mutants) {
    const MutantScore score = score_of(*oracle::fault_named(mutant->id), mutant->op, targets, false);
    killers.push_back(score.killed() ? std::optional(score.kills.front()) : std::nullopt);
  }
  return killers;
}

}  // namespace cellproof::lab
