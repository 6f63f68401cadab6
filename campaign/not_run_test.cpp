#include "campaign/not_run.hpp"

#include <gtest/gtest.h>

namespace cellproof::campaign {
namespace {

Finding finding_of(const std::string& engine, const std::string& suite, std::int64_t number) {
  Finding finding;
  finding.engine = engine;
  finding.suite = suite;
  finding.number = number;
  return finding;
}

TEST(NotRun, NamesWhatHasNoFinding) {
  RunOptions options;
  options.engines = {"a", "b=python3 b.py", "gone"};
  options.suites = {{"small", "", {{"one", {}}, {"two", {}}}}, {"large", "", {{"x", {}}, {"y", {}}, {"z", {}}}}};
  std::vector<Finding> findings;
  for (const std::int64_t number : {0, 1}) findings.push_back(finding_of("a", "small", number));
  for (const std::int64_t number : {0, 1, 2}) findings.push_back(finding_of("a", "large", number));
  findings.push_back(finding_of("b", "small", 1));
  const std::vector<NotRun> list = not_run(options, findings, {"gone"});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].engine + "/" + list[0].suite + "/" + list[0].first, "b/small/one");
  EXPECT_EQ(list[0].cases, 1);
  EXPECT_EQ(list[0].asked, 2);
  EXPECT_EQ(list[1].suite, "large");
  EXPECT_EQ(list[1].cases, 3);
  options.shard = {1, 3};  // of every suite only the second case of three
  EXPECT_EQ(not_run(options, findings, {"gone"}).size(), 1U);
  EXPECT_TRUE(not_run({}, findings, {}).empty());
}

}  // namespace
}  // namespace cellproof::campaign
