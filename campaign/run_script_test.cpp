#include "campaign/run_script.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  /// The folder of a reduced case that an engine of that name is said to fail.
  fs::path folder_of(const std::string& engine, const std::string& line) {
    const Case smallest = parse_case(line);
    Finding finding;
    finding.engine = engine;
    finding.engine_version = "1.2.3";
    finding.case_line = line;
    finding.judgement.verdict = Verdict::Diverges;
    finding.reduction = Reduction{};
    finding.reduction->case_line = line;
    finding.reduction->first = FirstViolation{};
    finding.reduction->first->output = output::Y;
    finding.reduction->first->index = {0, 0, 0, 0};
    finding.reduction->first->expected = 0.5;
    finding.reduction->first->actual = 0.25;
    fs::path folder = base_ / engine;
    write_reduced_folder(finding, smallest, engine, folder);
    return folder;
  }

  TemporaryFolder base_;
  const std::string line_ = "cellproof-case/1 op=GRU-14 type=float T=1 N=1 I=1 H=1 B=given W=given,graph";
};

TEST_F(RunScriptOf, ARuntimeNeedsNothingButItsPackage) {
  for (const char* engine : {"onnxruntime", "onnx-reference"}) {
    const ShellRun result = run(folder_of(engine, line_) / "run.py");
    EXPECT_EQ(result.exit_code, 0) << engine << ": " << result.output;
    EXPECT_THAT(result.output, HasSubstr("Y[0, 0, 0, 0] must be 0.5, it was 0.25, here it is")) << engine;
  }
}

TEST_F(RunScriptOf, AnyOtherEngineTakesAnOnnxBackend) {
  const fs::path script = folder_of("somebody's", line_) / "run.py";
  for (const char* backend : {"onnxruntime.backend", "onnx.backend.test.loader.nobody"}) {
    const ShellRun result = run(script, backend);
    EXPECT_EQ(result.exit_code == 0, std::string(backend) == "onnxruntime.backend") << result.output;
  }
  EXPECT_THAT(run(script, "onnxruntime.backend").output, HasSubstr("must be 0.5"));
  const ShellRun bare = run(script);
  EXPECT_EQ(bare.exit_code, 1);
  EXPECT_THAT(bare.output, HasSubstr("usage: python3 run.py MODULE"));
  EXPECT_THAT(bare.output, Not(HasSubstr("Traceback")));
}

}  // namespace
}  // namespace cellproof::campaign
