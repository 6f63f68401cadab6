#include "lab/mutation/edge_search.hpp"

#include <functional>
#include <utility>

#include "campaign/progress.hpp"
#include "fuzz/guided/guided_case.hpp"
#include "fuzz/small_case.hpp"
#include "lab/mutants/edges.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"

namespace cellproof::lab {
namespace {

using mutants::Mutant;

Judgement judgement_of(const Problem& problem, const Outcome& outcome, const Mutant& mutant) {
  return oracle::decide(problem, expectation_of(problem), answers_of(problem, outcome, mutant), {}, {});
}

bool proves(const Outcome& outcome, const Judgement& judgement) {
  return judgement.verdict != Verdict::Undecided && !oracle::passes_gate(outcome, judgement, std::nullopt);
}

/// Does the fault change anything? A failure that the mutant shares with the honest implementation is not the fault's.
bool shows(const Problem& problem, const Outcome& outcome) {
  return outcome.outputs != mutants::run_without_fault(problem);
}

std::optional<std::int64_t> drawn(const Mutant& mutant, std::int64_t executions, std::uint64_t seed) {
  for (std::int64_t k = 0; k < executions; ++k) {
    const Problem problem =
        make_problem(fuzz::small_case(fuzz::drawn_small_recipe(seed, static_cast<std::uint64_t>(k))));
    if (!mutants::applies(problem, mutant)) continue;
    const Outcome outcome = outcome_of(problem, mutant);
    if (shows(problem, outcome) && proves(outcome, judgement_of(problem, outcome, mutant))) return k + 1;
  }
  return std::nullopt;
}

std::optional<std::int64_t> guided(const Mutant& mutant, std::int64_t executions, std::uint64_t seed) {
  Outcome of_start;
  const auto ask = [&](const Problem&) { return of_start; };
  for (std::int64_t k = 0; k < executions; ++k) {
    const auto number = static_cast<std::uint64_t>(k);
    const Problem problem = make_problem(fuzz::guided_case(seed, number, ask).c);
    Outcome outcome = outcome_of(problem, mutant);
    if (shows(problem, outcome) && proves(outcome, judgement_of(problem, outcome, mutant))) return k + 1;
    if (number % fuzz::guided_group == 0) of_start = std::move(outcome);
  }
  return std::nullopt;
}

}  // namespace

std::vector<EdgeScore> search_edges(std::int64_t executions, std::uint64_t seed) {
  std::vector<EdgeScore> scores;
  campaign::Progress progress("edges", static_cast<std::int64_t>(mutants::edge_mutants().size()));
  for (const Mutant& mutant : mutants::edge_mutants()) {
    scores.push_back({mutant.id, mutant.what, drawn(mutant, executions, seed), guided(mutant, executions, seed)});
    progress.advance("");
  }
  return scores;
}

}  // namespace cellproof::lab
