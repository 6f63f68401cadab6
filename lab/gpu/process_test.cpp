#include "lab/gpu/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
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

TEST(BoundedProcess, EndsWithTheOneThatStartedIt) {
  const TemporaryFolder folder;
  const std::string begun = (folder / "begun").string(), went_on = (folder / "went-on").string();
  const pid_t starter = fork();
  if (starter == 0) {
    shell("touch " + begun + "; sleep 1; touch " + went_on, 60);
    _exit(0);
  }
  while (!std::filesystem::exists(begun)) usleep(10'000);
  kill(starter, SIGKILL);
  waitpid(starter, nullptr, 0);
  sleep(2);
  EXPECT_FALSE(std::filesystem::exists(went_on));
}

TEST(BoundedProcess, ReadsItsInputAndTellsWhatCannotBeStarted) {
  const TemporaryFolder folder;
  std::ofstream(folder / "input") << "a line\n";
  EXPECT_EQ(run_bounded({"cat"}, folder / "input", 60).output, "a line\n");
  EXPECT_EQ(run_bounded({"cat"}, "", 60).output, "");
  EXPECT_EQ(run_bounded({"no-such-program"}, "", 60).exit_code, 127);
  EXPECT_EQ(run_bounded({"cat"}, folder / "nowhere", 60).exit_code, 127);
}

TEST(BoundedProcess, AnObjectIsFoundAmongWhatLibrariesPrint) {
  EXPECT_EQ(json_among("a warning\n{not an object\n{\"a\": 1}\n{\"b\": 2}\n").dump(), "{\"a\":1}");
  EXPECT_TRUE(json_among("").is_null());
  EXPECT_TRUE(json_among("[1]\n").is_null());
}

}  // namespace
}  // namespace cellproof::lab
