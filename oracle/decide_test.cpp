#include "oracle/decide.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "oracle/contracts_tried.hpp"
#include "oracle/search.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::oracle {
namespace {

using testing::Fault;
using testing::some_problem;

Outcome ran(Outputs outputs) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = std::move(outputs);
  return outcome;
}

Outcome ended(OutcomeKind kind) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.message = "no such thing";
  return outcome;
}

Expectation must_refuse() {
  return {Expectation::Kind::Refuse, {{"rule", "clause", "R has rank 2, expected 3"}}, {}};
}

TEST(Refusals, CountOnlyIfTheValidTwinRuns) {
  const Problem problem = some_problem(Operator::GRU);
  const Outcome runs = ran(testing::compute(problem)), refuses = ended(OutcomeKind::NotSupported);
  const auto verdict = [&](OutcomeKind kind, const std::optional<Outcome>& valid_twin) {
    return decide(problem, must_refuse(), {ended(kind), valid_twin}).verdict;
  };
  EXPECT_EQ(verdict(OutcomeKind::Rejected, runs), Verdict::RefusedAsExpected);
  EXPECT_EQ(verdict(OutcomeKind::NotSupported, runs), Verdict::RefusedAsExpected);
  EXPECT_EQ(verdict(OutcomeKind::Rejected, refuses), std::nullopt);
  EXPECT_EQ(verdict(OutcomeKind::Rejected, std::nullopt), std::nullopt);
  EXPECT_EQ(verdict(OutcomeKind::Crashed, runs), std::nullopt);
  EXPECT_EQ(decide(problem, must_refuse(), {ran({}), runs}).verdict, Verdict::AcceptedInvalid);
}

TEST(Refusals, OfAProblemWithoutXAreJudgedByTheTypeOfWhatIsThere) {
  Problem problem = some_problem(Operator::LSTM, ElementType::Double);
  problem.inputs.at(input::X).tensor.reset();
  for (const OutcomeKind kind : {OutcomeKind::Rejected, OutcomeKind::Crashed}) {
    EXPECT_EQ(decide(problem, must_refuse(), {ended(kind)}).contract, ContractId::F64);
  }
  for (auto& input : problem.inputs) input.tensor.reset();
  EXPECT_EQ(decide(problem, must_refuse(), {ran({})}).verdict, Verdict::AcceptedInvalid);
}

TEST(Refusals, OfAChoiceAreAReading) {
  const Problem problem =
      some_problem(Operator::RNN, ElementType::Float, [](Case& c) { c.attributes.hidden_size.reset(); });
  const Expectation either{Expectation::Kind::Either, {}, {Clause::HiddenSizeAbsent}};
  const Judgement refusal = decide(problem, either, {ended(OutcomeKind::Rejected)});
  EXPECT_EQ(refusal.verdict, Verdict::Reading);
  EXPECT_EQ(refusal.readings, Readings{}.with(Clause::HiddenSizeAbsent, "refuse"));
  EXPECT_EQ(decide(problem, either, {ran(testing::compute(problem))}).verdict, Verdict::Conforms);
}

TEST(Refusals, ThatAreOnlyToleratedAreAGap) {
  const Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) { c.T = 0; });
  const Expectation expectation{Expectation::Kind::Either, {}, {Clause::EmptySequenceState}};
  const Judgement judgement = decide(problem, expectation, {ended(OutcomeKind::Rejected)});
  EXPECT_EQ(judgement.verdict, std::nullopt);
  EXPECT_EQ(sentence_of(judgement), "REJECTED: no such thing; refusing is tolerated here");
}

TEST(Refusals, OfAValidCaseAreAGapWithoutAVerdict) {
  const Judgement judgement = decide(some_problem(Operator::RNN), {}, {ended(OutcomeKind::NotSupported)});
  EXPECT_EQ(judgement.verdict, std::nullopt);
  EXPECT_EQ(sentence_of(judgement), "NOT_SUPPORTED: no such thing");
}

TEST(Misconduct, IsADivergenceWhateverTheNumbers) {
  const Problem problem = some_problem(Operator::RNN);
  Outcome outcome = ran(testing::compute(problem));
  outcome.misconduct = {Misconduct::DiffersOnRepeat};
  EXPECT_EQ(decide(problem, {}, {outcome}).kind, ViolationKind::Repeat);
  outcome.misconduct = {Misconduct::ChangedInputs};
  const Judgement judgement = decide(problem, {}, {outcome});
  EXPECT_EQ(judgement.kind, ViolationKind::Inputs);
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  EXPECT_FALSE(passes_gate(outcome, judgement, std::nullopt));
}

TEST(Gate, LetsGapsThroughButNoCrash) {
  EXPECT_TRUE(passes_gate(ended(OutcomeKind::NotSupported), {}, std::nullopt));
  EXPECT_TRUE(passes_gate(ended(OutcomeKind::Rejected), {}, std::nullopt));
  for (const auto kind :
       {OutcomeKind::Crashed, OutcomeKind::TimedOut, OutcomeKind::OutOfMemory, OutcomeKind::HarnessError}) {
    EXPECT_FALSE(passes_gate(ended(kind), {}, std::nullopt));
  }
  Judgement judgement;
  for (const auto& [verdict, passes] : {std::pair{Verdict::Conforms, true},
                                        {Verdict::Reading, true},
                                        {Verdict::Undecided, true},
                                        {Verdict::RefusedAsExpected, true},
                                        {Verdict::Precision, false},
                                        {Verdict::Suspect, false},
                                        {Verdict::Diverges, false},
                                        {Verdict::AcceptedInvalid, false}}) {
    judgement.verdict = verdict;
    judgement.contract = ContractId::Tf32;
    EXPECT_EQ(passes_gate(ran({}), judgement, ContractId::F32Strict), passes) << name(verdict);
  }
}

