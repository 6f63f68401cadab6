#include "campaign/issue_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "spec/case_text.hpp"

namespace cellproof::campaign {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Finding wrong_value(const std::string& line) {
  Finding finding;
  finding.engine = "onnxruntime";
  finding.engine_version = "1.2.3";
  finding.outcome = OutcomeKind::Ran;
  finding.judgement.verdict = Verdict::Diverges;
  finding.judgement.kind = ViolationKind::Value;
  finding.case_line = line;
  finding.reduction = Reduction{};
  finding.reduction->case_line = line;
  finding.reduction->guilty = {{"clip", "biting"}};
  finding.reduction->message = "Y differs\nfrom step 0 on";
  FirstViolation& first = finding.reduction->first.emplace();
  first.output = output::Y;
  first.index = {0, 0, 0, 0};
  first.expected = 0.5;
  first.actual = 0.75;
  first.gates = {{"i", 0.25, 0}};
  return finding;
}

RunMetadata some_machine() {
  RunMetadata machine;
  machine.system = "Linux 6.1.0 x86_64";
  machine.cpu = "AMD EPYC";
  return machine;
}

const char* const line = "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=1 H=1 clip=0.5";

TEST(IssueText, KeepsTheOrderOfTheForm) {
  const std::string text = issue_text(wrong_value(line), parse_case(line), nullptr, some_machine());
  EXPECT_TRUE(text.starts_with("# LSTM: onnxruntime returns wrong values with clip=biting\n")) << text;
  std::size_t at = 0;
  for (const char* heading : {"### Describe the issue", "### To reproduce", "### Urgency", "### Platform\n\nLinux\n",
                              "### OS version\n\nLinux 6.1.0 x86_64\n", "### Installation", "### Version\n\n1.2.3\n",
                              "### API", "### Architecture\n\nx86_64 (AMD EPYC)\n", "### Execution provider"}) {
    const std::size_t found = text.find(heading, at);
    ASSERT_NE(found, std::string::npos) << heading << " in\n" << text;
    at = found;
  }
}

TEST(IssueText, SaysWhatHappensWhatTheTextSaysAndHowToSeeIt) {
  const std::string text = issue_text(wrong_value(line), parse_case(line), nullptr, some_machine());
  EXPECT_THAT(text, HasSubstr("# LSTM: onnxruntime returns wrong values with clip=biting\n"));
  EXPECT_THAT(text, HasSubstr("LSTM-22 of onnxruntime 1.2.3 returns wrong values"));
  EXPECT_THAT(text, HasSubstr("Y differs from step 0 on\n"));
  EXPECT_THAT(text,
              HasSubstr("`Y[0,0,0,0]` is the first wrong element: expected 0.5, actual 0.75. The gates there: i"));
  EXPECT_THAT(text, HasSubstr("Specification: https://onnx.ai/onnx/operators/onnx__LSTM.html\n"));
  EXPECT_THAT(text, HasSubstr("`pip install onnxruntime==1.2.3 && python3 run.py` exits with 1"));
  EXPECT_THAT(text, HasSubstr("```python\n\"\"\""));
}

TEST(IssueText, SaysTheCauseItsClauseAndWhatPassesBesideIt) {
  Cause cause;
  cause.title = "does not clip";
  cause.clause = "clip bounds the argument.";
  cause.passing = PassingCase{line, {{"clip", "absent"}}};
  std::string text = issue_text(wrong_value(line), parse_case(line), &cause, some_machine());
  EXPECT_THAT(text, HasSubstr("# LSTM: onnxruntime does not clip\n"));
  EXPECT_THAT(text, HasSubstr("needs clip=biting. A case beside it passes with clip=absent.\n"));
  EXPECT_THAT(text, HasSubstr("What the text asks for: clip bounds the argument.\nSpecification: https://onnx.ai/"));
  cause.status = CauseStatus::Unexplained;
  text = issue_text(wrong_value(line), parse_case(line), &cause, some_machine());
  EXPECT_THAT(text, HasSubstr("# LSTM: onnxruntime returns wrong values with clip=biting\n")) << "it says more";
  EXPECT_THAT(text, HasSubstr("passes with clip=absent"));
}

TEST(IssueText, NamesTheRuleThatAnInvalidModelBreaks) {
  Finding finding = wrong_value(line);
  finding.judgement.verdict = Verdict::AcceptedInvalid;
  finding.expectation.kind = Expectation::Kind::Refuse;
  finding.expectation.violations = {{"clip-negative", "LSTM-22: attributes", "clip is -1"}};
  finding.reduction->first.reset();
  const std::string text = issue_text(finding, parse_case(line), nullptr, some_machine());
  EXPECT_THAT(text, HasSubstr("must be refused: clip is -1 (LSTM-22: attributes)"));
  EXPECT_THAT(text, HasSubstr("except Exception as error"));
}

TEST(IssueText, AttachesALongScript) {
  const std::string large = "cellproof-case/1 op=LSTM-22 type=float T=1 N=1 I=64 H=64";
  const std::string text = issue_text(wrong_value(large), parse_case(large), nullptr, some_machine());
  EXPECT_THAT(text, HasSubstr("attached as `run.py`"));
  EXPECT_THAT(text, Not(HasSubstr("```python")));
}

}  // namespace
}  // namespace cellproof::campaign
