#include "causes/engine_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"
#include "spec/case_text.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::ElementsAre;
using testing::ids;
using ::testing::IsEmpty;
using testing::plain;
using ::testing::SizeIs;
using testing::with_bias;
using testing::with_peepholes;

void with_both(Case& c) {
  with_bias(c);
  with_peepholes(c);
}

TEST(EngineModel, OfAnEngineThatIsRightHasNoCauses) {
  AskedEngine engine({});
  engine.ask(plain);
  engine.ask(with_both);
  const EngineModel model = model_of(engine.answered());
  EXPECT_THAT(model.causes, IsEmpty());
  EXPECT_EQ(model.failing, 0);
}

/// Whoever shows a title names the operators beside it.
TEST(EngineModel, ATitleSaysTheScopeBesideTheOperators) {
  AskedEngine engine({"rb-ignored"}), right({});
  for (int k = 0; k < 4; ++k) engine.ask(with_bias);
  for (int k = 0; k < 3; ++k) right.ask(with_bias, Operator::GRU);
  const oracle::Fault* const fault = oracle::fault_named("rb-ignored");
  const auto only_cause = [&] {
    std::vector<Answered> answers = engine.answered();
    answers.insert(answers.end(), right.answered().begin(), right.answered().end());
    const EngineModel model = model_of(answers, {.tried = {fault}});
    EXPECT_THAT(model.causes, SizeIs(1));
    return model.causes.at(0);
  };
  EXPECT_EQ(only_cause().scope, "LSTM");
  EXPECT_EQ(only_cause().title, fault->what);
  for (int k = 0; k < 3; ++k)
    right.ask([](Case& c) {
      with_bias(c);
      c.attributes.direction = "reverse";
    });
  EXPECT_EQ(only_cause().scope, "LSTM, forward");
  EXPECT_EQ(only_cause().title, fault->what + " (only forward)");
}

TEST(EngineModel, CountsWhatEachFaultTakesPartIn) {
  AskedEngine engine({"rb-ignored", "peepholes-ignored"});
  engine.ask(plain);
  engine.ask(with_bias);
  engine.ask(with_bias, Operator::RNN);
  const std::string smallest = engine.ask(with_peepholes).case_line;
  engine.ask(with_both);
  const EngineModel model = model_of(engine.answered());
  ASSERT_THAT(ids(model), ElementsAre("fault:rb-ignored", "fault:peepholes-ignored"));
  EXPECT_EQ(model.failing, 4);
  EXPECT_EQ(model.explained, 4);
  const Cause &bias = model.causes[0], &peepholes = model.causes[1];
  EXPECT_EQ(bias.cases, 3);
  EXPECT_EQ(bias.alone, 2);
  EXPECT_THAT(bias.faults, ElementsAre("rb-ignored"));
  EXPECT_THAT(bias.operators, ElementsAre("LSTM", "RNN"));
  EXPECT_EQ(bias.status, Status::Likely) << "no case was reduced";
  EXPECT_EQ(peepholes.cases, 2);
  EXPECT_EQ(peepholes.alone, 1);
  EXPECT_EQ(peepholes.case_line, smallest);
  EXPECT_FALSE(peepholes.title.empty());
}

TEST(EngineModel, AFaultIsProvedByAReducedCaseThatItExplainsAlone) {
  AskedEngine engine({"rb-ignored"});
  Finding& cut_short = engine.ask(with_bias);
  cut_short.reduction.emplace();
  cut_short.reduction->case_line = "a larger case";
  Finding& reduced = engine.ask(with_bias);
  reduced.reduction.emplace();
  reduced.reduction->case_line = "the reduced case";
  EXPECT_EQ(model_of(engine.answered()).causes.front().status, Status::Likely) << "the reduction was not complete";
  reduced.reduction->complete = true;
  const EngineModel model = model_of(engine.answered());
  EXPECT_EQ(model.causes.front().status, Status::Proved);
  EXPECT_EQ(model.causes.front().case_line, "the reduced case");
  const Bounds few{.judgements = 1, .tried = {oracle::fault_named("rb-ignored")}};
  const EngineModel of_few = model_of(engine.answered(), few);
  ASSERT_TRUE(of_few.is_cut_short);
  EXPECT_EQ(of_few.causes.front().status, Status::Likely) << "no other fault was looked for";
}

