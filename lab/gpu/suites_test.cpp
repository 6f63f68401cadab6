#include "lab/gpu/suites.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "lab/command.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

using ::testing::HasSubstr;

/// This process's handler of a signal.
auto handler_of(int number) {
  const auto handler = std::signal(number, SIG_DFL);
  std::signal(number, handler);
  return handler;
}

/// Work that a stopped run has not done must not pass for done, whatever its exit code is.
TEST(GpuSuites, AreNoSuccessWhereTheTimeWasUpAndKeepOtherEnginesRunning) {
  const auto at_interrupt = handler_of(SIGINT), at_termination = handler_of(SIGTERM);
  const TemporaryFolder folder;
  RecordOnDisk disk(folder / "record");
  const std::vector<std::string> present{"cellproof-moon", "cellproof-cuda@host"};
  GpuPart part{disk, present, PartClock(1)};
  EXPECT_EQ(check_these_suites(part, "pairs"), unexpected);
  EXPECT_THAT(disk.record["suites"]["cellproof-moon"].value("failed", ""), HasSubstr("cellproof-moon"));
  const auto& host = disk.record["suites"]["cellproof-cuda@host"];
  EXPECT_TRUE(host.contains("exit_code")) << host;
  ASSERT_FALSE(host["left"].empty());
  EXPECT_THAT(host["left"][0].get<std::string>(), HasSubstr("on cellproof-cuda@host, from "));
  EXPECT_EQ(handler_of(SIGINT), at_interrupt);
  EXPECT_EQ(handler_of(SIGTERM), at_termination);
}

TEST(GpuSuites, AreNoSuccessWhereEveryCaseIsRefused) {
  const TemporaryFolder folder;
  RecordOnDisk disk(folder / "record");
  const std::string worker = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-cudnn-stand-in";
  // Its tests of the backend have no float16, which this arithmetic is for.
  const std::vector<std::string> present{"stand-in='" + worker + "' tensor-op"};
  GpuPart part{disk, present};
  EXPECT_EQ(check_these_suites(part, "onnx-backend"), unexpected);
  EXPECT_EQ(disk.record["suites"][present[0]].value("ran", 9U), 0U);
  EXPECT_EQ(disk.record["suites"][present[0]].value("exit_code", 9), ok);
}

TEST(GpuSuites, GoOnAndSucceedWhereNothingIsLeft) {
  const TemporaryFolder folder;
  RecordOnDisk disk(folder / "record");
  const std::vector<std::string> present{"cellproof-cuda@host"};
  for (int call = 0; call < 2; ++call) {
    GpuPart part{disk, present};
    EXPECT_EQ(check_these_suites(part, "onnx-backend"), ok);
  }
  const auto& host = disk.record["suites"]["cellproof-cuda@host"];
  EXPECT_EQ(host.value("exit_code", -1), ok);
  EXPECT_TRUE(host["left"].empty()) << host;
}

}  // namespace
}  // namespace cellproof::lab
