#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "campaign/reduction.hpp"
#include "reference/reference.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign::testing {

inline const EngineUnderTest under_test{"mutant", "1", {}};

inline ReductionLimits at_most(std::int64_t calls) {
  ReductionLimits limits;
  limits.most_calls = calls;
  return limits;
}

inline ReductionLimits stopped() {
  ReductionLimits limits;
  limits.stop = [] { return true; };
  return limits;
}

inline Case case_with(const AxisValues& values) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 3, 2, 4, 5);
  for (const auto& [name, value] : values) c = axis(name).apply(c, value);
  return c;
}

/// Returns what a run would hold of the case.
inline Finding finding_of(const Case& c, const engines::Probe& probe) {
  const Problem problem = make_problem(c);
  Finding finding;
  finding.engine = under_test.name;
  finding.engine_version = under_test.version;
  finding.suite = "smoke";
  finding.version = c.version;
  finding.type = ElementType::Float;
  finding.case_line = to_text(c);
  finding.case_hash = case_hash(c);
  finding.axes = axis_values(c);
  finding.expectation = expectation_of(problem);
  oracle::Answers answers{probe(problem)};
  const Outcome& outcome = answers.outcome;
  finding.outcome = outcome.kind;
  finding.signal = outcome.signal;
  if (oracle::further_answer(problem, finding.expectation, outcome) == oracle::FurtherAnswer::AllOutputs)
    answers.all_outputs = probe(oracle::with_all_outputs(problem));
  if (outcome.kind == OutcomeKind::Ran) finding.judgement = oracle::decide(problem, finding.expectation, answers);
  finding.pass = oracle::passes_gate(outcome, finding.judgement, {});
  finding.signature = "v1:" + finding.case_hash;
  return finding;
}

}  // namespace cellproof::campaign::testing
