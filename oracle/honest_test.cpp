// Whatever an honest engine may choose (order of sums, fused or not, kernels, what it feeds back), it is never accused.
#include <gtest/gtest.h>

#include <utility>

#include "oracle/decide.hpp"
#include "oracle/testing/judging.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::judge;
using testing::Style;

std::vector<Style> honest_styles(ElementType type) {
  const ElementType wide = type == ElementType::Double ? ElementType::Double : ElementType::Float;
  std::vector<Style> styles;
  for (const auto order : {Style::Order::Forward, Style::Order::Backward, Style::Order::Pairwise, Style::Order::Lanes,
                           Style::Order::Wide}) {
    Style s;
    s.sums = s.elements = wide;
    s.order = order;
    s.fused = order == Style::Order::Lanes || order == Style::Order::Backward;
    s.bias = static_cast<Style::Bias>(styles.size() % 3);
    s.kernel = static_cast<Style::Kernel>((styles.size() + 1) % 3);
    s.unrounded_state = styles.size() % 2 == 1;
    styles.push_back(s);
  }
  return styles;
}

class Honest : public ::testing::TestWithParam<std::tuple<Operator, ElementType>> {};

TEST_P(Honest, EnginesAreNeverAccused) {
  const auto [op, type] = GetParam();
  int conforming = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Case c = testing::drawn_case(op, type, seed);
    const Problem problem = make_problem(c);
    for (const Style& style : honest_styles(type)) {
      const auto outputs = testing::compute(problem, style);
      const Judgement judgement = judge(problem, outputs, {Readings{}, default_contract(type)});
      ASSERT_TRUE(judgement.verdict == Verdict::Conforms || judgement.verdict == Verdict::Undecided)
          << sentence_of(judgement) << "\n"
          << to_text(c);
      conforming += judgement.verdict == Verdict::Conforms;
      ++all;
    }
  }
  EXPECT_GT(conforming, all * 6 / 10) << "of " << all;
}

INSTANTIATE_TEST_SUITE_P(EveryType, Honest,
                         ::testing::Combine(::testing::Values(Operator::LSTM, Operator::GRU, Operator::RNN),
                                            ::testing::Values(ElementType::Float, ElementType::Float16,
                                                              ElementType::BFloat16, ElementType::Double)),
                         [](const auto& parameter) {
                           return std::string(name(std::get<0>(parameter.param))) + "_" +
                                  std::string(onnx_name(std::get<1>(parameter.param)));
                         });

Judgement answered_with(const Problem& problem, Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return decide(problem, {}, {outcome});
}

Problem subnormal_problem() {
  return testing::some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.regime = Regime::Subnormal;
    c.attributes.activations = {{"Relu"}};
  });
}

TEST(HonestFlushing, IsAWiderContractAndNotADivergence) {
  const Problem problem = subnormal_problem();
  Style flushing;
  flushing.flushed = true;
  const Judgement judgement = answered_with(problem, testing::compute(problem, flushing));
  EXPECT_EQ(judgement.verdict, Verdict::Precision) << sentence_of(judgement);
  EXPECT_EQ(judgement.contract, ContractId::F32Ftz);
}

TEST(HonestFlushing, IsNotWhatAnEngineDoesThatKeepsSubnormals) {
  const Problem problem = subnormal_problem();
  const Judgement judgement =
      answered_with(problem, testing::compute(problem, {}, testing::Fault::RecurrentBiasDropped));
  EXPECT_EQ(judgement.verdict, Verdict::Diverges) << sentence_of(judgement);
}

TEST(HonestFlushing, IsNotSaidWhereAReadingLeavesNothingWrong) {
  // Nothing speaks against states of 0 for the row of no steps but the default reading; too little is verified.
  const Case c = parse_case(
      "cellproof-case/1 op=RNN-22 type=float T=1 N=2 I=1 H=1 regime=zero activations=Tanh,Elu direction=bidirectional "
      "X=given,hex:0200008000000000 W=given,hex:000000000000803f sequence_lens=given,values:1/0 "
      "initial_h=given,hex:0000000000000000000000000000803f outputs=absent,Y_h");
  const Tensor Y_h(ElementType::Float, {2, 2, 1});
  const Judgement judgement = answered_with(make_problem(c), {std::nullopt, Y_h});
  EXPECT_EQ(judgement.verdict, Verdict::Undecided) << sentence_of(judgement);
}

}  // namespace
}  // namespace cellproof::oracle
