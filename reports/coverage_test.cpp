#include "reports/coverage.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/html/coverage_map.hpp"
#include "reports/render.hpp"
#include "reports/testing/sample_findings.hpp"
#include "spec/testing/approval.hpp"

namespace cellproof::reports {
namespace {

TEST(Coverage, APercentageIsAllOrNothingOnlyWhereItIs) {
  EXPECT_EQ(percentage(0, 7), "0 %");
  EXPECT_EQ(percentage(7, 7), "100 %");
  EXPECT_EQ(percentage(1, 1'000'000), "0.1 %");
  EXPECT_EQ(percentage(999'999, 1'000'000), "99.9 %");
  EXPECT_EQ(percentage(1, 3), "33.3 %");
  EXPECT_EQ(percentage(0, 0), "-");
}

TEST(Coverage, JsonIsApproved) {
  EXPECT_EQ(difference_from_approved("reports/approved/coverage.json", render_coverage(sample_report())), "");
  EXPECT_EQ(nlohmann::json::parse(render_coverage({})), nlohmann::json::array());
}

TEST(Coverage, JsonHoldsTheRecord) {
  const ReportData sample = sample_report();
  const auto json = nlohmann::json::parse(render_coverage(sample));
  ASSERT_EQ(json.size(), sample.coverage.size());
  for (std::size_t k = 0; k < json.size(); ++k) {
    EXPECT_EQ(json[k]["pairs"]["covered"], sample.coverage[k].pairs.covered());
    std::size_t failing = 0;
    for (const auto& cell : json[k]["by_axes"]) failing += cell["pairs"]["failing"].get<std::size_t>();
    EXPECT_EQ(failing, sample.coverage[k].pairs.failing);
  }
}

/// Shares between none and all look like neither, however near they are.
TEST(Coverage, TheMapShowsWhatIsNeitherNoneNorAll) {
  Coverage coverage{"engine", Operator::GRU, {"T", "N"}, {}, {}, {{.possible = 1000, .passed = 999, .failing = 1}}};
  std::string map = html::coverage_map(coverage);
  EXPECT_NE(map.find("passed s8"), std::string::npos) << map;
  EXPECT_NE(map.find("failing s1"), std::string::npos) << map;
  EXPECT_NE(map.find("T x N: of 1,000 pairs 999 passed, 1 fail<"), std::string::npos) << map;
  coverage.cells[0] = {.possible = 4, .passed = 4};
  map = html::coverage_map(coverage);
  EXPECT_NE(map.find("passed s9"), std::string::npos) << map;
  EXPECT_EQ(map.find("failing"), std::string::npos) << map;
  coverage.cells[0] = {.possible = 4, .passed = 2, .undecided = 2};
  map = html::coverage_map(coverage);
  EXPECT_NE(map.find("undecided s5"), std::string::npos) << map;
  EXPECT_NE(map.find("2 passed, 2 undecided<"), std::string::npos) << map;
  coverage.cells[0] = {.possible = 4, .passed = 1, .undecided = 2, .failing = 1};
  map = html::coverage_map(coverage);
  EXPECT_NE(map.find("failing s2"), std::string::npos) << map;
  EXPECT_EQ(map.find("undecided s"), std::string::npos) << map;
  EXPECT_NE(map.find("1 passed, 2 undecided, 1 fail<"), std::string::npos) << map;
  coverage.cells[0] = {.possible = 4, .refused = 3};
  EXPECT_NE(html::coverage_map(coverage).find("0 passed, 3 refused, 1 not tried"), std::string::npos);
}

}  // namespace
}  // namespace cellproof::reports
