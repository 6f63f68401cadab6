#include <algorithm>
#include <array>
#include <set>

#include "campaign/calibrate.hpp"
#include "campaign/progress.hpp"
#include "campaign/random_case.hpp"
#include "engines/mutants/mutants.hpp"
#include "oracle/decide.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

using engines::mutants::Mutant;

/// Below this many roundoffs a changed result is what honest arithmetic may give, too.
constexpr double visible_effect = 16;

Verdict verdict_on(const Problem& problem, const Mutant& mutant) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = engines::mutants::run(problem, mutant);
  oracle::EngineContext engine;
  engine.probe = [&](const Problem& twin) {
    Outcome answer;
    answer.kind = OutcomeKind::Ran;
    answer.outputs = engines::mutants::run(twin, mutant);
    return answer;
  };
  return oracle::decide(problem, expectation_of(problem), outcome, engine).verdict.value_or(Verdict::Undecided);
}

bool is_found(Verdict verdict) {
  return verdict == Verdict::Diverges || verdict == Verdict::Suspect || verdict == Verdict::Precision;
}

MutantRow try_mutant(const Mutant& mutant, Operator op, std::int64_t cases, std::int64_t draws, std::uint64_t seed) {
  MutantRow row{std::string(mutant.id), op, 0, 0, ""};
  for (std::int64_t index = 0; index < draws && row.tried < cases; ++index) {
    const Case c = random_case(op, static_cast<std::uint64_t>(index), seed);
    const Problem problem = make_problem(c);
    if (!engines::mutants::applies(problem, mutant) || !(engines::mutants::effect(problem, mutant) >= visible_effect)) {
      continue;
    }
    const Verdict verdict = verdict_on(problem, mutant);
    if (verdict == Verdict::Reading) continue;  // here the fault is what a listed reading says
    ++row.tried;
    if (is_found(verdict)) {
      ++row.found;
    } else if (row.missed.empty()) {
      row.missed = to_text(c);
    }
  }
  return row;
}

}  // namespace

std::vector<MutantRow> calibrate_mutants(std::int64_t cases_per_mutant, std::int64_t draws_per_mutant,
                                         std::uint64_t seed) {
  constexpr std::array operators{Operator::LSTM, Operator::GRU, Operator::RNN};
  std::vector<MutantRow> rows;
  Progress progress("mutants", static_cast<std::int64_t>(engines::mutants::mutants().size()));
  for (const Mutant& mutant : engines::mutants::mutants()) {
    for (const Operator op : operators) {
      MutantRow row = try_mutant(mutant, op, cases_per_mutant, draws_per_mutant, seed);
      if (row.tried > 0) rows.push_back(std::move(row));
    }
    progress.advance("");
  }
  return rows;
}

std::vector<std::string> mutants_never_found(const std::vector<MutantRow>& rows) {
  std::vector<std::string> never;
  for (const Mutant& mutant : engines::mutants::mutants()) {
    const bool found =
        std::ranges::any_of(rows, [&](const MutantRow& row) { return row.id == mutant.id && row.found > 0; });
    if (!found) never.emplace_back(mutant.id);
  }
  return never;
}

}  // namespace cellproof::campaign