/// The fault explains the answers, but what is wrong is narrower than its name.
TEST(EngineModel, AFaultIsNotProvedByACaseThatNeedsMoreThanItShowsOn) {
  AskedEngine engine({"rb-ignored"});
  Finding& reduced = engine.ask(with_bias);
  reduced.reduction.emplace();
  reduced.reduction->complete = true;
  reduced.reduction->guilty = {{"input.B", "initializer"}, {"T", "1"}};
  EXPECT_EQ(model_of(engine.answered()).causes.front().status, Status::Proved);
  reduced.reduction->guilty.emplace_back("layout", "1");
  EXPECT_EQ(model_of(engine.answered()).causes.front().status, Status::Likely);
}

/// A reduction asks whether the model explains another case.
TEST(EngineModel, SaysWhatItExplainsBesideItsCases) {
  AskedEngine engine({"rb-ignored"}), other({"rb-ignored", "clip-ignored"});
  const Finding& finding = engine.ask(with_bias);
  ModelSearch both(engine.answered());
  both.search();
  const auto with_both = [](Case& c) {
    with_bias(c);
    c.attributes.clip = 0.25F;
  };
  int asked = 0;
  both.model({}, [&](const Modelled& model) {
    const auto is_explained = [&](const AskedEngine::Change& change) {
      other.ask(change);
      const Answer& answer = other.answered().back().answers.front();
      oracle::Answers answers;
      answers.outcome.outputs = answer.outputs;
      return model.explains(finding, answer.problem, answers);
    };
    ++asked;
    EXPECT_TRUE(is_explained([](Case& c) { c.T = 5, with_bias(c); }));
    EXPECT_FALSE(is_explained(with_both)) << "another fault shows, too";
    EXPECT_FALSE(is_explained(testing::plain)) << "none of its faults acts";
    return false;
  });
  EXPECT_EQ(asked, 1);
}

TEST(EngineModel, CountsWhatIsReducedForACause) {
  AskedEngine engine({"rb-ignored"});
  Finding& finding = engine.ask(with_bias);
  ModelSearch both(engine.answered());
  both.search();
  const EngineModel model = both.model({}, [&](const Modelled& modelled) {
    const std::vector<Cause>& causes = modelled.causes;
    EXPECT_EQ(causes.front().status, finding.reduction ? Status::Proved : Status::Likely);
    if (finding.reduction) return false;
    finding.reduction.emplace();
    finding.reduction->case_line = "the reduced case";
    finding.reduction->complete = true;
    return true;
  });
  ASSERT_THAT(ids(model), ElementsAre("fault:rb-ignored")) << "said once";
  EXPECT_EQ(model.causes.front().status, Status::Proved);
  EXPECT_EQ(model.causes.front().case_line, "the reduced case");
  EXPECT_EQ(model.causes.front().cases, 1);
  EXPECT_EQ(model.failing, 1);
}

TEST(EngineModel, ClustersWhatNothingExplains) {
  AskedEngine engine({});
  engine.ask(plain);
  engine.fails(OutcomeKind::Crashed, 11);
  engine.fails(OutcomeKind::Crashed, 11);
  engine.fails(OutcomeKind::Crashed, 6);
  Finding& hangs = engine.fails(OutcomeKind::TimedOut);
  hangs.reduction.emplace();
  hangs.reduction->guilty = {{"direction", "reverse"}};
  hangs.reduction->complete = true;
  const EngineModel model = model_of(engine.answered());
  EXPECT_THAT(ids(model), ElementsAre("crashed-11:any", "crashed-6:any", "timed_out:direction=reverse"));
  EXPECT_EQ(model.causes.front().cases, 2);
  EXPECT_EQ(model.failing, 4);
  EXPECT_EQ(model.explained, 0);
  for (const Cause& cause : model.causes) EXPECT_EQ(cause.status, Status::Unexplained);
}

