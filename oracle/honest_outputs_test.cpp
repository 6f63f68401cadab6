#include "oracle/honest_outputs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lab/zoo/zoo.hpp"
#include "oracle/reading_choices.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/case_text.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

using testing::some_case;
using testing::some_problem;

HonestOutputs only_way(const Problem& problem, const Readings& readings = {}) {
  std::vector<HonestOutputs> ways = honest_outputs(problem, readings);
  EXPECT_EQ(ways.size(), 1u);
  return ways.at(0);
}

class HonestIntervals : public ::testing::TestWithParam<std::tuple<Operator, ElementType>> {};

TEST_P(HonestIntervals, HoldEveryHonestEngine) {
  const auto [op, type] = GetParam();
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    const Case c = testing::drawn_case(op, type, seed);
    const Problem problem = make_problem(c);
    const HonestOutputs honest = only_way(problem);
    for (const lab::zoo::Style& style : lab::zoo::styles()) {
      EXPECT_TRUE(admits(honest, lab::zoo::run(problem, style, seed))) << style.name << "\n" << to_text(c);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryType, HonestIntervals,
                         ::testing::Combine(::testing::Values(Operator::LSTM, Operator::GRU, Operator::RNN),
                                            ::testing::Values(ElementType::Float, ElementType::Float16,
                                                              ElementType::BFloat16, ElementType::Double)),
                         [](const auto& parameter) {
                           return std::string(name(std::get<0>(parameter.param))) + "_" +
                                  std::string(onnx_name(std::get<1>(parameter.param)));
                         });

TEST(HonestOutputs, HoldTheRoundedExactValueAndLittleElse) {
  const Problem problem = some_problem(Operator::GRU, ElementType::Float);
  const HonestOutputs honest = only_way(problem);
  ASSERT_EQ(honest.size(), 2u);
  for (const auto& output : honest) {
    for (const HonestElement& e : output->elements) {
      EXPECT_LE(e.lo, e.value);
      EXPECT_LE(e.value, e.hi);
      EXPECT_LT(e.hi - e.lo, 1e-3);
      EXPECT_FALSE(e.may_be_nan);
      EXPECT_EQ(round_to(ElementType::Float, e.lo), e.lo);
      EXPECT_EQ(round_to(ElementType::Float, e.hi), e.hi);
    }
  }
}

TEST(HonestOutputs, LeaveAWrongEngineOut) {
  const Problem problem = some_problem(Operator::LSTM, ElementType::Float);
  const HonestOutputs honest = only_way(problem);
  EXPECT_TRUE(admits(honest, testing::compute(problem)));
  EXPECT_FALSE(admits(honest, testing::compute(problem, {}, testing::Fault::PeepholeUsesOldCell)));
  EXPECT_FALSE(admits(honest, testing::compute(problem, {}, testing::Fault::TanhOff)));
}

TEST(HonestOutputs, EndNextToTheFirstNumberThatIsWrong) {
  const Problem problem = some_problem(Operator::RNN, ElementType::Float16);
  HonestOutputs honest = only_way(problem);
  Outputs outputs = testing::compute(problem);
  const HonestElement& e = honest[output::Y]->elements[3];
  outputs[output::Y]->set_value(3, e.hi);
  EXPECT_TRUE(admits(honest, outputs));
  outputs[output::Y]->set_value(3, next_up(ElementType::Float16, e.hi));
  EXPECT_FALSE(admits(honest, outputs));
}

TEST(HonestOutputs, FollowReadings) {
  const Problem problem = some_problem(Operator::LSTM, ElementType::Float, [](Case& c) {
    testing::give_lengths(c, {5, 2, 0});
    c.outputs.assign(2, Presence::Given);
  });
  const HonestOutputs zeros = only_way(problem);
  const HonestOutputs carried = only_way(problem, Readings{}.with(Clause::PaddingOfY, "carry"));
  const HonestOutputs forgotten = only_way(problem, Readings{}.with(Clause::ZeroLengthState, "zero"));
  ASSERT_EQ(zeros.size(), 3u);
  EXPECT_FALSE(zeros[output::Y_c]) << "it is not asked for";
  const auto H = static_cast<std::size_t>(zeros[output::Y]->shape.back());
  const std::size_t padding = (3 * 3 + 1) * H;  // of step 3, in row 1; T=5 N=3
  EXPECT_EQ(zeros[output::Y]->elements[padding], HonestElement{});
  EXPECT_EQ(carried[output::Y]->elements[padding], carried[output::Y_h]->elements[H]);
  const std::size_t stateless = 2 * H;
  EXPECT_EQ(forgotten[output::Y_h]->elements[stateless], HonestElement{});
  EXPECT_EQ(zeros[output::Y_h]->elements[stateless].value, problem.input(input::initial_h)->value({0, 2, 0}));
}

TEST(HonestOutputs, AreNaNWhereEveryHonestEngineHasNaN) {
  const Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.T = 2, c.N = 1;
    c.attributes.activations = {{"Affine"}};
    c.attributes.clip.reset();
  });
  Problem spoilt = problem;
  spoilt.inputs[input::X].tensor->set_value(0, std::numeric_limits<double>::quiet_NaN());
  const HonestOutputs honest = only_way(spoilt);
  const HonestElement& first = honest[output::Y]->elements[0];
  EXPECT_TRUE(first.may_be_nan);
  EXPECT_GT(first.lo, first.hi);
  EXPECT_FALSE(first.admits(0.5));
}

TEST(HonestOutputs, HoldEveryHonestQuantisingEngineUnderEachReading) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Case c = plain_case({Operator::DynamicQuantizeLSTM, 1}, ElementType::Float, 3, 2, 4, 5);
    c.seed = seed;
    const Problem problem = make_problem(c);
    const std::vector<HonestOutputs> ways = honest_outputs(problem, {});
    for (const lab::zoo::Style& style : lab::zoo::styles()) {
      EXPECT_TRUE(admits(ways.at(0), lab::zoo::run(problem, style, seed))) << style.name << " " << seed;
    }
    EXPECT_EQ(honest_outputs(problem, Readings{}.with(Clause::DqGranularity, "none")).size(), 1u);
  }
}

}  // namespace
}  // namespace cellproof::oracle
