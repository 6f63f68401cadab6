#include "cli/baseline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/run.hpp"

namespace cellproof::cli {
namespace {

using testing::ElementsAre;

Finding failing(const std::string& engine, const std::string& signature) {
  Finding finding;
  finding.engine = engine;
  finding.outcome = OutcomeKind::Ran;
  finding.signature = signature;
  return finding;
}

TEST(Baseline, OnlyWhatItDoesNotFailInFailsTheRun) {
  const std::vector<Finding> base{failing("ours", "v1:(ours, a)"), failing("ours", "v1:(ours, a)"),
                                  failing("ours", "v1:(ours, mended)"), failing("theirs", "v1:(theirs, b)")};
  reports::ReportData data;
  data.findings = {failing("ours", "v1:(ours, a)")};
  BaselineComparison comparison = compare_with_baseline(base, "base.sqlite", data);
  EXPECT_THAT(comparison.fresh, ElementsAre());
  EXPECT_THAT(comparison.known, ElementsAre("v1:(ours, a)"));
  EXPECT_THAT(comparison.gone, ElementsAre("v1:(ours, mended)")) << "of an engine that did not run nothing is known";
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 0);

  data.findings.push_back(failing("ours", "v1:(ours, c)"));
  data.waived.clear();
  comparison = compare_with_baseline(base, "base.sqlite", data);
  EXPECT_THAT(comparison.fresh, ElementsAre("v1:(ours, c)"));
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 1);
  EXPECT_EQ(to_text(comparison, "base.sqlite"),
            "against base.sqlite: 1 new, 1 known, 1 gone\n"
            "  new   v1:(ours, c)\n"
            "  gone  v1:(ours, mended)\n");
}

/// That no axis value can be blamed is a part of the signature: a run that can blame one has found out something new.
TEST(Baseline, KnowsWhatNoAxisValueIsBlamedForWhereTheBaseSaysJustThat) {
  const std::string unattributed = "v1:(ours, LSTM, DIVERGES, Y, value, -, axes=unattributed)";
  const std::string attributed = "v1:(ours, LSTM, DIVERGES, Y, value, -, clip=biting)";
  reports::ReportData data;
  data.findings = {failing("ours", unattributed)};
  EXPECT_THAT(compare_with_baseline(data.findings, "base.sqlite", data).known, ElementsAre(unattributed));
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 0);

  data.waived.clear();
  const BaselineComparison other = compare_with_baseline({failing("ours", attributed)}, "base.sqlite", data);
  EXPECT_THAT(other.fresh, ElementsAre(unattributed));
  EXPECT_THAT(other.gone, ElementsAre(attributed));
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 1);
}

TEST(Baseline, AnErrorOfTheHarnessIsNeverKnown) {
  Finding broken = failing("ours", "");
  broken.outcome = OutcomeKind::HarnessError;
  reports::ReportData data;
  data.findings = {broken};
  EXPECT_THAT(compare_with_baseline({broken}, "base.sqlite", data).known, ElementsAre());
  EXPECT_EQ(campaign::exit_code_of(data.findings, data.waived), 3);
}

}  // namespace
}  // namespace cellproof::cli
