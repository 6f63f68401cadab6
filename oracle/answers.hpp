#pragma once

#include <optional>

#include "spec/expectation.hpp"
#include "spec/outcome.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// Is the case better judged in a run that asks for all outputs? Without Y the errors of all steps add up, and little
/// can be said after a few; a single step is as sharp either way. Lengths do not count: an engine may go on behind
/// them.
bool needs_all_outputs(const Problem& problem);

/// Returns the problem with every output of its operator asked for.
Problem with_all_outputs(const Problem& problem);

/// Questions to an engine beside a case for its sake: known before there is any answer.
struct Questions {
  std::optional<Problem> valid_twin, all_outputs;
};
/// `valid_twin`: a case that must be refused, with the rule that it breaks repaired.
Questions questions_about(const Problem& problem, const Expectation& expectation,
                          const std::optional<Problem>& valid_twin = std::nullopt);

/// All that an engine said of a case.
struct Answers {
  Outcome outcome;                                    ///< of the case itself
  std::optional<Outcome> valid_twin = std::nullopt;   ///< nullopt: was not asked
  std::optional<Outcome> all_outputs = std::nullopt;  ///< likewise
};

/// The further answer that a verdict rests on, which turns out with the case's own.
enum class FurtherAnswer { None, ValidTwin, AllOutputs };
FurtherAnswer further_answer(const Problem& problem, const Expectation& expectation, const Outcome& outcome);

}  // namespace cellproof::oracle
