#include "campaign/case_trial.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "reference/reference.hpp"
#include "spec/case_text.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::campaign {
namespace {

Trial trial_of(const char* line) {
  return make_trial("suite", 3, {"name", parse_case(line)});
}

Outcome reference_under(const Problem& problem, const Readings& readings) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = reference::run(problem, readings);
  return outcome;
}

/// Finding of the trial on an engine that follows the readings `followed`; those in `known` are proved of it.
Finding concluded(const Trial& trial, const Readings& followed, const ProvedReadings& known = {}) {
  const auto ask = [&](const Problem& problem) { return reference_under(problem, followed); };
  EngineUnderTest engine{"engine", "1", std::nullopt};
  engine.proved = known;
  return conclude(trial, engine, {ask(trial.problem)}, ask);
}

/// Clauses enough that their combinations are too many to try each.
constexpr auto many_clauses =
    "cellproof-case/1 op=LSTM-14 type=double T=5 N=3 I=2 H=4 activation_alpha=0.5,0.25 "
    "activations=Affine,ThresholdedRelu,HardSigmoid,LeakyRelu,ScaledTanh,Tanh clip=0.25 direction=bidirectional "
    "input_forget=1 B=given sequence_lens=given,values:5/0/2 initial_h=given initial_c=given P=given";

TEST(Conclude, StartsNothingOnceTheTimeIsUp) {
  // Wrong results: hypotheses, a repeated run, the naive reference, each behind a checkpoint.
  const Trial trial = trial_of("cellproof-case/1 op=GRU-14 T=3 N=2 I=2 H=2");
  const auto wrong = [&] {
    Outcome outcome = reference_under(trial.problem, {});
    outcome.outputs[0]->set_value(0, 0.75);
    return outcome;
  };
  struct TimeIsUp {};
  /// A clock that goes on by one at each checkpoint; how often the engine is asked, and how often after the end.
  struct Count {
    int asked = 0, asked_after_the_end = 0, checkpoints = 0;
    bool given_up = false;
  };
  const auto counted = [&](int end) {
    Count count;
    int clock = 0;
    const auto ask = [&](const Problem&) {
      ++count.asked;
      count.asked_after_the_end += clock > end;
      return wrong();
    };
    const auto checkpoint = [&] {
      ++count.checkpoints;
      if (++clock > end) throw TimeIsUp{};
    };
    try {
      conclude(trial, {"engine", "1", std::nullopt}, {wrong()}, ask, Sampling{}, checkpoint);
    } catch (const TimeIsUp&) {
      count.given_up = true;
    }
    return count;
  };
  const Count whole = counted(1'000'000);
  EXPECT_FALSE(whole.given_up);
  EXPECT_GE(whole.asked, 1);
  EXPECT_GE(whole.checkpoints, 10);  // every fault is a hypothesis
  for (int end = 0; end < whole.checkpoints; ++end) {
    const Count count = counted(end);
    EXPECT_TRUE(count.given_up) << end;
    EXPECT_EQ(count.checkpoints, end + 1);
    EXPECT_EQ(count.asked_after_the_end, 0);
  }
}

TEST(Conclude, SaysWhatWasKnownOfTheEngineWhereThatMayMatter) {
  const Trial trial = trial_of(many_clauses);
  const Readings followed = Readings{}
                                .with(Clause::ClipScope, "gates+cell")
                                .with(Clause::PaddingOfY, "carry")
                                .with(Clause::InputForget, "i=1-f");
  const Finding unknown = concluded(trial, followed);
  EXPECT_EQ(unknown.judgement.readings, followed) << sentence_of(unknown.judgement);
  EXPECT_EQ(unknown.known_readings, Readings{});

  // Nothing needs to be said of a clause that does not touch the case.
  const Readings known = followed.with(Clause::DqFinishedRows, info(Clause::DqFinishedRows).readings.at(1).id);
  const Finding finding = concluded(trial, followed, {{Operator::LSTM, known}});
  EXPECT_EQ(finding.judgement.verdict, Verdict::Reading) << sentence_of(finding.judgement);
  EXPECT_EQ(finding.known_readings, followed);
}

TEST(Conclude, SaysNothingOfReadingsWhereTheDefaultsConform) {
  const Finding finding = concluded(trial_of("cellproof-case/1 op=LSTM-14 type=float T=3 N=2 I=4 H=5 clip=0.25"), {},
                                    {{Operator::LSTM, Readings{}.with(Clause::ClipScope, "gates")}});
  EXPECT_EQ(finding.judgement.verdict, Verdict::Conforms) << sentence_of(finding.judgement);
  EXPECT_TRUE(finding.known_readings.are_default());
}

TEST(EngineUnderTest, IsJudgedUnderTheContractThatIsGivenElseItsOwn) {
  const engines::EngineDescription description{"engine", "1", ContractId::F32Inside};
  const EngineUnderTest own = engine_under_test(description, {{"another", ContractId::Tf32}});
  EXPECT_EQ(own.declared, ContractId::F32Inside);
  EXPECT_FALSE(own.given);
  const EngineUnderTest given = engine_under_test(description, {{"engine", ContractId::Tf32}});
  EXPECT_EQ(given.declared, ContractId::Tf32);
  EXPECT_TRUE(given.given);
}

TEST(Conclude, SaysWhichContractTheUserGave) {
  const Trial trial = trial_of("cellproof-case/1 op=RNN-14 type=float T=2 N=1 I=2 H=3");
  const auto ask = [&](const Problem& problem) { return reference_under(problem, {}); };
  EngineUnderTest engine{"engine", "1", ContractId::Tf32};
  EXPECT_EQ(conclude(trial, engine, {ask(trial.problem)}, ask).given_contract, std::nullopt);
  engine.given = true;
  EXPECT_EQ(conclude(trial, engine, {ask(trial.problem)}, ask).given_contract, ContractId::Tf32);
}

}  // namespace
}  // namespace cellproof::campaign
