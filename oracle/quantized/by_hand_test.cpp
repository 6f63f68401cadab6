// DynamicQuantizeLSTM of one step and one unit, whose codes are known by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/evaluate.hpp"
#include "oracle/precision_levels.hpp"
#include "oracle/quantized/testing/kernel.hpp"
#include "oracle/testing/judging.hpp"
#include "spec/case.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::run_kernel;

/// One step, one unit. X = [3, -1.5] beside 252 and 0: the range -1.5 to 252 makes no 255; see each test.
Problem tie_problem(const std::vector<double>& X, const std::vector<double>& W) {
  const auto size = static_cast<std::int64_t>(X.size());
  Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 1, 1, size, 1);
  c.weight_type = ElementType::Int8;
  c.inputs[input::X].values = Tensor::from_values(ElementType::Float, {1, 1, size}, X);
  c.inputs[input::W].values = Tensor::from_values(ElementType::Int8, {1, size, 4}, W);
  c.inputs[input::W_scale].values = Tensor::from_values(ElementType::Float, {1}, std::vector<double>{0x1p-7});
  c.inputs[input::W_zero_point].values = Tensor::from_values(ElementType::Int8, {1}, std::vector<double>{0});
  return make_problem(c);
}

std::vector<std::optional<Tensor>> one_unit(double i, double o, double g) {
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  const double C = sigmoid(i) * std::tanh(g), H = sigmoid(o) * std::tanh(C);
  std::vector<std::optional<Tensor>> outputs;
  outputs.emplace_back(Tensor::from_values(ElementType::Float, {1, 1, 1, 1}, std::vector<double>{H}));
  outputs.emplace_back(Tensor::from_values(ElementType::Float, {1, 1, 1}, std::vector<double>{H}));
  outputs.emplace_back(Tensor::from_values(ElementType::Float, {1, 1, 1}, std::vector<double>{C}));
  return outputs;
}

TEST(ByHand, SmallIntegersComeOutAsTheyAre) {
  // The range -100 to 155 is 255 wide: X is its own code. i: (-100 * 1 + 155 * 1 + 7 * 2) / 128 = 69/128, o: 0.
  // c: (-100 * -1 + 0 + 7 * 4) / 128 = 1.
  const Problem problem = tie_problem({-100, 155, 7}, {1, 0, 9, -1, 1, 0, 9, 0, 2, 0, 9, 4});
  EXPECT_EQ(judge(problem, one_unit(69.0 / 128, 0, 1), {}).verdict, Verdict::Conforms);
  EXPECT_EQ(judge(problem, one_unit(70.0 / 128, 0, 1), {}).verdict, Verdict::Diverges);
  EXPECT_EQ(judge(problem, one_unit(69.0 / 128, 0, 127.0 / 128), {}).verdict, Verdict::Diverges);
}

TEST(ByHand, ACodeThatDoubleDoesNotVouchForTakesBalls) {
  // 0.1126... / (1.552... / 255) is 18.5 less all the roundings that it may have, to 1e-15: whether 19 may come out is
  // not for double to say.
  const double range = 0x1.8d67f6p+0, at_the_end = 0x1.cd4d6p-4;
  const auto judged_with = [&](double x) {
    const Problem problem = tie_problem({range, x}, {1, 2, 3, 4, -1, -2, -3, -4});
    return judge(problem, run_kernel(problem), {});
  };
  EXPECT_EQ(judged_with(at_the_end).bits, first_bits_of_balls);
  EXPECT_EQ(judged_with(at_the_end).verdict, Verdict::Conforms);
  EXPECT_EQ(judged_with(std::nextafter(static_cast<float>(at_the_end), 0.0F)).bits, bits_of_double);
}

TEST(ByHand, BothBranchesOfATieAreAdmittedAndNoThird) {
  // 7.5 is 7 or 8: c is (100 + 4 * 7) / 128 or (100 + 4 * 8) / 128. One step of 4/128 is a wide bound, so that the
  // element says little; but it is no divergence, and the neighbours beyond are.
  const Problem problem = tie_problem({-100, 155, 7.5}, {0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 4});
  EXPECT_NE(judge(problem, one_unit(0, 0, 128.0 / 128), {}).verdict, Verdict::Diverges);
  EXPECT_NE(judge(problem, one_unit(0, 0, 132.0 / 128), {}).verdict, Verdict::Diverges);
  EXPECT_EQ(judge(problem, one_unit(0, 0, 124.0 / 128), {}).verdict, Verdict::Diverges);
  EXPECT_EQ(judge(problem, one_unit(0, 0, 136.0 / 128), {}).verdict, Verdict::Diverges);
}

TEST(SpecialValues, InXLeaveTheCaseUndecided) {
  const Problem problem = tie_problem({1, NAN, 2}, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
  const Judgement judgement = judge(problem, one_unit(0, 0, 0), {});
  EXPECT_EQ(judgement.verdict, Verdict::Undecided);
  EXPECT_NE(sentence_of(judgement).find("too little verified"), std::string::npos);
}

}  // namespace
}  // namespace cellproof::oracle
