#include "campaign/waivers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

#include "reports/cause_json.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* case_line = "cellproof-case/1 op=LSTM-14 type=float T=2 N=1 I=3 H=4 seed=1";

/// A case's result in one run.
Finding met(bool pass, const std::string& signature, bool flaky) {
  Finding finding;
  finding.engine = "npu";
  finding.engine_version = "1";
  finding.case_line = case_line;
  finding.outcome = pass || !flaky ? OutcomeKind::Ran : OutcomeKind::Crashed;
  finding.judgement.verdict = pass ? Verdict::Conforms : Verdict::Diverges;
  finding.pass = pass;
  finding.signature = signature;
  if (flaky) finding.flaky = OtherOutcome{};
  return finding;
}

/// The same file over runs in which chance has it otherwise each time.
TEST(Waivers, OfChanceKeepEveryRunGreen) {
  const std::string flaky_signature = "v1:(npu, LSTM, FLAKY, -, CRASHED, -, -)";
  const std::string steady_signature = "v1:(npu, LSTM, DIVERGES, Y, value, -, -)";
  const TemporaryFolder folder;
  const auto code_with = [&](const char* more, const Finding& finding) {
    std::ofstream(folder / "waivers.json")
        << R"({"waivers": [{"signature": ")" << flaky_signature << R"(", "case": ")" << case_line
        << R"(", "versions": "*", "url": "https://example.org/1", "expires": "2099-12-31", "why": "a race")" << more
        << "}]}";
    reports::ReportData data;
    data.findings = {finding};
    const int code = apply_waivers(waivers_of((folder / "waivers.json").string()), true, data);
    return std::pair(code, data.waiver_complaints);
  };
  for (const Finding& finding :
       {met(true, "", false), met(false, flaky_signature, true), met(false, steady_signature, false)}) {
    const auto [code, complaints] = code_with(R"(, "flaky": true)", finding);
    EXPECT_EQ(code, 0) << finding.signature;
    EXPECT_THAT(complaints, IsEmpty()) << finding.signature;
  }
  const auto [code, complaints] = code_with("", met(true, "", false));
  EXPECT_EQ(code, 1);
  EXPECT_THAT(complaints, ElementsAre(HasSubstr("its case passes; \"flaky\": true accepts passes, too")));
  Finding elsewhere = met(false, steady_signature, false);
  elsewhere.case_line = "another case";
  EXPECT_EQ(code_with(R"(, "flaky": true)", elsewhere).first, 1) << "it covers its case, not that signature";
  Finding broken = met(false, "", false);
  broken.outcome = OutcomeKind::HarnessError;
  EXPECT_EQ(code_with(R"(, "flaky": true)", broken).first, 3);
}

struct OfCauses {
  int code = 0;
  std::vector<std::string> complaints;
  std::size_t waived = 0;
};

/// Two cases, the first of which has both causes, with waivers for some of them.
OfCauses waived_by(const std::vector<std::string>& accepted, bool has_causes = true, bool second_fails = true) {
  const TemporaryFolder folder;
  {
    std::ofstream file(folder / "waivers.json");
    file << R"({"waivers": [)";
    for (const std::string& cause : accepted)
      file
          << (&cause == &accepted.front() ? "" : ", ") << R"({"cause": ")" << cause
          << R"(", "engine": "npu", "versions": "*", "url": "https://example.org/1", "expires": "2099-12-31", "why": "a"})";
    file << "]}";
  }
  reports::ReportData data;
  data.findings = {met(false, "v1:(npu, LSTM, DIVERGES, Y, value, -, -)", false),
                   met(!second_fails, second_fails ? "v1:(npu, LSTM, DIVERGES, Y, value, -, T=1)" : "", false)};
  data.findings[1].number = 1;
  Cause one, other;
  one.id = "fault:one";
  one.where[""] = {0, 1};
  other.id = "fault:other";
  other.where[""] = {0};
  if (has_causes) data.engines = {{"npu", {{EngineNote::Causes, reports::to_json("npu", {one, other})}}}};
  const int code = apply_waivers(waivers_of((folder / "waivers.json").string()), true, data);
  return {code, data.waiver_complaints, data.waived_findings.size()};
}

TEST(Waivers, OfACauseAcceptTheCasesThatHaveNoOther) {
  EXPECT_EQ(waived_by({"fault:one", "fault:other"}).code, 0);
  const OfCauses one = waived_by({"fault:one"});
  EXPECT_EQ(one.code, 1);
  EXPECT_EQ(one.waived, 1U) << "the first case has another cause";
  EXPECT_THAT(one.complaints, IsEmpty());
}

TEST(Waivers, OfACauseThatIsNotThereFailTheRun) {
  const OfCauses gone = waived_by({"fault:one", "fault:other", "fault:gone"});
  EXPECT_EQ(gone.code, 1);
  EXPECT_THAT(gone.complaints, ElementsAre(HasSubstr("fault:gone of npu (https://example.org/1) matches no cause")));
  EXPECT_THAT(waived_by({"fault:one"}, false).complaints, ElementsAre(HasSubstr("the store names no causes")));
}

}  // namespace
}  // namespace cellproof::campaign
