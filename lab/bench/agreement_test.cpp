#include "lab/bench/agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>

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
    const Agreement honest = judge_outputs(problem, outputs, std::nullopt, jobs);
    EXPECT_TRUE(honest.holds) << honest.complaint;
    EXPECT_EQ(honest.verdict, "CONFORMS");
    auto altered_outputs = outputs;
    altered_outputs[output::Y]->set_value({1, 0, 1, 2}, outputs[output::Y]->value({1, 0, 1, 2}) + 0.5);
    const Agreement altered = judge_outputs(problem, altered_outputs, std::nullopt, jobs);
    EXPECT_FALSE(altered.holds);
    EXPECT_EQ(altered.verdict, "DIVERGES");
    EXPECT_NE(altered.complaint, "");
  }
}

TEST(Agreement, OutputsAreJudgedUnderWhatTheirMakerDeclares) {
  const Problem problem = make_problem(plain_case({Operator::LSTM, 14}, ElementType::Float, 6, 2, 16, 16));
  const auto styles = lab::zoo::declared_styles();
  const auto rounding = std::ranges::find(styles, ContractId::F32InBf16, &lab::zoo::DeclaredStyle::contract);
  ASSERT_NE(rounding, styles.end());
  const auto outputs = lab::zoo::run(problem, rounding->style, 1);
  const Agreement declared = judge_outputs(problem, outputs, ContractId::F32InBf16, 1);
  EXPECT_TRUE(declared.holds) << declared.complaint;
  EXPECT_EQ(declared.verdict, "PRECISION f32-in-bf16");
  EXPECT_FALSE(judge_outputs(problem, outputs, std::nullopt, 1).holds);
}

TEST(Agreement, OutputsOfAWrongShapeAreJudgedToo) {
  const Problem problem = make_problem(plain_case({Operator::RNN, 14}, ElementType::Float, 3, 2, 4, 5));
  const Outputs outputs{Tensor(ElementType::Float, {3, 5}), Tensor(ElementType::Float, {5})};
  EXPECT_FALSE(judge_outputs(problem, outputs, std::nullopt, 2).holds);
}

}  // namespace
}  // namespace cellproof::lab::bench
