// Engines with several faults at once: each fault shows, and the judge that supposes all of them is content.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "lab/mutants/mutants.hpp"
#include "oracle/evaluate.hpp"
#include "oracle/faults/every_fault.hpp"
#include "spec/case.hpp"

namespace cellproof::lab::mutants {
namespace {

using Ids = std::initializer_list<const char*>;

Problem full_lstm() {
  Case c = plain_case(newest(Operator::LSTM), ElementType::Float, 4, 3, 2, 5);
  c.attributes.direction = "bidirectional";
  for (std::size_t position = input::B; position < c.inputs.size(); ++position)
    if (position != input::sequence_lens) c.inputs[position].presence = Presence::Given;
  return make_problem(c);
}

Composite composite(Ids ids) {
  Composite list;
  for (const char* id : ids) list.push_back(mutant_named(id));
  return list;
}

Verdict verdict_with(const Problem& problem, const Outputs& outputs, Ids ids) {
  oracle::Hypothesis hypothesis;
  for (const char* id : ids) hypothesis.faults.push_back(oracle::fault_named(id));
  return *oracle::evaluate(oracle::Observed(problem, outputs), hypothesis, oracle::Depth::Verdict).judgement.verdict;
}

TEST(Composites, ShowBothOfTwoFaults) {
  const Problem problem = full_lstm();
  const std::pair<const char*, const char*> pairs[] = {{"peepholes-ignored", "rb-ignored"},
                                                       {"rb-ignored@backward", "initial-h-ignored"},
                                                       {"initial-h-negated", "y-h-and-y-c-exchanged"},
                                                       {"y-h-and-y-c-exchanged", "one-element-off"}};
  for (const auto& [first, second] : pairs) {
    SCOPED_TRACE(std::string(first) + ", " + second);
    const Outputs outputs = run(problem, composite({first, second}));
    EXPECT_EQ(verdict_with(problem, outputs, {first, second}), Verdict::Conforms);
    EXPECT_EQ(verdict_with(problem, outputs, {first}), Verdict::Diverges);
    EXPECT_EQ(verdict_with(problem, outputs, {second}), Verdict::Diverges);
    EXPECT_EQ(verdict_with(problem, outputs, {}), Verdict::Diverges);
  }
}

TEST(Composites, OfOneOrNoneAreTheMutantAndThePlainImplementation) {
  const Problem problem = full_lstm();
  for (const Mutant& mutant : mutants().first(60)) EXPECT_EQ(run(problem, Composite{&mutant}), run(problem, mutant));
  EXPECT_EQ(run(problem, Composite{}), run_without_fault(problem));
}

TEST(Composites, AreWrappedByTheirFirstFault) {
  const Problem problem = full_lstm();
  const Outputs exchanged_last = run(problem, composite({"y-h-and-y-c-exchanged", "y-h-is-zero"}));
  const Outputs exchanged_first = run(problem, composite({"y-h-is-zero", "y-h-and-y-c-exchanged"}));
  const auto is_zero = [](const Tensor& tensor) {
    for (std::size_t k = 0; k < tensor.size(); ++k)
      if (tensor.value(k) != 0) return false;
    return true;
  };
  EXPECT_TRUE(is_zero(*exchanged_last[output::Y_c]));
  EXPECT_TRUE(is_zero(*exchanged_first[output::Y_h]));
  EXPECT_FALSE(is_zero(*exchanged_first[output::Y_c]));
}

TEST(Composites, AreMadeOfFaultsThatShowInEveryCallAndAreNotOfPrecision) {
  EXPECT_TRUE(can_be_composed(*mutant_named("rb-ignored")));
  EXPECT_FALSE(can_be_composed(*mutant_named("state-kept-from-the-call-before")));
  EXPECT_FALSE(can_be_composed(*mutant_named("tf32-operands-late")));
  EXPECT_GE(std::ranges::count_if(mutants(), can_be_composed), 400);
}

}  // namespace
}  // namespace cellproof::lab::mutants
