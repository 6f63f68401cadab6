#include "causes/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "causes/engine_model.hpp"
#include "causes/testing/asked_engine.hpp"

#include "oracle/faults/every_fault.hpp"
#include "spec/case_text.hpp"

namespace cellproof::causes {
namespace {

using testing::AskedEngine;
using ::testing::ElementsAre;
using testing::ids;

void with_scales_by_column(Case& c) {
  c = parse_case(
      "cellproof-case/1 op=DynamicQuantizeLSTM-1 T=3 N=2 I=4 H=5 direction=bidirectional W_scale=given,shape:2x20");
}

/// Makes the case one that a second call does not repeat.
Finding& by_chance(AskedEngine& engine, const std::string& line) {
  Finding& finding = engine.fails(OutcomeKind::Ran);
  finding.version = newest(Operator::DynamicQuantizeLSTM);
  finding.judgement.verdict = Verdict::Diverges;
  finding.misconduct = {Misconduct::DiffersOnRepeat};
  finding.flaky.emplace();
  finding.case_line = line;
  return finding;
}

TEST(Memory, IsTakenByAFaultBehindAnswersThatDiffer) {
  AskedEngine engine({"zero-point-behind-the-last"});
  const std::string line = engine.ask(with_scales_by_column, Operator::DynamicQuantizeLSTM).case_line;
  by_chance(engine, line);
  Finding& needs_all = by_chance(engine, line);
  needs_all.reduction.emplace();
  needs_all.reduction->complete = true;
  needs_all.reduction->case_line = line;
  by_chance(engine, "cellproof-case/1 op=DynamicQuantizeLSTM-1 T=3 N=2 I=4 H=5 direction=bidirectional");
  Finding& needs_less = by_chance(engine, line);
  needs_less.reduction.emplace();
  needs_less.reduction->complete = true;
  needs_less.reduction->case_line = "cellproof-case/1 op=DynamicQuantizeLSTM-1 T=1 N=1 I=1 H=1";
  const FaultSet tried{oracle::fault_named("zero-point-behind-the-last")};
  const EngineModel model = model_of(engine.answered(), {.tried = tried});
  ASSERT_THAT(ids(model), ElementsAre("fault:zero-point-behind-the-last", "flaky-repeat:any"));
  EXPECT_EQ(model.causes[0].cases, 2);
  EXPECT_EQ(model.causes[1].cases, 3) << "one was not reduced, one lacks what it takes, one was proved to need less";
  EXPECT_EQ(model.causes[0].alone, 1) << "nothing of the other was compared";
  EXPECT_EQ(model.explained, 1);
}

TEST(Memory, MayHoldAnotherNumberThanTheFaultOfTheCatalogueTakes) {
  AskedEngine engine({"zero-point-behind-the-last"});
  engine.ask(with_scales_by_column, Operator::DynamicQuantizeLSTM);
  AskedEngine right({});
  const auto with_zero_points = [](const char* bytes) {
    return [bytes](Case& c) {
      with_scales_by_column(c);
      c.inputs[input::W_zero_point] =
          parse_case(std::string(to_text(c)) + " W_zero_point=given,values:" + bytes).inputs[input::W_zero_point];
    };
  };
  std::vector<Answered> answered = engine.answered();
  // The same node, of which the text gives 128 to the backward direction, computed with 77.
  Finding& as_given = right.ask(with_zero_points("128/128"), Operator::DynamicQuantizeLSTM);
  right.ask(with_zero_points("128/77"), Operator::DynamicQuantizeLSTM);
  as_given.judgement.verdict = Verdict::Diverges;
  as_given.pass = false;
  Answered mixed = right.answered()[0];
  for (std::size_t k = 0; k < mixed.answers.size(); ++k)
    mixed.answers[k].outputs = right.answered()[1].answers[k].outputs;
  answered.push_back(mixed);
  const FaultSet tried{oracle::fault_named("zero-point-behind-the-last")};
  const EngineModel model = model_of(answered, {.tried = tried});
  ASSERT_THAT(ids(model), ElementsAre("fault:zero-point-behind-the-last"));
  EXPECT_EQ(model.causes[0].cases, 2);
}

/// X has no number but 0, so that each zero point of W gives the same, and too little of it is verified.
TEST(Memory, IsAskedForFewOtherNumbersWhereTheyAreAllTheSame) {
  AskedEngine engine({"zero-point-behind-the-last"}), right({});
  engine.ask(with_scales_by_column, Operator::DynamicQuantizeLSTM);
  Finding& finding = right.ask(
      [](Case& c) {
        c = parse_case(
            "cellproof-case/1 op=DynamicQuantizeLSTM-1 T=33 N=1 I=2 H=5 seed=1 direction=bidirectional "
            "activations=Affine,Affine,Affine,Affine,Affine,Affine X=given,regime:zero B=given "
            "W_scale=given,shape:2x20 outputs=absent,Y_h");
      },
      Operator::DynamicQuantizeLSTM);
  finding.judgement.verdict = Verdict::Diverges;
  finding.pass = false;
  const std::vector<Answered> answers{engine.answered()[0], right.answered()[0]};
  const FaultSet tried{oracle::fault_named("zero-point-behind-the-last")};
  Cover cover(answers, tried, {});
  cover.search();
  ASSERT_EQ(cover.faults(), tried);
  const auto is_unexplained = [](const Cover::Item& item) { return item.standing != Standing::Explained; };
  const auto unexplained = std::ranges::find_if(cover.items(), is_unexplained);
  ASSERT_NE(unexplained, cover.items().end());
  Cover::Item& item = *unexplained;
  ASSERT_EQ(&item.rejudged.finding(), &finding);
  ASSERT_EQ(item.standing, Standing::Possible);
  const std::int64_t before = cover.spent();
  EXPECT_EQ(explained_by_memory(cover, item), nullptr);
  EXPECT_LE(cover.spent() - before, 8);
}

TEST(Memory, IsTakenWhereTheFaultActsOnAllThatFailAlike) {
  AskedEngine engine({"zero-point-behind-the-last"});
  const std::string line = engine.ask(with_scales_by_column, Operator::DynamicQuantizeLSTM).case_line;
  const FaultSet tried{oracle::fault_named("zero-point-behind-the-last")};
  for (int k = 0; k < 3; ++k) by_chance(engine, line);
  EXPECT_THAT(ids(model_of(engine.answered(), {.tried = tried})),
              ElementsAre("fault:zero-point-behind-the-last", "flaky-repeat:any"))
      << "three may be an accident";
  by_chance(engine, line);
  const EngineModel model = model_of(engine.answered(), {.tried = tried});
  ASSERT_THAT(ids(model), ElementsAre("fault:zero-point-behind-the-last"));
  EXPECT_EQ(model.causes[0].cases, 5);
  EXPECT_EQ(model.causes[0].alone, 1);
  EXPECT_EQ(model.explained, 1);
  by_chance(engine, "cellproof-case/1 op=DynamicQuantizeLSTM-1 T=3 N=2 I=4 H=5 direction=bidirectional");
  EXPECT_THAT(ids(model_of(engine.answered(), {.tried = tried})),
              ElementsAre("fault:zero-point-behind-the-last", "flaky-repeat:any"));
}

/// Memory may hold another number for each column, which no fault can tell.
TEST(Memory, IsBelievedInWhereOtherAnswersDiffer) {
  AskedEngine engine({"zero-point-behind-the-last"}), right({});
  const std::string line = engine.ask(with_scales_by_column, Operator::DynamicQuantizeLSTM).case_line;
  Finding& open = right.ask(with_scales_by_column, Operator::DynamicQuantizeLSTM);
  right.ask(
      [](Case& c) {
        with_scales_by_column(c);
        c.inputs[input::W_zero_point] =
            parse_case(to_text(c) + " W_zero_point=given,shape:2x20,regime:special").inputs[input::W_zero_point];
      },
      Operator::DynamicQuantizeLSTM);
  open.judgement.verdict = Verdict::Diverges;
  open.pass = false;
  open.axes = {{"direction", "bidirectional"}, {"columns.W_scale", "per-column"}};
  testing::reduce_to(open, open.axes);
  Answered as_by_chance = right.answered()[0];
  for (std::size_t k = 0; k < as_by_chance.answers.size(); ++k)
    as_by_chance.answers[k].outputs = right.answered()[1].answers[k].outputs;
  const FaultSet tried{oracle::fault_named("zero-point-behind-the-last")};
  const auto named = [&] {
    std::vector<Answered> answers = engine.answered();
    answers.push_back(as_by_chance);
    return model_of(answers, {.tried = tried}).faults;
  };
  EXPECT_THAT(named(), ::testing::IsEmpty()) << "it leaves open what it is about";
  for (int k = 0; k < 3; ++k) by_chance(engine, line);
  EXPECT_THAT(named(), ::testing::IsEmpty()) << "three may be an accident";
  by_chance(engine, line);
  EXPECT_EQ(named(), tried);
}

}  // namespace
}  // namespace cellproof::causes
