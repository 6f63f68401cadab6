#include "lab/calibration/precisions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <variant>

#include "campaign/progress.hpp"
#include "lab/calibration/random_case.hpp"
#include "lab/mutants/mutants.hpp"
#include "lab/mutants/precision_kinds.hpp"
#include "oracle/decide.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab {
namespace {

using mutants::PrecisionKind;

constexpr std::size_t shown_lines = 3;

Outcome outcome_of(Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return outcome;
}

Judgement judged(const Problem& problem, const PrecisionKind& kind, Outputs outputs, std::uint64_t seed) {
  oracle::Answers answers{outcome_of(std::move(outputs))};
  if (oracle::further_answer(problem, {}, answers.outcome) == oracle::FurtherAnswer::AllOutputs) {
    const Problem all = oracle::with_all_outputs(problem);
    answers.all_outputs = outcome_of(kind.run(all, seed));
  }
  return oracle::decide(problem, {}, answers);
}

/// Contracts, faults and readings that the judgement names.
std::vector<std::string> named_by(const Judgement& judgement) {
  std::vector<std::string> names = judgement.faults;
  if (const auto* like = std::get_if<reason::LooksLike>(&judgement.reason.searched)) {
    for (const ContractId id : like->contracts) names.emplace_back(name(id));
  }
  if (judgement.verdict == Verdict::Reading) names.emplace_back("a reading");
  return names;
}

bool is_right(const std::string& named, const PrecisionKind& kind, const Problem& problem, const Outputs& outputs) {
  if (std::ranges::find(kind.right, named) != kind.right.end()) return true;
  const mutants::Mutant* mutant = mutants::mutant_named(named);
  return mutant && mutants::applies(problem, *mutant) && mutants::run(problem, *mutant) == outputs;
}

bool fails(const Judgement& judgement) {
  return judgement.verdict && severity(*judgement.verdict) > severity(Verdict::Undecided);
}

/// Counts what is said of the kind on one case. Returns whether anything was.
bool judge_one(const PrecisionKind& kind, const Case& c, std::uint64_t seed, LabelledRow& row) {
  const Problem problem = make_problem(c);
  if (!kind.applies(problem)) return false;
  const Outputs outputs = kind.run(problem, seed);
  if (outputs == mutants::run_without_fault(problem)) return false;
  const Judgement judgement = judged(problem, kind, outputs, seed);
  if (!fails(judgement)) {
    ++row.passed;
    return false;
  }
  const std::vector<std::string> names = named_by(judgement);
  row.unnamed += names.empty() ? 1 : 0;
  bool wrong = false;
  for (const std::string& each : names) {
    const bool right = is_right(each, kind, problem, outputs);
    ++(right ? row.right : row.wrong)[each];
    wrong = wrong || !right;
  }
  if (wrong && row.wrong_lines.size() < shown_lines)
    row.wrong_lines.push_back(fmt::format("{}: {}", fmt::join(names, ", "), to_text(c)));
  return true;
}

std::int64_t sum_of(const std::vector<LabelledRow>& rows, std::map<std::string, std::int64_t> LabelledRow::*part) {
  std::int64_t sum = 0;
  for (const LabelledRow& row : rows) {
    for (const auto& [named, count] : row.*part) sum += count;
  }
  return sum;
}

}  // namespace

std::int64_t LabelledSet::right() const {
  return sum_of(rows, &LabelledRow::right);
}

std::int64_t LabelledSet::wrong() const {
  return sum_of(rows, &LabelledRow::wrong);
}

LabelledSet judge_labelled(std::int64_t cases, std::uint64_t seed) {
  constexpr std::int64_t draws_per_case = 8;
  LabelledSet set;
  const auto kinds = mutants::precision_kinds();
  campaign::Progress progress("labelled kinds", static_cast<std::int64_t>(kinds.size()));
  for (const PrecisionKind& kind : kinds) {
    LabelledRow row{kind.id, kind.what, 0, 0, {}, {}, {}};
    for (const Operator op : all_operators()) {
      std::int64_t shown = 0;
      for (std::int64_t index = 0; index < draws_per_case * cases && shown < cases; ++index) {
        const auto key = static_cast<std::uint64_t>(index);
        shown += judge_one(kind, random_case(op, key, seed), key, row) ? 1 : 0;
      }
    }
    set.rows.push_back(std::move(row));
    progress.advance("");
  }
  return set;
}

}  // namespace cellproof::lab
