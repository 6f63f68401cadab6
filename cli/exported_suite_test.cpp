// Exported suites are a corpus for others: ONNX's own backend-test runner, with ONNX Runtime as the backend, must pass
// them wherever we ourselves say that ONNX Runtime conforms. That also tests the rtol and atol that our bound gives
// data.json.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/testing/run_program.hpp"
#include "reports/store.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;

std::set<std::string> conforming_case_lines(const fs::path& store) {
  std::set<std::string> lines;
  for (const Finding& f : reports::Store::open_read_only(store).findings()) {
    if (f.judgement.verdict == Verdict::Conforms) lines.insert(f.case_line);
  }
  return lines;
}

/// Directories below `root` whose data.json holds one of the case lines.
std::vector<std::string> directories_with(const std::set<std::string>& case_lines, const fs::path& root) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(root)) {
    std::ostringstream text;
    text << std::ifstream(entry.path() / "data.json").rdbuf();
    for (const std::string& line : case_lines) {
      if (text.str().find("\"" + line + "\"") != std::string::npos) found.push_back(entry.path().string());
    }
  }
  return found;
}

TEST(ExportedSuite, OnnxsOwnRunnerPassesWhatConforms) {
  const TemporaryFolder folder;
  const ProgramResult run = run_program(
      {"run", "--suite", "smoke", "--shard", "1/8", "--engine", "onnxruntime", "-o", (folder / "report").string()});
  ASSERT_THAT(run.exit_code, testing::AnyOf(0, 1)) << run.err;
  std::set<std::string> lines = conforming_case_lines(folder / "report" / "run.sqlite");
  // ONNX's runner compares float only, and skips what has another type.
  std::erase_if(lines, [](const std::string& line) { return line.find(" type=float ") == std::string::npos; });
  ASSERT_GT(lines.size(), 20U);

  for (const char* version : {"LSTM-7", "GRU-14", "RNN-22"}) {
    const ProgramResult exported =
        run_program({"export", "--suite", "smoke", "--match", version, "-o", (folder / version).string()});
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    std::vector<std::string> command{CELLPROOF_SOURCE_DIR "/.deps/onnx-backend-runner/bin/python",
                                     CELLPROOF_SOURCE_DIR "/corpus/run_backend_tests.py"};
    const std::vector<std::string> directories = directories_with(lines, folder / version / "smoke");
    ASSERT_FALSE(directories.empty()) << version;
    command.insert(command.end(), directories.begin(), directories.end());
    const ProgramResult runner = run_command(command);
    EXPECT_EQ(runner.exit_code, 0) << version << "\n" << runner.out << runner.err;
    EXPECT_THAT(runner.out, testing::HasSubstr(std::to_string(directories.size()) + " passed, 0 failed, 0 skipped"))
        << version;
  }
}

}  // namespace
}  // namespace cellproof::cli