TEST(AllOutputs, LendTheirVerdictToOutputsThatAgree) {
  Problem problem = some_problem(Operator::LSTM, ElementType::Float, [](Case& c) { c.T = 40; });
  problem.outputs = {Presence::Empty, Presence::Given};
  const Problem all = questions_about(problem, {}).all_outputs.value();
  EXPECT_TRUE(all.asks_for(output::Y) && all.asks_for(output::Y_c));
  for (const Fault fault : {Fault::None, Fault::PeepholeUsesOldCell}) {
    const Answers answers{ran(testing::compute(problem, {}, fault)), {}, ran(testing::compute(all, {}, fault))};
    const Judgement judgement = decide(problem, {}, answers);
    EXPECT_EQ(judgement.verdict, fault == Fault::None ? Verdict::Conforms : Verdict::Diverges);
    EXPECT_EQ(further_answer(problem, {}, answers.outcome), FurtherAnswer::AllOutputs);
  }
}

TEST(AllOutputs, ThatDifferAreAFindingOfTheirOwn) {
  Problem problem = some_problem(Operator::RNN, ElementType::Float, [](Case& c) {
    c.regime = Regime::Chaotic;
    c.T = 60;
    c.H = 24;
  });
  problem.outputs = {Presence::Empty, Presence::Given};
  auto alone = testing::compute(problem);
  alone[output::Y_h]->set_value(5, 0.5);
  const Judgement judgement = decide(problem, {}, {ran(alone), {}, ran(testing::compute(with_all_outputs(problem)))});
  EXPECT_EQ(judgement.verdict, Verdict::Diverges);
  EXPECT_EQ(judgement.kind, ViolationKind::State);
  EXPECT_EQ(judgement.first->actual, 0.5);
  EXPECT_NE(sentence_of(judgement).find("asking for Y changes"), std::string::npos);
}

TEST(FurtherAnswer, IsNoneWhereTheCasesOwnDecides) {
  Problem problem = some_problem(Operator::LSTM, ElementType::Float, [](Case& c) { c.T = 40; });
  EXPECT_FALSE(questions_about(problem, {}).all_outputs) << "Y is among the outputs";
  problem.outputs = {Presence::Empty, Presence::Given};
  EXPECT_FALSE(questions_about(problem, must_refuse()).all_outputs);
  EXPECT_EQ(questions_about(problem, must_refuse(), problem).valid_twin, problem);
  EXPECT_EQ(further_answer(problem, must_refuse(), ended(OutcomeKind::Rejected)), FurtherAnswer::ValidTwin);
  EXPECT_EQ(further_answer(problem, must_refuse(), ran({})), FurtherAnswer::None);
  EXPECT_EQ(further_answer(problem, {}, ended(OutcomeKind::Crashed)), FurtherAnswer::None);
  EXPECT_EQ(further_answer(problem, {}, ran({})), FurtherAnswer::None) << "an output is missing";
  Outcome outcome = ran(testing::compute(problem));
  EXPECT_EQ(further_answer(problem, {}, outcome), FurtherAnswer::AllOutputs);
  outcome.misconduct = {Misconduct::ChangedInputs};
  EXPECT_EQ(further_answer(problem, {}, outcome), FurtherAnswer::None);
}

TEST(DeclaredContract, OfTheTypeIsJudgedUnder) {
  EXPECT_EQ(base_contract(some_problem(Operator::RNN), ContractId::F32Strict), ContractId::F32Strict);
  EXPECT_EQ(base_contract(some_problem(Operator::RNN), ContractId::Tf32), ContractId::Tf32);
  EXPECT_EQ(base_contract(some_problem(Operator::RNN, ElementType::Float16), ContractId::F32Strict),
            ContractId::F32Inside);
}

TEST(ReadingChoices, TryProvedOnesFirstAndFewestDifferencesBeforeMore) {
  const Problem problem = some_problem(Operator::LSTM, ElementType::Float, [](Case& c) {
    c.attributes.clip = 0.5F;
    testing::give_lengths(c, {5, 2, 0});
  });
  const Readings proved = Readings{}.with(Clause::PaddingOfY, "carry").with(Clause::ZeroLengthState, "zero");
  const ReadingChoices choices = reading_choices(problem, proved);
  ASSERT_GE(choices.candidates.size(), 5U);
  EXPECT_FALSE(choices.untried);
  EXPECT_EQ(choices.candidates[0].differences(), std::vector<std::string>{"padding-of-y=carry"});
  EXPECT_EQ(choices.candidates[1].differences(), std::vector<std::string>{"zero-length-state=zero"});
  std::size_t last = 0;
  for (const Readings& readings : choices.candidates) {
    if (readings == proved) continue;
    EXPECT_GE(readings.differences().size(), last);
    last = readings.differences().size();
  }
}

}  // namespace
}  // namespace cellproof::oracle
