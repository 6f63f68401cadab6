#include "oracle/wider_contracts.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

constexpr ContractId own_contract = ContractId::F32, flushing = ContractId::F32Ftz;

Problem node_of_subnormals() {
  return testing::some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.regime = Regime::Subnormal;
    c.attributes.activations = {{"Relu"}};
  });
}

Outputs outputs_that_flush(const Problem& problem) {
  testing::Style style;
  style.flushed = true;
  return testing::compute(problem, style);
}

TEST(WiderContracts, ShowWhereTheOutputsHaveThem) {
  const Problem problem = node_of_subnormals();
  for (const bool flushes : {true, false}) {
    const Outputs outputs = flushes ? outputs_that_flush(problem) : testing::compute(problem);
    const Observed seen(problem, outputs);
    Evaluator evaluator(seen);
    WiderContracts wider(evaluator, own_contract);
    EXPECT_EQ(wider.shows(Readings{}, flushing), flushes);
    EXPECT_EQ(wider.is_slow_to_show(Readings{}, flushing), flushes) << "a subnormal that is left tells at a glance";
    EXPECT_TRUE(wider.is_slow_to_show(Readings{}, ContractId::Tf32));
    EXPECT_FALSE(wider.is_slow_to_show(Readings{}, ContractId::F32InF16)) << "its states tell";
    EXPECT_FALSE(wider.is_slow_to_show(Readings{}, own_contract)) << "it need not show";
    EXPECT_TRUE(wider.admits({Readings{}, flushing})) << "what keeps subnormals is within it, too";
    EXPECT_EQ(wider.admits({Readings{}, own_contract}), !flushes);
  }
}

/// One that sums in 16 bits allows so much that nothing is admitted unless it is verified.
TEST(WiderContracts, AdmitInSixteenBitsOnlyWhatTheyVerify) {
  const Problem problem = node_of_subnormals();
  const Outputs outputs = testing::compute(problem);
  const Observed seen(problem, outputs);
  Evaluator evaluator(seen);
  WiderContracts wider(evaluator, own_contract);
  for (const ContractId wide : {ContractId::F32InF16, ContractId::F32InBf16}) {
    const bool conforms = evaluator.evaluate({Readings{}, wide}, Depth::Verdict).is(Verdict::Conforms);
    EXPECT_EQ(wider.admits({Readings{}, wide}), conforms) << name(wide);
  }
}

TEST(WiderContracts, ExcuseDamageToOneElementWhereTheyMustShow) {
  const Problem problem = testing::some_problem(Operator::LSTM, ElementType::Float,
                                                [](Case& c) { c.inputs[input::B].presence = Presence::Given; });
  for (const bool is_damaged : {true, false}) {
    Outputs outputs =
        testing::compute(problem, {}, is_damaged ? testing::Fault::None : testing::Fault::RecurrentBiasDropped);
    Tensor& Y = *outputs[output::Y];
    if (is_damaged) Y.set_value(Y.size() / 2, Y.value(Y.size() / 2) * 1.001);
    const Observed seen(problem, outputs);
    Evaluator evaluator(seen);
    WiderContracts wider(evaluator, own_contract);
    EXPECT_EQ(wider.is_damage(Readings{}), is_damaged);
    EXPECT_EQ(wider.excuses_damage(Readings{}, ContractId::Tf32), is_damaged);
    EXPECT_FALSE(wider.excuses_damage(Readings{}, own_contract)) << "it need not show";
  }
}

TEST(WiderContracts, TakeWhatIsKnownOfTheNarrowOne) {
  const Problem problem = node_of_subnormals();
  const Outputs outputs = outputs_that_flush(problem);
  const Observed seen(problem, outputs);
  Evaluator evaluator(seen);
  WiderContracts wider(evaluator, own_contract);
  Evaluation nothing_wrong;
  nothing_wrong.judgement.verdict = Verdict::Conforms;
  wider.learn(Readings{}, nothing_wrong);
  EXPECT_FALSE(wider.shows(Readings{}, flushing)) << "nothing is wrong without it, as was said";
}

}  // namespace
}  // namespace cellproof::oracle