TEST(EngineModel, AxesThatNobodyProvedMakeNoClusterOfTheirOwn) {
  AskedEngine engine({});
  const auto crash = [&](AxisValues needed, bool is_proved) {
    Finding& finding = engine.fails(OutcomeKind::Crashed, 11);
    finding.axes = needed;
    finding.axes.push_back({"T", "1"});
    finding.reduction.emplace();
    finding.reduction->guilty = std::move(needed);
    finding.reduction->complete = is_proved;
  };
  crash({{"direction", "reverse"}}, true);
  crash({{"direction", "reverse"}, {"N", "7"}}, false);  // the same, as far as anybody knows
  crash({{"H", "9"}}, false);
  crash({{"I", "9"}}, false);
  for (int k = 0; k < 3; ++k) crash({{"clip", "biting"}}, false);  // no accident any more
  EXPECT_THAT(ids(model_of(engine.answered())),
              ElementsAre("crashed-11:clip=biting", "crashed-11:any", "crashed-11:direction=reverse"));
}

TEST(EngineModel, CountsWhatEitherOfTwoExplainsForTheOneThatExplainsMore) {
  const auto of_lengths = [](std::vector<double> lengths) {
    return [=](Case& c) {
      c.inputs[input::sequence_lens].presence = Presence::Given;
      c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {c.N}, lengths);
    };
  };
  AskedEngine of_lstm({"lengths-ignored"}), of_gru({"length-zero-taken-for-t"});
  for (int k = 0; k < 5; ++k) of_lstm.ask(of_lengths({3, 1}));
  of_lstm.ask(of_lengths({0, 3}));  // either will do
  for (int k = 0; k < 3; ++k) of_gru.ask(of_lengths({0, 3}), Operator::GRU);
  for (int k = 0; k < 3; ++k) of_gru.ask(of_lengths({3, 1}), Operator::GRU);
  std::vector<Answered> answers = of_lstm.answered();
  std::ranges::copy(of_gru.answered(), std::back_inserter(answers));
  const EngineModel model = model_of(
      answers, {.tried = {oracle::fault_named("lengths-ignored"), oracle::fault_named("length-zero-taken-for-t")}});
  ASSERT_THAT(ids(model), ElementsAre("fault:lengths-ignored", "fault:length-zero-taken-for-t"));
  EXPECT_EQ(model.causes[0].cases, 6);
  EXPECT_EQ(model.causes[0].alone, 5) << "the sixth proves neither";
  EXPECT_THAT(model.causes[1].operators, ElementsAre("GRU"));
}

TEST(EngineModel, SaysTheReadingOfPassesOnceForEachClause) {
  AskedEngine engine({"lengths-ignored"});  // stands for an engine that is right, and reads a clause otherwise
  Finding& finding = engine.ask(plain);
  finding.judgement.verdict = Verdict::Reading;
  finding.judgement.readings = Readings{}.with(Clause::ClipZero, info(Clause::ClipZero).readings[1].id);
  const EngineModel model = model_of(engine.answered());
  ASSERT_THAT(model.causes, SizeIs(1));
  const Cause& reading = model.causes.front();
  EXPECT_EQ(reading.id, "reading:" + finding.judgement.readings.differences().front());
  EXPECT_THAT(reading.readings, ElementsAre(finding.judgement.readings.differences().front()));
  EXPECT_EQ(reading.clause, info(Clause::ClipZero).text);
  EXPECT_EQ(reading.cases, 1);
}

/// Another defect of one type says little of a fault that explains nearly all.
TEST(EngineModel, FewCasesThatAFaultLeavesOpenDoNotTakeItBack) {
  AskedEngine in_float({"gate-c-takes-f"}), in_double({"gate-c-takes-f", "gate-order-cfio"});
  for (int k = 0; k < 10; ++k) EXPECT_FALSE(in_float.ask(plain).pass);
  const auto of_doubles = [](Case& c) { c.type = ElementType::Double; };
  EXPECT_FALSE(in_double.ask(of_doubles).pass);
  std::vector<Answered> answers = in_float.answered();
  answers.push_back(in_double.answered().front());
  const lab::mutants::Composite one{lab::mutants::mutant_named("gate-c-takes-f")},
      both{one.front(), lab::mutants::mutant_named("gate-order-cfio")};
  const auto ask = [&](const Problem& problem) -> std::optional<Outputs> {
    const bool is_double = problem.inputs[input::X].tensor->type() == ElementType::Double;
    return lab::mutants::run(problem, is_double ? both : one);
  };
  EXPECT_EQ(model_of(answers, {.tried = {oracle::fault_named("gate-c-takes-f")}}, ask).explained, 10);
}

}  // namespace
}  // namespace cellproof::causes
