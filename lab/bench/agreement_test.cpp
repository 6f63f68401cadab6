#include "lab/bench/agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "lab/zoo/zoo.hpp"
#include "spec/case.hpp"

namespace cellproof::lab::bench {
namespace {

Outputs one_output(std::vector<double> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return {Tensor::from_values(ElementType::Double, {count}, values)};
}

TEST(Agreement, TheLargestDifferenceIsOverAllElements) {
  EXPECT_EQ(largest_difference(one_output({1, 2, 3}), one_output({1, 2.5, 2.75})), 0.5);
  EXPECT_EQ(largest_difference(one_output({1}), one_output({1})), 0);
}

TEST(Agreement, NotANumberIsInfinitelyFarFromANumberAndNotFromItself) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(largest_difference(one_output({1, nan}), one_output({1, 2})), std::numeric_limits<double>::infinity());
  EXPECT_EQ(largest_difference(one_output({nan}), one_output({nan})), 0);
}

TEST(Agreement, OutputsOfOtherShapesHaveNoDifference) {
  EXPECT_EQ(largest_difference(one_output({1}), one_output({1, 2})), std::nullopt);
  EXPECT_EQ(largest_difference(one_output({1}), {}), std::nullopt);
  EXPECT_EQ(largest_difference(one_output({1}), {std::nullopt}), std::nullopt);
}

TEST(Agreement, OneElementThatDoesNotFollowIsEnoughToFail) {
  const Problem problem = make_problem(plain_case({Operator::GRU, 14}, ElementType::Float, 3, 2, 4, 5));
  const auto outputs = lab::zoo::run(problem, lab::zoo::styles().front(), 1);
  for (const int jobs : {1, 2, 8}) {
    const Agreement honest = judge_outputs(problem, outputs, jobs);
    EXPECT_TRUE(honest.holds) << honest.complaint;
    EXPECT_EQ(honest.verdict, "CONFORMS");
    auto altered_outputs = outputs;
    altered_outputs[output::Y]->set_value({1, 0, 1, 2}, outputs[output::Y]->value({1, 0, 1, 2}) + 0.5);
    const Agreement altered = judge_outputs(problem, altered_outputs, jobs);
    EXPECT_FALSE(altered.holds);
    EXPECT_EQ(altered.verdict, "DIVERGES");
    EXPECT_NE(altered.complaint, "");
  }
}

TEST(Agreement, OutputsOfAWrongShapeAreJudgedToo) {
  const Problem problem = make_problem(plain_case({Operator::RNN, 14}, ElementType::Float, 3, 2, 4, 5));
  const Outputs outputs{Tensor(ElementType::Float, {3, 5}), Tensor(ElementType::Float, {5})};
  EXPECT_FALSE(judge_outputs(problem, outputs, 2).holds);
}

}  // namespace
}  // namespace cellproof::lab::bench
