#include "campaign/nearest_pass.hpp"

#include <gtest/gtest.h>

#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

const std::string of_lstm = "cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5";

Finding passed(const std::string& line) {
  Finding finding;
  const Case c = parse_case(line);
  finding.version = c.version;
  finding.case_line = to_text(c);
  finding.axes = axis_values(c);
  finding.outcome = OutcomeKind::Ran;
  finding.judgement.verdict = Verdict::Conforms;
  finding.pass = true;
  return finding;
}

Cause failing_at(const std::string& line) {
  Cause cause;
  cause.case_line = line;
  return cause;
}

TEST(NearestPass, DiffersInTheFewestAxisValues) {
  const Finding far = passed(of_lstm), near = passed(of_lstm + " clip=0.5"),
                other_size = passed("cellproof-case/1 op=LSTM-22 type=float T=1 N=2 I=4 H=5 clip=0.5 seed=3"),
                other_operator = passed("cellproof-case/1 op=LSTM-14 type=float T=3 N=2 I=4 H=5 clip=0.5");
  const auto found =
      nearest_pass(failing_at(of_lstm + " direction=reverse clip=0.5"), {far, other_size, near, other_operator});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->case_line, near.case_line);
  EXPECT_EQ(found->with, (AxisValues{{"direction", "forward"}}));
}

TEST(NearestPass, IsTheOneThatTheReductionHasSeen) {
  Finding reduced = passed(of_lstm + " clip=0.5");
  reduced.pass = false;
  reduced.reduction.emplace();
  reduced.reduction->case_line = "cellproof-case/1 op=LSTM-22 T=1 N=1 I=1 H=1 clip=0.5";
  reduced.reduction->passing = PassingCase{"cellproof-case/1 op=LSTM-22 T=1 N=1 I=1 H=1", {{"clip", "none"}}};
  EXPECT_EQ(nearest_pass(failing_at(reduced.reduction->case_line), {passed(of_lstm), reduced}),
            reduced.reduction->passing);
}

TEST(NearestPass, IsNothingThatWasNotSeenToConform) {
  Finding refused = passed(of_lstm), undecided = refused, failed = refused, of_a_law = refused;
  refused.outcome = OutcomeKind::NotSupported;
  refused.judgement.verdict.reset();
  undecided.judgement.verdict = Verdict::Undecided;
  failed.pass = false;
  of_a_law.law = "some-law";
  EXPECT_FALSE(nearest_pass(failing_at(of_lstm + " clip=0.5"), {refused, undecided, failed, of_a_law}));
}

TEST(NearestPass, IsNoEmptyCaseBesideOneThatComputes) {
  const Finding empty = passed("cellproof-case/1 op=LSTM-22 type=float T=3 N=0 I=4 H=5");
  EXPECT_FALSE(nearest_pass(failing_at(of_lstm + " clip=0.5"), {empty}));
  EXPECT_FALSE(nearest_pass(failing_at(of_lstm + " clip=0.5"),
                            {passed(to_text(axis("outputs").apply(parse_case(of_lstm), "none")))}));
  EXPECT_TRUE(nearest_pass(failing_at("cellproof-case/1 op=LSTM-22 type=float T=0 N=2 I=4 H=5 clip=0.5"), {empty}));
}

TEST(NearestPass, IsNothingForAModelThatMustBeRefused) {
  Finding accepted = passed(of_lstm + " clip=-1");
  accepted.pass = false;
  accepted.expectation.kind = Expectation::Kind::Refuse;
  EXPECT_FALSE(nearest_pass(failing_at(accepted.case_line), {passed(of_lstm), accepted}));
}

TEST(NearestPass, IsNothingThatHasLittleInCommon) {
  const std::string three = of_lstm + " direction=reverse clip=0.5 layout=1";
  EXPECT_TRUE(nearest_pass(failing_at(three), {passed(of_lstm)}));
  EXPECT_FALSE(nearest_pass(failing_at(three + " B=given"), {passed(of_lstm)}));
}

TEST(NearestPass, IsNothingForAReadingOrALineThatCannotBeRead) {
  Cause reading = failing_at(of_lstm + " clip=0.5");
  reading.readings = {"clip-scope=gates"};
  EXPECT_FALSE(nearest_pass(reading, {passed(of_lstm)}));
  EXPECT_FALSE(nearest_pass(failing_at("dir:some/where"), {passed(of_lstm)}));
}

}  // namespace
}  // namespace cellproof::campaign
