// Hypotheses that come to the same question are judged once: each has the verdict that it has by itself.
#include "oracle/question.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "oracle/evaluate.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using testing::some_problem;

Problem ragged_in_both(Operator op) {
  return some_problem(op, ElementType::Float, [](Case& c) {
    c.attributes.direction = "bidirectional";
    testing::give_lengths(c, {5, 2, 3});
  });
}

/// All sets of one of the faults, and of it before and behind another.
std::vector<std::vector<const oracle::Fault*>> sets_beside(const oracle::Fault* other, const Problem& problem) {
  std::vector<std::vector<const oracle::Fault*>> sets;
  for (const oracle::Fault& fault : faults()) {
    if (!fault.applies(problem)) continue;
    sets.push_back({&fault});
    sets.push_back({&fault, other});
    sets.push_back({other, &fault});
  }
  return sets;
}

void expect_the_same_as_alone(const Problem& problem, const char* beside) {
  const Outputs outputs = testing::compute(problem);
  const Observed seen(problem, outputs);
  Evaluator all(seen);
  for (const auto& set : sets_beside(fault_named(beside), problem)) {
    for (const Depth depth : {Depth::SurelyExcluded, Depth::Verdict, Depth::SurelyExcluded}) {
      const Hypothesis hypothesis{Readings{}, ContractId::F32, set};
      EXPECT_EQ(all.evaluate(hypothesis, depth).judgement.verdict, evaluate(seen, hypothesis, depth).judgement.verdict)
          << set.front()->id << " " << set.back()->id;
    }
  }
}

TEST(Question, AboutWhatIsAdmittedHasTheVerdictButForWhatIsVerified) {
  const Problem problem = ragged_in_both(Operator::LSTM);
  const Outputs outputs = testing::compute(problem);
  const Observed seen(problem, outputs);
  for (const auto& set : sets_beside(fault_named("lengths-ignored"), problem)) {
    const Hypothesis hypothesis{Readings{}, ContractId::F32, set};
    const auto verdict = evaluate(seen, hypothesis, Depth::Verdict).judgement.verdict;
    EXPECT_EQ(evaluate(seen, hypothesis, Depth::Admitted).judgement.verdict,
              verdict == Verdict::Conforms ? Verdict::Undecided : verdict)
        << set.front()->id << " " << set.back()->id;
  }
}

TEST(Question, HasOneVerdictWhicheverHypothesisComesToIt) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    expect_the_same_as_alone(ragged_in_both(op), "lengths-ignored");
    expect_the_same_as_alone(ragged_in_both(op), "rb-ignored");
  }
}

}  // namespace
}  // namespace cellproof::oracle
