#include "reports/cause_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof::reports {
namespace {

using testing::ElementsAre;

TEST(CauseJson, ReadsBack) {
  Cause bias;
  bias.id = "fault:rb-ignored";
  bias.title = "leaves out \"half\" of B";
  bias.status = CauseStatus::Proved;
  bias.faults = {"rb-ignored"};
  bias.operators = {"GRU", "RNN"};
  bias.cases = 3;
  bias.alone = 2;
  bias.case_line = "cellproof-case/1 op=RNN-22";
  bias.where = {{"pairs", {7}}, {"smoke", {1, 4}}};
  Cause clip;
  clip.id = "reading:clip-scope=gates";
  clip.readings = {"clip-scope=gates"};
  clip.contract = "tf32";
  clip.clause = "Clip bounds";
  const std::string text = to_json("an \xFF engine", {bias, clip});
  const auto read = causes_from_json(text);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(to_json("an \xFF engine", *read), text);
  EXPECT_EQ(read->front().title, bias.title);
  EXPECT_EQ(read->front().status, CauseStatus::Proved);
  EXPECT_EQ(read->front().where, bias.where);
  EXPECT_THAT(read->back().readings, ElementsAre("clip-scope=gates"));
  EXPECT_EQ(read->back().clause, "Clip bounds");
}

TEST(CauseJson, OfADamagedNoteIsNone) {
  for (const char* note : {"", "[", "{}", "nonsense", "[1]", R"([{"id":"a"}])"})
    EXPECT_FALSE(causes_from_json(note)) << note;
  EXPECT_TRUE(causes_from_json("[]"));
}

}  // namespace
}  // namespace cellproof::reports
