#include "lab/bench/limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/bench/rows.hpp"

namespace cellproof::lab::bench {
namespace {

Work work_of_row(const std::string& name) {
  return work_of(make_problem(rows_named(engine_rows(), {name}).at(0).c));
}

TEST(Limit, CountsWhatAnLstmTakes) {
  const Work work = work_of_row("lstm-T1-N1-I64-H64");
  EXPECT_EQ(work.multiply_adds_of_X, 4 * 64 * 64);
  EXPECT_EQ(work.multiply_adds_of_H, 0) << "the state before the only step is zero";
  EXPECT_EQ(work.bytes_of_W, 4 * 64 * 64 * 4);
  EXPECT_EQ(work.bytes_of_R, 4 * 64 * 64 * 4);
  EXPECT_EQ(work.steps, 0);
  EXPECT_EQ(work.sigmoids, 3 * 64);
  EXPECT_EQ(work.tanhs, 2 * 64);
  EXPECT_FALSE(work.of_bytes);
}

TEST(Limit, WithAnInitialStateEveryStepNeedsR) {
  Case c = plain_case({Operator::GRU, 14}, ElementType::Float, 3, 2, 5, 7);
  const Work without = work_of(make_problem(c));
  EXPECT_EQ(without.multiply_adds_of_X, 3 * 7 * 6 * 5);
  EXPECT_EQ(without.multiply_adds_of_H, 3 * 7 * 4 * 7);
  EXPECT_EQ(without.steps, 2);
  c.inputs.resize(input::initial_h + 1);
  c.inputs[input::initial_h] = plain_input(Operator::GRU, input::initial_h);
  c.inputs[input::initial_h].presence = Presence::Given;
  const Work with = work_of(make_problem(c));
  EXPECT_EQ(with.multiply_adds_of_H, 3 * 7 * 6 * 7);
  EXPECT_EQ(with.steps, 3);
}

TEST(Limit, QuantisedWeightsAreBytes) {
  const Work work = work_of_row("dynamicquantizelstm-T32-N1-I128-H128");
  EXPECT_TRUE(work.of_bytes);
  EXPECT_EQ(work.bytes_of_R, 4 * 128 * 128);
}

TEST(Limit, WeightsOfBFloat16HaveHalfTheBytes) {
  const Work work = work_of_row("lstm-bfloat16-T100-N1-I256-H256");
  EXPECT_TRUE(work.of_bfloat16);
  EXPECT_EQ(work.bytes_of_R, 4 * 256 * 256 * 2);
  EXPECT_FALSE(work_of_row("lstm-float16-T100-N1-I256-H256").of_bfloat16);
}

TEST(Limit, PaddingIsNoWork) {
  const Work ragged = work_of_row("lstm-T64-N16-I256-H256-ragged"), full = work_of_row("lstm-T64-N16-I256-H256");
  EXPECT_NEAR(ragged.multiply_adds_of_X / full.multiply_adds_of_X, 0.5, 0.02);
  EXPECT_NEAR(ragged.multiply_adds_of_H / full.multiply_adds_of_H, 0.5, 0.02);
  EXPECT_EQ(ragged.steps, 62);
}

TEST(Limit, IsTheSlowerOfArithmeticAndReadingOfEachProductPlusTheFunctions) {
  const Work work{.multiply_adds_of_X = 4e9,
                  .multiply_adds_of_H = 8e9,
                  .of_bytes = false,
                  .of_bfloat16 = false,
                  .bytes_of_W = 5e8,
                  .steps = 10,
                  .bytes_of_R = 1e8,
                  .sigmoids = 2e9,
                  .tanhs = 1e9};
  EXPECT_DOUBLE_EQ(limit_of(work, {4e9, 1e9, 2e9, 1e9}), 1 + 2 + 2);
  EXPECT_DOUBLE_EQ(limit_of(work, {4e9, 1e8, 2e9, 1e9}), 5 + 10 + 2);
  EXPECT_THAT(formula_of(work, {4e9, 1e9, 2e9, 1e9}), testing::HasSubstr("together 5.00 s"));
}

TEST(Limit, IsNotKnownForOtherFunctions) {
  Case c = rows_named(engine_rows(), {"lstm-T1-N1-I64-H64"}).at(0).c;
  c.attributes.activations = {{"Relu", "Tanh", "Tanh"}};
  EXPECT_THROW(work_of(make_problem(c)), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof::lab::bench
