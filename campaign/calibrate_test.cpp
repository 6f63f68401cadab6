#include "campaign/calibrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/random_case.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::campaign {
namespace {

TEST(Calibrate, FiveHundredHonestFindingsAnOperatorRaiseNoAlarm) {
  const HonestCalibration result = calibrate_honest(500, 2);
  for (const FalseAlarm& alarm : result.alarms) {
    ADD_FAILURE() << name(alarm.verdict) << " on " << alarm.style << ": " << alarm.message << "\n" << alarm.case_line;
  }
  std::int64_t conforms = 0;
  std::int64_t undecided = 0;
  for (const HonestRow& row : result.rows) {
    conforms += row.conforms;
    undecided += row.undecided;
  }
  EXPECT_EQ(conforms + undecided, 2000);
  EXPECT_LT(undecided, 40) << "an oracle that decides nothing raises no alarm either";
  EXPECT_EQ(result.rows.size(), 13U) << "three operators in four types, and the quantised one in float";
}

TEST(Calibrate, CasesThatOnceRaisedAnAlarmRaiseNone) {
  struct Once {
    const char* case_line;
    const char* style;
  };
  for (const auto& [line, style] : {
           // A cell that may be anything up to 1e62: one of its parts ends in a wide ball around 0, whose Softplus was
           // taken for NaN.
           Once{"cellproof-case/1 op=LSTM-1 type=double T=33 N=2 I=9 H=6 seed=941889643 "
                "activations=Softplus,Elu,Softplus output_sequence=1 B=given",
                "pairwise"},
           // r (.) H overflows in float: what follows may be NaN in one order of summation and infinite in another.
           Once{"cellproof-case/1 op=GRU-1 type=float T=16 N=9 I=7 H=16 seed=633867504 activations=Softplus,Tanh "
                "output_sequence=1 W=given,graph R=given,graph B=given",
                "reversed"},
           // A finite product that overflows beside an infinite term gives an honest NaN.
           Once{"cellproof-case/1 op=RNN-22 type=double T=6 N=33 I=2 H=8 seed=487302230 regime=special "
                "activation_alpha=0.3 activations=HardSigmoid direction=reverse layout=1 W=given,graph B=empty",
                "sequential"},
           // An infinite update gate: (1 - z) h~ + z H is NaN where h~ + z (H - h~) is infinite.
           Once{"cellproof-case/1 op=GRU-14 type=float16 T=4 N=3 I=6 H=2 seed=1064841433 regime=special "
                "activations=Sigmoid,Tanh,LeakyRelu,HardSigmoid direction=bidirectional linear_before_reset=1 "
                "W=given,graph R=given,graph B=empty initial_h=empty",
                "16-lanes"},
           Once{"cellproof-case/1 op=GRU-7 type=float16 T=8 N=9 I=6 H=9 seed=159136390 regime=special "
                "activations=Elu,Tanh,Tanh,Tanh direction=bidirectional initial_h=given",
                "16-lanes"},
           Once{"cellproof-case/1 op=GRU-22 type=double T=33 N=2 I=8 H=2 seed=610728371 regime=special "
                "activations=Softsign,Tanh,Elu,Tanh direction=bidirectional X=given,initializer W=given,graph "
                "initial_h=given",
                "sequential-fma"},
           // Softplus of infinity is infinite, whatever the noise of the engine's functions.
           Once{"cellproof-case/1 op=GRU-7 type=float T=7 N=7 I=33 H=6 seed=963454254 regime=special "
                "activations=Sigmoid,Tanh,Softplus,Tanh direction=bidirectional X=given,initializer W=given,graph "
                "B=given sequence_lens=empty outputs=Y",
                "noisy-functions"},
           Once{"cellproof-case/1 op=LSTM-22 type=float T=4 N=8 I=4 H=8 seed=27984806 regime=special "
                "activations=Sigmoid,Elu,Softplus B=given sequence_lens=given,values:4/4/4/4/4/4/4/4 P=given",
                "noisy-functions"},
           Once{"cellproof-case/1 op=RNN-22 type=double T=13 N=16 I=16 H=14 seed=357789566 regime=special "
                "activations=Tanh,Softplus direction=bidirectional R=given,graph initial_h=given,initializer outputs=Y",
                "noisy-functions"},
           // The integer sum meets a large scale first, and overflows before the small one is multiplied.
           Once{"cellproof-case/1 op=DynamicQuantizeLSTM-1 type=float T=16 N=1 I=3 H=9 seed=215936302 regime=exact "
                "activations=Softplus,Sigmoid,Tanh W=given,graph P=given,graph W_zero_point=given,graph",
                "16-lanes"},
       }) {
    const Judgement judgement = judge_honest(parse_case(line), style);
    EXPECT_THAT(judgement.verdict, testing::AnyOf(Verdict::Conforms, Verdict::Undecided))
        << style << ": " << judgement.message << "\n"
        << line;
  }
}

TEST(Calibrate, EverySeededFaultIsFound) {
  const std::vector<MutantRow> rows = calibrate_mutants(2);
  EXPECT_THAT(mutants_never_found(rows), testing::IsEmpty());
  EXPECT_GE(rows.size(), 30U);
}

TEST(RandomCase, IsAFunctionOfItsNumberAndAlwaysValid) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM}) {
    for (std::uint64_t index = 0; index < 40; ++index) {
      const Case c = random_case(op, index);
      EXPECT_EQ(to_text(c), to_text(random_case(op, index)));
      EXPECT_EQ(expectation_of(make_problem(c)).kind, Expectation::Kind::Accept) << to_text(c);
    }
  }
}

}  // namespace
}  // namespace cellproof::campaign
