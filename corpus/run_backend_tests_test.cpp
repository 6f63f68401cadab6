#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "corpus/backend_test.hpp"
#include "corpus/suite.hpp"
#include "spec/case_text.hpp"
#include "spec/testing/shell_run.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

fs::path root() {
  const char* given = std::getenv("CELLPROOF_ROOT");
  return given != nullptr ? given : CELLPROOF_SOURCE_DIR;
}

/// Runs corpus/run_backend_tests.py in the environment that set-up made for it.
ShellRun run_script(const fs::path& directory) {
  const fs::path python = root() / ".deps/onnx-backend-runner/bin/python";
  const fs::path script = fs::path(CELLPROOF_SOURCE_DIR) / "corpus/run_backend_tests.py";
  return run_in_shell("'" + python.string() + "' '" + script.string() + "' '" + directory.string() + "'");
}

/// One of ONNX's own tests with the outputs that ONNX gives.
BackendTest official(const std::string& name) {
  return read_backend_test(root() / ".deps/backend-tests" / name);
}

void write_again(const BackendTest& test, const fs::path& directory, std::optional<std::string> refuse_clause = {}) {
  const auto& data_set = test.data_sets.at(0);
  write_backend_test(directory, data_set.problem, data_set.outputs, Tolerance{1e-5, 1e-6}, std::move(refuse_clause),
                     to_text(case_of(data_set.problem)));
}

TEST(RunBackendTests, WhatWeWriteRunsInOnnxsRunner) {
  const TemporaryFolder base;
  for (const char* name :
       {"test_lstm_with_peepholes", "test_gru_bidirectional", "test_rnn_seq_length", "test_lstm_batchwise"}) {
    write_again(official(name), base.path() / "deeper" / name);
  }
  const ShellRun run = run_script(base.path());
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("layout 1"));
  EXPECT_THAT(run.output, EndsWith("3 passed, 0 failed, 1 skipped\n"));
}

TEST(RunBackendTests, WrongOutputsFail) {
  const TemporaryFolder base;
  auto test = official("test_gru_seq_length");
  auto& y_h = *test.data_sets.at(0).outputs.at(output::Y_h);
  y_h.set_value(4, y_h.value(4) + 1e-3);
  write_again(test, base.path() / "altered");
  const ShellRun run = run_script(base.path());
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_THAT(run.output, EndsWith("0 passed, 1 failed, 0 skipped\n"));
}

TEST(RunBackendTests, ARefusalIsExpectedWhereDataJsonSaysSo) {
  const TemporaryFolder base;
  for (const auto& [name, c, law, clause] : load_suite("invalid").cases) {
    if (name != "LSTM-22/clip-negative/minus-one") continue;
    write_backend_test(base.path() / "invalid", make_problem(c), {}, std::nullopt, "LSTM-22, attribute clip",
                       to_text(c));
  }
  EXPECT_THAT(run_script(base.path()).output, EndsWith("1 passed, 0 failed, 0 skipped\n"));
  write_again(official("test_gru_seq_length"), base.path() / "valid", "nothing is wrong with it");
  const ShellRun run = run_script(base.path());
  EXPECT_EQ(run.exit_code, 1) << run.output;
  EXPECT_THAT(run.output, EndsWith("1 passed, 1 failed, 0 skipped\n"));
}

TEST(RunBackendTests, NothingToRunIsAnError) {
  const TemporaryFolder base;
  const ShellRun run = run_script(base.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.output, HasSubstr("expected at least one below"));
}

}  // namespace
}  // namespace cellproof::corpus
