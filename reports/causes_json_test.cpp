#include <gtest/gtest.h>

#include "reports/json_values.hpp"
#include "reports/render.hpp"
#include "reports/testing/sample_findings.hpp"

namespace cellproof::reports {
namespace {

TEST(CausesJson, HoldsTheCausesOfEveryEngineInOneArray) {
  ReportData data;
  data.engines = {
      {"one", {{EngineNote::Version, "1"}, {EngineNote::Causes, R"([{"engine":"one","id":"a"},{"id":"b"}])"}}},
      {"right", {{EngineNote::Version, "1"}}},
      {"two", {{EngineNote::Causes, R"([{"engine":"two","id":"c"}])"}}}};
  const std::string text = render_causes(data);
  EXPECT_EQ(text, "[\n{\"engine\":\"one\",\"id\":\"a\"},\n{\"id\":\"b\"},\n{\"engine\":\"two\",\"id\":\"c\"}\n]\n");
  EXPECT_EQ(Json::parse(text).size(), 3U);
}

TEST(CausesJson, EndsWithTheCausesOfTheBaseThatAreFixed) {
  ReportData data;
  data.engines = {{"one", {{EngineNote::Causes, R"([{"engine":"one","id":"a"}])"}}}, {"right", {}}};
  data.changes.base = "base.sqlite";
  data.changes.now[{"one", "a"}] = {Since::New, 0};
  Cause cause;
  cause.id = "fault:rb-ignored";
  cause.title = "leaves out the second half of B";
  cause.cases = 7;
  data.changes.fixed = {{"right", cause}};
  const Json causes = Json::parse(render_causes(data));
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0]["since"], "new");
  EXPECT_EQ(causes[1]["engine"], "right");
  EXPECT_EQ(causes[1]["id"], "fault:rb-ignored");
  EXPECT_EQ(causes[1]["status"], "fixed");
  EXPECT_EQ(causes[1]["since"], "fixed");
  EXPECT_EQ(causes[1]["cases"], 7) << "of the base";
  EXPECT_FALSE(causes[1].contains("search_complete"));
}

TEST(CausesJson, OfADamagedNoteAreLeftOut) {
  ReportData data;
  for (const char* note : {"", "[", "{}", "nonsense", "[1"})
    data.engines.push_back({"e", {{EngineNote::Causes, note}}});
  EXPECT_EQ(render_causes(data), "[]\n");
  EXPECT_EQ(render_causes({}), "[]\n");
}

}  // namespace
}  // namespace cellproof::reports
