#include "cli/worker_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "cli/testing/run_program.hpp"

namespace cellproof::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string smallest_line = "cellproof-case/1 op=RNN-14 type=float T=1 N=1 I=1 H=1";
/// An engine that rejects each model, with the names of some variables that it sees.
const std::string telling_engine =
    "hostile=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile environment";

TEST(WorkerOptions, AreReadAndRefusedAlikeByAllCommandsThatDriveEngines) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "--suite", "onnx-backend", "-o", "/nonexistent/report"},
        {"replay", smallest_line},
        {"reduce", smallest_line, "-o", "/nonexistent/smaller"},
        {"fuzz", "--time", "1", "-o", "/nonexistent/report"}}) {
    for (const auto& [options, complaint] :
         {std::pair<std::vector<std::string>, std::string>{{"--engine-env", "A"},
                                                           "--engine-env A: expected --clean-env"},
          {{"--clean-env", "--engine-env", "A=b"}, "--engine-env A=b: expected the NAME"},
          {{"--case-timeout", "0"}, "--case-timeout 0: expected seconds"}}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--engine", telling_engine});
      words.insert(words.end(), options.begin(), options.end());
      const ProgramResult result = run_program(words);
      EXPECT_EQ(result.exit_code, 2) << result.out;
      EXPECT_THAT(result.err, HasSubstr(complaint));
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
  }
}

TEST(WorkerOptions, GiveALargeModelMoreTimeUnlessTheUserLimitsIt) {
  using std::chrono::seconds;
  WorkerArguments arguments;
  EXPECT_EQ(worker_options_for_model(arguments, 1000).case_timeout, seconds(20));
  EXPECT_EQ(worker_options_for_model(arguments, std::size_t{1} << 30).case_timeout, seconds(20 + 64));
  arguments.case_timeout = 5;
  EXPECT_EQ(worker_options_for_model(arguments, std::size_t{1} << 30).case_timeout, seconds(5));
}

TEST(WorkerOptions, CleanTheEnvironmentOfAnEngine) {
  const auto seen = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"replay", smallest_line, "--engine", telling_engine});
    return run_program(options, {{"GH_TOKEN", "a secret"}}).out;
  };
  EXPECT_THAT(seen({}), AllOf(HasSubstr("GH_TOKEN"), HasSubstr("PATH")));
  EXPECT_THAT(seen({"--clean-env"}), AllOf(Not(HasSubstr("GH_TOKEN")), HasSubstr("PATH")));
  EXPECT_THAT(seen({"--clean-env", "--engine-env", "A", "--engine-env", "GH_TOKEN"}), HasSubstr("GH_TOKEN"));
}

}  // namespace
}  // namespace cellproof::cli
