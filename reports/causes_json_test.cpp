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

TEST(CausesJson, OfADamagedNoteAreLeftOut) {
  ReportData data;
  for (const char* note : {"", "[", "{}", "nonsense", "[1"})
    data.engines.push_back({"e", {{EngineNote::Causes, note}}});
  EXPECT_EQ(render_causes(data), "[]\n");
  EXPECT_EQ(render_causes({}), "[]\n");
}

}  // namespace
}  // namespace cellproof::reports
