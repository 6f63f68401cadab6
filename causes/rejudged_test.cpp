#include "causes/rejudged.hpp"

#include <gtest/gtest.h>

#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;

const oracle::Fault* fault_of_id(std::string_view id) {
  for (const oracle::Fault* fault : oracle::every_fault())
    if (fault->id == id) return fault;
  return nullptr;
}

TEST(Rejudged, TellsAFaultThatVerifiesWhatIsWrongFromOneThatDoesNot) {
  AskedEngine engine({"softplus-overflows"});
  testing::ask_special_values(engine);
  const FaultSet right{fault_of_id("softplus-overflows")}, other{fault_of_id("softplus-as-relu")};
  int open = 0;
  for (const Answered& plain : engine.answered()) {
    const Answered answered = testing::with_numbers_for_nan(plain);
    Rejudged rejudged(answered);
    if (rejudged.standing({}) != Standing::Excluded || rejudged.standing(right) != Standing::Possible) continue;
    ++open;
    EXPECT_TRUE(rejudged.verifies_what_is_wrong(right)) << answered.finding->case_line;
    EXPECT_FALSE(rejudged.verifies_what_is_wrong(other)) << answered.finding->case_line;
    EXPECT_FALSE(rejudged.verifies_what_is_wrong({})) << answered.finding->case_line;
  }
  EXPECT_GT(open, 0);
}

/// In 16 bits a result may lie so close to a bound that `double` takes it for beyond.
TEST(Rejudged, ExcludesWithCertaintyOnlyWhatBallsExclude) {
  AskedEngine engine({});
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    engine.ask(
        [&](Case& c) {
          c = parse_case(
              "cellproof-case/1 op=GRU-22 type=float16 T=7 N=16 I=4 H=1 regime=normal "
              "activations=Sigmoid,Relu,Affine,ScaledTanh activation_alpha=0.8125,1.34375 activation_beta=0,0 "
              "clip=1000 "
              "direction=bidirectional linear_before_reset=1 B=empty "
              "sequence_lens=given,initializer,values:1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1 initial_h=given "
              "outputs=absent,Y_h");
          c.seed = seed;
        },
        Operator::GRU);
  }
  const FaultSet harmless{fault_of_id("nan-bounded-above")}, harmful{fault_of_id("reset-gate-ignored")};
  int excluded = 0;
  for (const Answered& answered : engine.answered()) {
    Rejudged rejudged(answered);
    ASSERT_TRUE(answered.finding->pass);
    EXPECT_FALSE(rejudged.is_surely_excluded(harmless)) << answered.finding->case_line;
    excluded += rejudged.is_surely_excluded(harmful);
  }
  EXPECT_GT(excluded, 0);
}

/// Numbers near overflow: `double` takes for beyond what the fault gives, and balls know better.
TEST(Rejudged, LooksAgainAtWhatDoubleAloneExcludes) {
  const FaultSet right{fault_of_id("softplus-overflows")}, wrong{fault_of_id("softplus-as-relu")};
  bool is_mended = false;
  for (std::uint64_t seed = 0; seed < 200 && !is_mended; ++seed) {
    AskedEngine engine({"softplus-overflows"});
    engine.ask(
        [&](Case& c) {
          c = parse_case(
              "cellproof-case/1 op=GRU-7 type=float T=8 N=16 I=7 H=9 activation_alpha=0.7 "
              "activations=Elu,Softplus,Softplus,Softsign direction=bidirectional linear_before_reset=1 W=given,graph "
              "R=given,graph initial_h=given,initializer outputs=absent,Y_h");
          c.seed = seed;
        },
        Operator::GRU);
    if (engine.answered().front().finding->pass) continue;
    Rejudged rejudged(engine.answered().front());
    EXPECT_NE(rejudged.certain_standing(right), Standing::Excluded) << seed;
    EXPECT_EQ(rejudged.certain_standing(wrong), Standing::Excluded) << seed;
    EXPECT_FALSE(rejudged.is_surely_excluded(right)) << seed;
    is_mended = rejudged.standing(right) == Standing::Excluded;
  }
  EXPECT_TRUE(is_mended);
}

}  // namespace
}  // namespace cellproof::causes
