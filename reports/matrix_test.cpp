#include "reports/matrix.hpp"

#include <gtest/gtest.h>

#include "reports/testing/sample_findings.hpp"

namespace cellproof::reports {
namespace {

Finding of_case(const std::string& engine, AxisValues axes, Verdict verdict) {
  Finding f;
  f.engine = engine;
  f.version = {Operator::GRU, 7};
  f.type = ElementType::Float;
  f.axes = std::move(axes);
  f.outcome = OutcomeKind::Ran;
  f.judgement.verdict = verdict;
  f.pass = verdict != Verdict::Diverges;
  return f;
}

std::vector<MatrixBlock> matrix(const ReportData& data) {
  return matrix_of(data, tally(data, shown_causes(data, groups_of(data))));
}

TEST(Matrix, ShowsTheWorstAndWhetherItIsAlwaysSo) {
  MatrixCell cell;
  EXPECT_EQ(cell.face(), FindingKind::Absent);
  cell.counts[static_cast<std::size_t>(FindingKind::Conforms)] = 3;
  cell.counts[static_cast<std::size_t>(FindingKind::Gap)] = 4;
  EXPECT_EQ(cell.face(), FindingKind::Gap);
  cell.counts[static_cast<std::size_t>(FindingKind::Undecided)] = 5;
  EXPECT_EQ(cell.face(), FindingKind::Undecided);
  cell.counts[static_cast<std::size_t>(FindingKind::Crash)] = 1;
  EXPECT_EQ(cell.face(), FindingKind::Crash);
  EXPECT_FALSE(cell.all_held());
  cell.counts[static_cast<std::size_t>(FindingKind::Conforms)] = 0;
  EXPECT_TRUE(cell.all_held());
}

TEST(Matrix, MergesRowsThatLookAlikeAndPutsTheGuiltyFirst) {
  ReportData data;
  for (const char* engine : {"a", "b"}) {
    for (const char* clip : {"zero", "wide"})
      data.findings.push_back(of_case(engine, {{"clip", clip}}, Verdict::Conforms));
    data.findings.push_back(
        of_case(engine, {{"layout", "1"}}, engine[0] == 'a' ? Verdict::Diverges : Verdict::Conforms));
  }
  const std::vector<MatrixBlock> blocks = matrix(data);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].op, Operator::GRU);
  const std::vector<MatrixRow>& rows = blocks[0].rows;
  ASSERT_EQ(rows.size(), 3U) << "all cases, layout=1, both values of clip; the only version and type say nothing";
  EXPECT_TRUE(rows[0].values.empty());
  EXPECT_EQ(rows[0].cells[0].total(), 3U);
  ASSERT_EQ(rows[1].values.size(), 1U);
  EXPECT_EQ(rows[1].values[0].axis, "layout");
  EXPECT_TRUE(rows[1].cells[0].all_held());
  EXPECT_FALSE(rows[1].cells[1].all_held());
  ASSERT_EQ(rows[2].values.size(), 2U);
  EXPECT_EQ(rows[2].values[0].value, "wide");
}

TEST(Matrix, LosesNoAxisValueOfTheSample) {
  const ReportData data = sample_report();
  std::set<std::pair<std::string, std::string>> seen;
  for (const MatrixBlock& block : matrix(data))
    for (const MatrixRow& row : block.rows)
      for (const MatrixValue& value : row.values) seen.emplace(value.axis, value.value);
  for (const Finding& f : data.findings)
    for (const auto& axis : f.axes) EXPECT_TRUE(seen.contains(axis)) << axis.first << "=" << axis.second;
}

}  // namespace
}  // namespace cellproof::reports
