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
  bias.scope = "LSTM, float16";
  bias.rivals = {"rb-negated"};
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
  clip.passing = PassingCase{"cellproof-case/1 op=GRU-22", {{"clip", "none"}}};
  const std::string text = to_json("an \xFF engine", {bias, clip});
  const auto read = causes_from_json(text);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(to_json("an \xFF engine", *read), text);
  EXPECT_EQ(read->front().title, bias.title);
  EXPECT_EQ(read->front().status, CauseStatus::Proved);
  EXPECT_EQ(read->front().where, bias.where);
  EXPECT_EQ(read->front().scope, "LSTM, float16");
  EXPECT_THAT(read->front().rivals, ElementsAre("rb-negated"));
  EXPECT_EQ(read->back().scope, "");
  EXPECT_THAT(read->back().readings, ElementsAre("clip-scope=gates"));
  EXPECT_EQ(read->back().clause, "Clip bounds");
  EXPECT_EQ(read->back().passing, clip.passing);
  EXPECT_THAT(text, testing::HasSubstr("\"pages\":[\"https://onnx.ai/onnx/operators/onnx__GRU.html\","));
}

TEST(CauseJson, OfAnOlderStoreHasNoPassingCase) {
  std::string text = to_json("e", {Cause{}});
  const std::string passing = ",\"passing\":null";
  ASSERT_NE(text.find(passing), std::string::npos) << text;
  const auto read = causes_from_json(text.erase(text.find(passing), passing.size()));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->front().passing);
}

TEST(CauseJson, OfAnOlderStoreHasNoScopes) {
  const auto read = causes_from_json(
      R"([{"id":"fault:a","title":"a","status":"likely","faults":["a"],"readings":[],"contract":null,"operators":["GRU"],)"
      R"("cases":1,"alone":1,"case":null,"clause":null,"where":{"smoke":[1]}}])");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->front().scope, "");
  EXPECT_TRUE(read->front().rivals.empty());
}

TEST(CauseJson, OfADamagedNoteIsNone) {
  for (const char* note : {"", "[", "{}", "nonsense", "[1]", R"([{"id":"a"}])"})
    EXPECT_FALSE(causes_from_json(note)) << note;
  EXPECT_TRUE(causes_from_json("[]"));
}

}  // namespace
}  // namespace cellproof::reports
