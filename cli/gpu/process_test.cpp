#include "cli/gpu/process.hpp"

#include <gtest/gtest.h>

namespace cellproof::cli {
namespace {

ProcessEnd shell(const std::string& script, int seconds) {
  return run_bounded({"sh", "-c", script}, "", seconds);
}

TEST(BoundedProcess, TellsHowItEnded) {
  EXPECT_EQ(shell("echo out; echo err >&2; exit 3", 60).exit_code, 3);
  EXPECT_EQ(shell("echo out; echo err >&2; exit 3", 60).output, "out\nerr\n");
  EXPECT_EQ(shell("kill -SEGV $$", 60).exit_code, 128 + 11);
  EXPECT_EQ(shell("kill -KILL $$", 60).exit_code, 128 + 9);
}

TEST(BoundedProcess, TimeIsUpAlsoForWhatDoesNotEndWhenAsked) {
  EXPECT_EQ(shell("sleep 60", 1).exit_code, timed_out_code);
  const ProcessEnd stubborn = shell("trap '' TERM; echo begun; sleep 60; sleep 60", 1);
  EXPECT_EQ(stubborn.exit_code, timed_out_code);
  EXPECT_EQ(stubborn.output, "begun\n");
}

TEST(BoundedProcess, AnObjectIsFoundAmongWhatLibrariesPrint) {
  EXPECT_EQ(json_among("a warning\n{not an object\n{\"a\": 1}\n{\"b\": 2}\n").dump(), "{\"a\":1}");
  EXPECT_TRUE(json_among("").is_null());
  EXPECT_TRUE(json_among("[1]\n").is_null());
}

}  // namespace
}  // namespace cellproof::cli
