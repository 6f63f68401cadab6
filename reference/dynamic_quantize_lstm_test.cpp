// DynamicQuantizeLSTM by hand, on numbers whose quantisation has the scale 1 or a power of two.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "reference/dynamic_quantization.hpp"
#include "reference/reference.hpp"
#include "reference/testing/problems.hpp"

namespace cellproof::reference {
namespace {

using ::testing::ElementsAre;
using testing::floats;
using testing::integers;
using testing::problem_of;

TEST(DynamicQuantization, CoversTheValuesAndZeroAndRoundsHalfToEven) {
  const std::vector<float> values = {-55, 200, 0.5F, 1.5F, -0.5F};
  const Quantization q = quantization_of(values);
  EXPECT_EQ(q.scale, 1.0F);  // (200 - -55) / 255
  EXPECT_EQ(q.zero_point, 55);
  EXPECT_EQ(quantize(-55, q), 0);
  EXPECT_EQ(quantize(200, q), 255);
  EXPECT_EQ(quantize(0.5F, q), 55);  // to 0
  EXPECT_EQ(quantize(1.5F, q), 57);  // to 2
  EXPECT_EQ(quantize(-0.5F, q), 55);
  EXPECT_EQ(quantize(1000, q), 255);
  EXPECT_EQ(quantize(std::nanf(""), q), 0);
}

TEST(DynamicQuantization, OfPositiveAndNegativeAndNoValues) {
  const std::vector<float> positive = {127.5F, 51};
  EXPECT_EQ(quantization_of(positive).scale, 0.5F);
  EXPECT_EQ(quantization_of(positive).zero_point, 0);
  const std::vector<float> negative = {-127.5F};
  EXPECT_EQ(quantization_of(negative).scale, 0.5F);
  EXPECT_EQ(quantization_of(negative).zero_point, 255);
  const std::vector<float> zeros = {0, 0};
  EXPECT_EQ(quantization_of(zeros).scale, 1.0F);
  EXPECT_EQ(quantization_of(zeros).zero_point, 0);
  EXPECT_EQ(quantization_of({}).scale, 1.0F);
}

/// f(x) = x/4 + 1/2 within 0 and 1, g(x) = h(x) = max(0, x).
Attributes piecewise_linear() {
  Attributes attributes;
  attributes.activations = {"HardSigmoid", "Relu", "Relu"};
  attributes.activation_alpha = {0.25F};
  attributes.activation_beta = {0.5F};
  return attributes;
}

/// I = 2, H = 1: W is [1,2,4], its columns i o f c; R is [1,1,4].
Problem one_unit(Tensor W_scale, Tensor W_zero_point) {
  return problem_of({Operator::DynamicQuantizeLSTM, 1}, piecewise_linear(),
                    {{input::X, floats({1, 1, 2}, {-55, 199.5})},
                     {input::W, integers(ElementType::UInt8, {1, 2, 4}, {128, 130, 129, 127, 129, 128, 128, 130})},
                     {input::R, integers(ElementType::UInt8, {1, 1, 4}, {1, 2, 3, 4})},
                     {input::initial_h, floats({1, 1, 1}, {127.5})},
                     {input::initial_c, floats({1, 1, 1}, {2})},
                     {input::W_scale, std::move(W_scale)},
                     {input::W_zero_point, std::move(W_zero_point)},
                     {input::R_scale, floats({1}, {0.0078125})},
                     {input::R_zero_point, integers(ElementType::UInt8, {1}, {2})}});
}

TEST(DynamicQuantizeLstmByHand, OneScaleAndOneZeroPoint) {
  Problem problem = one_unit(floats({1}, {0.0078125}), integers(ElementType::UInt8, {1}, {128}));
  problem.inputs[input::X].tensor = floats({1, 1, 2}, {-55, 200});
  // X: scale 1, zero point 55; quantised 0 and 255, so -55 and 200 again. W - 128 = (0 2 1 -1; 1 0 0 2):
  //   columns: 200, -110, -55, 55 + 400 = 455; times 1 * 1/128: 1.5625, -0.859375, -0.4296875, 3.5546875
  // H: scale 0.5, zero point 0; quantised 255. R - 2 = (-1 0 1 2): -255, 0, 255, 510; times 0.5/128 = 1/256:
  //   -0.99609375, 0, 0.99609375, 1.9921875
  const double i = 0.25 * (1.5625 - 0.99609375) + 0.5;
  const double f = 0.25 * (-0.4296875 + 0.99609375) + 0.5;
  const double c = 3.5546875 + 1.9921875;
  const double C = f * 2 + i * c;
  const double o = 0.25 * -0.859375 + 0.5;
  const auto result = evaluate<double>(problem);
  EXPECT_THAT(result.Y_c, ElementsAre(C));
  EXPECT_THAT(result.Y_h, ElementsAre(o * C));
}

TEST(DynamicQuantizeLstmByHand, AScaleAndAZeroPointForEachColumn) {
  Problem problem = one_unit(floats({1, 4}, {0.0078125, 0.015625, 0.0078125, 0.00390625}),
                             integers(ElementType::UInt8, {1, 4}, {128, 129, 130, 131}));
  problem.inputs[input::X].tensor = floats({1, 1, 2}, {-55, 200});
  // W minus its column's zero point = (0 1 -1 -4; 1 -1 -2 -1):
  //   200, -55 - 200 = -255, 55 - 400 = -345, 220 - 200 = 20; times the scales 1/128, 1/64, 1/128, 1/256:
  //   1.5625, -3.984375, -2.6953125, 0.078125. H as before.
  const double i = 0.25 * (1.5625 - 0.99609375) + 0.5;
  const double f = 0.25 * (-2.6953125 + 0.99609375) + 0.5;
  const double c = 0.078125 + 1.9921875;
  const double C = f * 2 + i * c;
  const double o = 0;  // 0.25*-3.984375 + 0.5 is below 0
  const auto result = evaluate<double>(problem);
  EXPECT_THAT(result.Y_c, ElementsAre(C));
  EXPECT_THAT(result.Y_h, ElementsAre(o));
  // With the first column's zero point for all: the column of c is (-1; 2) again, 455 / 256, and that of f -55 / 128.
  const auto first = evaluate<double>(problem, Readings{}.with(Clause::DqZeroPoint, "first-element"));
  const double f_first = 0.25 * (-0.4296875 + 0.99609375) + 0.5;
  EXPECT_THAT(first.Y_c, ElementsAre(f_first * 2 + i * (455.0 / 256 + 1.9921875)));
}

/// T = 3, N = 2, one of the rows stops after one step. All weights are 0 but R's column c, so that h(t) depends on how
/// coarsely H was quantised: i = f = o = 1/2, C = C/2 + g(R H)/2.
TEST(DynamicQuantizeLstmByHand, TheRangeOfHIsTheBatchesAndFinishedRowsAreAReading) {
  const auto problem = [](bool asks_for_Y) {
    Problem p = problem_of({Operator::DynamicQuantizeLSTM, 1}, piecewise_linear(),
                           {{input::X, floats({3, 2, 1}, {0, 0, 0, 0, 0, 0})},
                            {input::W, integers(ElementType::Int8, {1, 1, 4}, {0, 0, 0, 0})},
                            {input::R, integers(ElementType::Int8, {1, 1, 4}, {0, 0, 0, 1})},
                            {input::sequence_lens, integers(ElementType::Int32, {2}, {3, 1})},
                            {input::initial_h, floats({1, 2, 1}, {1, 255})},
                            {input::W_scale, floats({1}, {1})},
                            {input::W_zero_point, integers(ElementType::Int8, {1}, {0})},
                            {input::R_scale, floats({1}, {4})},
                            {input::R_zero_point, integers(ElementType::Int8, {1}, {0})}});
    if (!asks_for_Y) p.outputs[output::Y] = Presence::Empty;
    return p;
  };
  // Step 0: range 0 to 255, scale 1, H = (1, 255). C = g(4*H)/2 = (2, 510), H = C/2 = (1, 255).
  // Step 1: row 1 has finished, its last H = 255 still stands in the row before: scale 1, H = 1 exactly.
  //         C = 2/2 + 4*1/2 = 3, H = 1.5.
  // Step 2: with Y that row is 0 by now: the scale is 1.5f/255, 255 times which is the H that is used. Without Y it is
  //         still 255: scale 1, H = 1.5 rounds to 2.
  const double fine = 255 * static_cast<double>(1.5F / 255.0F);
  EXPECT_DOUBLE_EQ(evaluate<double>(problem(true)).Y_h[0], (1.5 + 2 * fine) / 2);
  EXPECT_EQ(evaluate<double>(problem(false)).Y_h[0], (1.5 + 2 * 2) / 2);
  // Its last state to the end: 255 still stands beside Y, too.
  const Readings last_state = Readings{}.with(Clause::DqFinishedRows, "last-state");
  EXPECT_EQ(evaluate<double>(problem(true), last_state).Y_h[0], (1.5 + 2 * 2) / 2);
  EXPECT_EQ(evaluate<double>(problem(false), last_state).Y_h[0], (1.5 + 2 * 2) / 2);
  // Excluded: the scale is 1/255 in step 1 already, with and without Y.
  const Readings excluded = Readings{}.with(Clause::DqFinishedRows, "excluded");
  const double H1 = 255 * static_cast<double>(1.0F / 255.0F);
  const double C1 = 1 + 2 * H1;
  EXPECT_NEAR(evaluate<double>(problem(false), excluded).Y_h[0], (C1 / 2 + 2 * (C1 / 2)) / 2, 1e-6);
  EXPECT_EQ(evaluate<double>(problem(false), excluded).Y_h[0], evaluate<double>(problem(true), excluded).Y_h[0]);
}

TEST(DynamicQuantizeLstmByHand, GranularityIsAReading) {
  // X is 255 at t = 0 and 0.5 at t = 1: with the range of the block the scale is 1 and 0.5 rounds to 0; with the range
  // of the step it is 0.5/255, exact but for rounding; without quantisation 0.5 stays.
  const Problem problem = problem_of({Operator::DynamicQuantizeLSTM, 1}, piecewise_linear(),
                                     {{input::X, floats({2, 1, 1}, {255, 0.5})},
                                      {input::W, integers(ElementType::Int8, {1, 1, 4}, {0, 0, 0, 1})},
                                      {input::R, integers(ElementType::Int8, {1, 1, 4}, {0, 0, 0, 0})},
                                      {input::W_scale, floats({1}, {1})},
                                      {input::W_zero_point, integers(ElementType::Int8, {1}, {0})},
                                      {input::R_scale, floats({1}, {1})},
                                      {input::R_zero_point, integers(ElementType::Int8, {1}, {0})}});
  // C0 = 255/2, C1 = C0/2 + x/2
  EXPECT_THAT(evaluate<double>(problem).Y_c, ElementsAre(63.75));
  EXPECT_THAT(evaluate<double>(problem, Readings{}.with(Clause::DqGranularity, "none")).Y_c, ElementsAre(64));
  const auto per_step = evaluate<double>(problem, Readings{}.with(Clause::DqGranularity, "per-step"));
  EXPECT_NEAR(per_step.Y_c[0], 64, 1e-7);
  EXPECT_THROW(evaluate<double>(problem, Readings{}.with(Clause::DqGranularity, "block-chunked")),
               std::invalid_argument);
}

TEST(DynamicQuantizeLstmByHand, ChunksHaveRangesOfTheirOwn) {
  // R's column c is 1 and all else 0: i = f = o = 1/2, C = H'/2 with H' the quantised H.
  const Problem problem = problem_of({Operator::DynamicQuantizeLSTM, 1}, piecewise_linear(),
                                     {{input::X, floats({1, 3, 1}, {0, 0, 0})},
                                      {input::W, integers(ElementType::Int8, {1, 1, 4}, {0, 0, 0, 0})},
                                      {input::R, integers(ElementType::Int8, {1, 1, 4}, {0, 0, 0, 1})},
                                      {input::initial_h, floats({1, 3, 1}, {255, 51.25, 12.75})},
                                      {input::W_scale, floats({1}, {1})},
                                      {input::W_zero_point, integers(ElementType::Int8, {1}, {0})},
                                      {input::R_scale, floats({1}, {1})},
                                      {input::R_zero_point, integers(ElementType::Int8, {1}, {0})}});
  const Readings chunked = Readings{}.with(Clause::DqGranularity, "block-chunked");
  // All together, and in twos: 51.25 stands beside 255, in codes of 1. The third one's codes are 12.75 / 255.
  EXPECT_THAT(evaluate<double>(problem).Y_c, ElementsAre(127.5, 25.5, 6.5));
  EXPECT_THAT(evaluate<double>(problem, chunked, 3).Y_c, ElementsAre(127.5, 25.5, 6.5));
  EXPECT_THAT(evaluate<double>(problem, chunked, 2).Y_c,
              ElementsAre(127.5, 25.5, 255 * static_cast<double>(12.75F / 255) / 2));
  EXPECT_THAT(evaluate<double>(problem, chunked, 1).Y_c, ElementsAre(127.5, 255 * static_cast<double>(51.25F / 255) / 2,
                                                                     255 * static_cast<double>(12.75F / 255) / 2));
  EXPECT_EQ(run(problem, chunked, 2)[output::Y_c]->value(2), static_cast<float>(6.375));
}

}  // namespace
}  // namespace cellproof::reference
