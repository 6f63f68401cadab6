#include "lab/stores/differing_findings.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "reports/testing/made_up_finding.hpp"

namespace cellproof::lab {
namespace {

using Fields = std::vector<std::string>;

std::vector<Finding> some_findings() {
  std::vector<Finding> findings;
  for (std::int64_t k = 0; k < 3; ++k)
    findings.push_back(reports::made_up::plain({Operator::GRU, 14}, ElementType::Float, {}, k));
  return findings;
}

Reduction complete_reduction(std::string case_line) {
  Reduction reduction;
  reduction.case_line = std::move(case_line);
  reduction.complete = true;
  return reduction;
}

TEST(DifferingFindings, AreNoneForOtherTimesAndVersions) {
  const std::vector<Finding> before = some_findings();
  std::vector<Finding> after = before;
  after[1].timings.run += 1;
  after[2].engine_version += "-next";
  std::swap(after[0], after[2]);
  EXPECT_TRUE(differing_findings(before, after).empty());
}

TEST(DifferingFindings, AreNoneForReductionsThatTimeCutShort) {
  std::vector<Finding> before = some_findings();
  std::vector<Finding> after = before;
  for (Finding& finding : before) finding.reduction = complete_reduction("a");
  for (Finding& finding : after) finding.reduction = complete_reduction("b");
  after[1].reduction->complete = false;
  after[1].signature += "with another axis";
  const auto differing = differing_findings(before, after);
  ASSERT_EQ(differing.size(), 2U);
  EXPECT_EQ(differing[1].fields, Fields{"reduction"});
  EXPECT_EQ(std::get<2>(differing[1].key), 2);
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
