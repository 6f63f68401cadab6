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
  EXPECT_EQ(conforms + undecided, 1500);
  EXPECT_LT(undecided, 150) << "an oracle that decides nothing raises no alarm either";
  EXPECT_EQ(result.rows.size(), 12U) << "three operators in four types";
}

TEST(Calibrate, CasesThatOnceRaisedAnAlarmRaiseNone) {
  struct Once {
    const char* case_line;
    const char* style;
  };
  for (const auto& [line, style] : {
           // r (.) H overflows in float: what follows may be NaN in one order of summation and infinite in another.
           Once{"cellproof-case/1 op=GRU-1 type=float T=16 N=9 I=7 H=16 seed=633867504 activations=Softplus,Tanh "
                "output_sequence=1 W=given,graph R=given,graph B=given",
                "reversed"},
           // A finite product that overflows beside an infinite term gives an honest NaN.
           Once{"cellproof-case/1 op=RNN-22 type=double T=6 N=33 I=2 H=8 seed=487302230 regime=special "
                "activation_alpha=0.3 activations=HardSigmoid direction=reverse layout=1 W=given,graph B=empty",
                "sequential"},
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
