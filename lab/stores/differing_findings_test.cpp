#include "lab/stores/differing_findings.hpp"

#include <gtest/gtest.h>

#include "reports/testing/made_up_finding.hpp"

namespace cellproof::lab {
namespace {

using Fields = std::vector<std::string>;

std::vector<Finding> some_findings() {
  std::vector<Finding> findings;
  for (std::int64_t k = 0; k < 3; ++k) findings.push_back(reports::made_up::plain({Operator::GRU, 14}, "float", {}, k));
  return findings;
}

TEST(DifferingFindings, AreNoneForOtherTimesAndVersions) {
  const std::vector<Finding> before = some_findings();
  std::vector<Finding> after = before;
  after[1].timings.run += 1;
  after[2].engine_version += "-next";
  std::swap(after[0], after[2]);
  EXPECT_TRUE(differing_findings(before, after).empty());
}

TEST(DifferingFindings, NameTheFieldsThatDiffer) {
  const std::vector<Finding> before = some_findings();
  std::vector<Finding> after = before;
  after[1].judgement.bits += 1;
  after[1].pass = !after[1].pass;
  const auto differing = differing_findings(before, after);
  ASSERT_EQ(differing.size(), 1U);
  EXPECT_EQ(std::get<2>(differing[0].key), 1);
  EXPECT_EQ(differing[0].case_line, before[1].case_line);
  EXPECT_EQ(differing[0].fields, (Fields{"judgement", "pass"}));
}

TEST(DifferingFindings, AreThoseThatOnlyOneStoreHas) {
  const std::vector<Finding> before = some_findings();
  std::vector<Finding> after = before;
  after[0].suite = "another";
  const auto differing = differing_findings(before, after);
  ASSERT_EQ(differing.size(), 2U);
  for (const DifferingFinding& one : differing) EXPECT_EQ(one.fields, Fields{"missing"});
}

}  // namespace
}  // namespace cellproof::lab
