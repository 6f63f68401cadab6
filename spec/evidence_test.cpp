#include "spec/evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Answers, AreWhatCanBeToldApartFromOutside) {
  EXPECT_THAT(answers(Clause::ClipScope), ElementsAre("gates+h", "gates", "gates+cell"));
  EXPECT_THAT(answers(Clause::ClipZero), ElementsAre("clamp", "off", "refuse"));
  EXPECT_THAT(answers(Clause::EmptySequenceState), ElementsAre("initial", "zero", "refuse"))
      << "a gap is an answer, too";
  EXPECT_THAT(answers(Clause::DqFinishedRows), ElementsAre("as-kernel", "excluded"));
  EXPECT_THAT(answers(Clause::RTransposed), ElementsAre("kept", "broken"));
  EXPECT_THAT(answers(Clause::LengthOutOfRange), ElementsAre("refused", "accepted"));
  EXPECT_THAT(answers(Clause::SummationOrder), IsEmpty());
  EXPECT_THAT(answers(Clause::InputForgetWeights), IsEmpty()) << "the same as input-forget";
}

TEST(Answers, BeginWithTheDefault) {
  for (const ClauseInfo& clause : clauses()) {
    if (clause.kind != ClauseKind::Value && clause.kind != ClauseKind::Acceptance) continue;
    if (answers(clause.clause).empty()) continue;
    ASSERT_GE(answers(clause.clause).size(), 2U) << clause.id;
    EXPECT_EQ(answers(clause.clause).front(), Readings{}.of(clause.clause)) << clause.id;
  }
}

TEST(Evidence, OfOneAnswerExcludesTheOthers) {
  EXPECT_EQ(only(Clause::ClipZero, "off"), (Evidence{Clause::ClipZero, {"off"}, {"clamp", "refuse"}}));
  EXPECT_EQ(none(Clause::InputForget), (Evidence{Clause::InputForget, {}, {"f=1-i", "i=1-f"}}));
  EXPECT_THROW(only(Clause::ClipZero, "sometimes"), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof
