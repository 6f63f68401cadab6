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
  EXPECT_THAT(answers(Clause::DqFinishedRows), ElementsAre("as-kernel", "excluded", "last-state"));
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

TEST(Answers, HaveNames) {
  for (const ClauseInfo& clause : clauses()) {
    const auto all = answers(clause.clause);
    for (Answer answer = 0; answer < all.size(); ++answer) {
      EXPECT_EQ(answer_named(clause.clause, all[answer]), answer) << clause.id;
      EXPECT_THAT(names(clause.clause, {answer}), ElementsAre(all[answer])) << clause.id;
    }
    EXPECT_FALSE(answer_named(clause.clause, "sometimes")) << clause.id;
    EXPECT_THROW(names(clause.clause, {all.size()}), std::out_of_range) << clause.id;
  }
}

TEST(Evidence, OfOneAnswerExcludesTheOthers) {
  EXPECT_EQ(only(Clause::ClipZero, "off"), (Evidence{Clause::ClipZero, {1}, {0, 2}}));
  EXPECT_EQ(none(Clause::InputForget), (Evidence{Clause::InputForget, {}, {0, 1}}));
  EXPECT_THROW(only(Clause::ClipZero, "sometimes"), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof
