#include "campaign/waivers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>

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

}  // namespace
}  // namespace cellproof::campaign
