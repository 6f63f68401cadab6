#include "lab/fuzz_targets/differential_check.hpp"

#include <fmt/format.h>

#include "oracle/crosscheck/crosscheck.hpp"
#include "oracle/decide.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::fuzz {

std::optional<std::string> complaint_about(engines::Engine& engine, const Case& c, bool crosschecked) {
  const Problem problem = make_problem(c);
  const Expectation expectation = expectation_of(problem);
  oracle::Answers answers{engine.run(problem)};
  const Outcome& outcome = answers.outcome;
  if (oracle::further_answer(problem, expectation, outcome) == oracle::FurtherAnswer::AllOutputs)
    answers.all_outputs = engine.run(oracle::with_all_outputs(problem));
  const Judgement judgement = oracle::decide(problem, expectation, answers, {}, {});
  // There is no verdict where an engine refused what it should have run.
  const bool passes = judgement.verdict && (judgement.verdict == Verdict::Undecided ||
                                            oracle::passes_gate(outcome, judgement, std::nullopt));
  if (!passes || crosschecked) {
    const auto disagreement = oracle::crosscheck(problem, {{}, default_contract(c.type)});
    if (disagreement) return fmt::format("{}\noracle and naive reference disagree: {}", to_text(c), *disagreement);
  }
  if (passes) return std::nullopt;
  return fmt::format("./cellproof replay '{}' --engine {}\n{}: {} {}", to_text(c), engine.describe().name,
                     judgement.verdict ? name(*judgement.verdict) : name(outcome.kind), outcome.message,
                     sentence_of(judgement));
}

}  // namespace cellproof::fuzz
