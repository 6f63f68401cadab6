#include "campaign/run_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "campaign/reduced_case.hpp"
#include "corpus/project_root.hpp"
#include "spec/case_text.hpp"
#include "spec/testing/shell_run.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

/// Runs a script with the Python that set-up made for ONNX's runner: it has onnx and onnxruntime.
ShellRun run(const fs::path& script, const std::string& arguments = "") {
  const fs::path python = corpus::project_root() / ".deps/onnx-backend-runner/bin/python";
  return run_in_shell("'" + python.string() + "' \"" + script.string() + "\" " + arguments);
}

class RunScriptOf : public ::testing::Test {
 protected:
  /// A finding of an engine of that name, whose Y[0,0,0,0] is said to be wrong.
  static Finding finding_of(const std::string& engine, const std::string& line, double expected, double actual) {
    Finding finding;
    finding.engine = engine;
    finding.engine_version = "1.2.3";
    finding.case_line = line;
    finding.outcome = OutcomeKind::Ran;
    finding.judgement.verdict = Verdict::Diverges;
    finding.reduction = Reduction{};
    finding.reduction->case_line = line;
    finding.reduction->first = FirstViolation{};
    finding.reduction->first->output = output::Y;
    finding.reduction->first->index = {0, 0, 0, 0};
    finding.reduction->first->expected = expected;
    finding.reduction->first->actual = actual;
    return finding;
  }

  fs::path script_of(const Finding& finding) {
    fs::path folder = base_ / finding.engine;
    write_reduced_folder(finding, parse_case(finding.reduction->case_line), finding.engine, folder);
    fs::remove(folder / "model.onnx");  // all that it needs is inside
    fs::remove_all(folder / "test_data_set_0");
    return folder / "run.py";
  }

  TemporaryFolder base_;
  const std::string line_ = "cellproof-case/1 op=GRU-14 type=float T=1 N=1 I=1 H=1 B=given W=given,graph";
  const std::string zero_ =
      "cellproof-case/1 op=GRU-14 type=float T=1 N=1 I=1 H=1 X=given,regime:zero W=given,regime:zero "
      "R=given,regime:zero";  // all right runtimes return 0
};

TEST_F(RunScriptOf, ARuntimeNeedsNothingButItsPackage) {
  for (const char* engine : {"onnxruntime", "onnx-reference"}) {
    const ShellRun result = run(script_of(finding_of(engine, line_, 0.5, 0.25)));
    EXPECT_THAT(result.output, HasSubstr("Y[0, 0, 0, 0] must be 0.5, it was 0.25, here it is")) << engine;
  }
}

TEST_F(RunScriptOf, AReleaseByItsLibraryNeedsThatPackage) {
  const Problem problem = make_problem(parse_case(line_));
  EXPECT_THAT(run_script(problem, finding_of("onnxruntime@1.2.3", line_, 0.5, 0.25)).how,
              HasSubstr("pip install onnxruntime==1.2.3 "));
  for (const char* engine : {"onnxruntime@my-build", "onnxruntime@1.2.4", "onnxruntime@QNNExecutionProvider"})
    EXPECT_THAT(run_script(problem, finding_of(engine, line_, 0.5, 0.25)).how, HasSubstr("MODULE")) << engine;
}

TEST_F(RunScriptOf, ExitsWithOneWhileTheDefectIsThere) {
  for (const char* engine : {"onnxruntime", "onnx-reference"}) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(run(script_of(finding_of(engine, zero_, 0, 0.25))).exit_code, 0) << engine;
    EXPECT_EQ(run(script_of(finding_of(engine, zero_, 0, nan))).exit_code, 0) << engine;
    EXPECT_EQ(run(script_of(finding_of(engine, zero_, 0.25, 0))).exit_code, 1) << engine;
    EXPECT_EQ(run(script_of(finding_of(engine, zero_, nan, 0))).exit_code, 1) << engine;
  }
}

TEST_F(RunScriptOf, AnInvalidModelIsToBeRefused) {
  Finding finding = finding_of("onnxruntime", zero_, 0, 0);
  finding.reduction->first.reset();
  finding.expectation.kind = Expectation::Kind::Refuse;
  EXPECT_EQ(run(script_of(finding)).exit_code, 1) << "it runs";
  finding.reduction->case_line = "cellproof-case/1 op=GRU-14 type=float T=1 N=1 I=1 H=1 activations=Sigmoid,Nonsense";
  const ShellRun refused = run(script_of(finding));
  EXPECT_EQ(refused.exit_code, 0) << refused.output;
  EXPECT_THAT(refused.output, HasSubstr("refused: "));
}

TEST_F(RunScriptOf, ADeathIsSeenFromOutside) {
  Finding finding = finding_of("onnxruntime", zero_, 0, 0);
  finding.reduction->first.reset();
  finding.outcome = OutcomeKind::Crashed;
  const ShellRun lives = run(script_of(finding));
  EXPECT_EQ(lives.exit_code, 0) << lives.output;
  EXPECT_THAT(lives.output, HasSubstr("the process lives"));
  finding.reduction->case_line =
      "cellproof-case/1 op=GRU-7 type=float T=1 N=0 I=1 H=1 W=given,regime:zero R=given,regime:zero";
  const ShellRun dead = run(script_of(finding));
  EXPECT_EQ(dead.exit_code, 1) << "ONNX Runtime's defect: " << dead.output;
}

TEST_F(RunScriptOf, AnyOtherEngineTakesAnOnnxBackend) {
  const fs::path script = script_of(finding_of("somebody's", zero_, 0, 0.5));
  EXPECT_EQ(run(script, "onnxruntime.backend").exit_code, 0);
  EXPECT_EQ(run(script, "onnx.backend.test.loader.nobody").exit_code, 1);
  EXPECT_THAT(run(script, "onnxruntime.backend").output, HasSubstr("must be 0,"));
  const ShellRun bare = run(script);
  EXPECT_EQ(bare.exit_code, 1);
  EXPECT_THAT(bare.output, HasSubstr("usage: python3 run.py MODULE"));
  EXPECT_THAT(bare.output, Not(HasSubstr("Traceback")));
}

}  // namespace
}  // namespace cellproof::campaign
