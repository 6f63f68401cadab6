#include "oracle/answers.hpp"

#include <algorithm>
#include <functional>

#include "oracle/broken_outputs.hpp"
#include "oracle/layout.hpp"

namespace cellproof::oracle {

bool needs_all_outputs(const Problem& problem) {
  if (problem.asks_for(output::Y)) return false;
  if (!problem.asks_for(output::Y_h) && !problem.asks_for(output::Y_c)) return false;
  const Layout layout = layout_of(problem);
  // With Y, sequences that have ended may count otherwise in the range of H (dq-finished-rows): another problem.
  const bool quantised = is_quantised(problem.version.op);
  if (quantised && std::ranges::adjacent_find(layout.lengths, std::ranges::not_equal_to{}) != layout.lengths.end()) {
    return false;
  }
  return layout.T > 1;
}

Problem with_all_outputs(const Problem& problem) {
  Problem all = problem;
  all.outputs.assign(output_names(problem.version.op).size(), Presence::Given);
  return all;
}

Questions questions_about(const Problem& problem, const Expectation& expectation,
                          const std::optional<Problem>& valid_twin) {
  Questions questions{valid_twin, std::nullopt};
  const bool is_judged = expectation.kind != Expectation::Kind::Refuse;
  if (is_judged && needs_all_outputs(problem)) questions.all_outputs = with_all_outputs(problem);
  return questions;
}

FurtherAnswer further_answer(const Problem& problem, const Expectation& expectation, const Outcome& outcome) {
  const bool ran = outcome.kind == OutcomeKind::Ran;
  if (expectation.kind == Expectation::Kind::Refuse) {
    const bool refused = outcome.kind == OutcomeKind::Rejected || outcome.kind == OutcomeKind::NotSupported;
    return refused ? FurtherAnswer::ValidTwin : FurtherAnswer::None;
  }
  if (!ran || !outcome.misconduct.empty() || !needs_all_outputs(problem)) return FurtherAnswer::None;
  return broken_outputs(problem, outcome.outputs, layout_of(problem)) ? FurtherAnswer::None : FurtherAnswer::AllOutputs;
}

}  // namespace cellproof::oracle
