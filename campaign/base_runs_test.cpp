#include "campaign/base_runs.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace cellproof::campaign {
namespace {

/// A finding of a case in which LSTM has wrong values in Y, and whose signature blames these axes.
Finding wrong(const std::string& case_line, AxisValues axes, const std::string& blamed) {
  Finding finding;
  finding.engine = "ours";
  finding.case_line = case_line;
  finding.axes = std::move(axes);
  finding.outcome = OutcomeKind::Ran;
  finding.judgement.verdict = Verdict::Diverges;
  finding.judgement.kind = ViolationKind::Value;
  finding.judgement.first = FirstViolation{};
  finding.judgement.first->output = output::Y;
  finding.signature = "v1:(ours, LSTM, DIVERGES, Y, value, -, " + blamed + ")";
  return finding;
}

const Finding now = wrong("B", {{"clip", "biting"}, {"activation.f", "Elu"}, {"layout", "1"}}, "layout=1");

Standing standing(const std::vector<Finding>& base, const Finding& finding) {
  return BaseRuns(base, {"ours"}).standing_of(finding);
}

/// Two searches hardly have a case in common.
TEST(BaseRuns, KnowACauseByWhatTheReducedCaseNeeds) {
  Finding base = wrong("A", {{"direction", "reverse"}, {"clip", "biting"}}, "clip=biting direction=reverse");
  EXPECT_EQ(standing({base}, now), Standing::New) << "it may need direction=reverse";
  base.reduction = Reduction{};
  base.reduction->guilty = {{"clip", "biting"}};
  EXPECT_EQ(standing({base}, now), Standing::Known);
  base.reduction->guilty.emplace_back("layout", "0");
  EXPECT_EQ(standing({base}, now), Standing::New);
  Finding otherwise = now;
  base.reduction->guilty = {{"clip", "biting"}};
  otherwise.judgement.first->output = output::Y_h;
  EXPECT_EQ(standing({base}, otherwise), Standing::New) << "it says something else";
  Finding passed = now;
  passed.pass = true;
  passed.signature = "";
  EXPECT_EQ(standing({base, passed}, now), Standing::New) << "its case passed in the base";
}

TEST(BaseRuns, KnowACauseByTheAxisValuesThatItsSignatureBlames) {
  const AxisValues elsewhere{{"direction", "reverse"}};
  for (const char* blamed : {"clip=biting", "activation=any clip=biting", "-"})
    EXPECT_EQ(standing({wrong("A", elsewhere, blamed)}, now), Standing::Known) << blamed;
  for (const char* blamed : {"clip=zero", "input=any", "clip=biting direction=reverse"})
    EXPECT_EQ(standing({wrong("A", elsewhere, blamed)}, now), Standing::New) << blamed;
  EXPECT_EQ(standing({wrong("A", elsewhere, "axes=unattributed")}, now), Standing::NotRun);
}

TEST(BaseRuns, KnowACauseThatHasAName) {
  Finding base = wrong("A", {{"direction", "reverse"}}, "direction=reverse"), other = now;
  base.judgement.faults = {"clip-ignored", "clip-as-zero"};
  other.judgement.faults = {"something", "clip-ignored"};
  other.judgement.first->output = output::Y_h;
  EXPECT_EQ(standing({base}, other), Standing::Known);
  other.judgement.faults = {"clip-as-zero"};
  EXPECT_EQ(standing({base}, other), Standing::New);
  other.version.op = Operator::RNN;
  other.judgement.faults = base.judgement.faults;
  EXPECT_EQ(standing({base}, other), Standing::New) << "another operator";
}

}  // namespace
}  // namespace cellproof::campaign
