#include "spec/files/owner_lock.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "spec/files/regular_file.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof {
namespace {

namespace fs = std::filesystem;

class OwnerLockTest : public testing::Test {
 protected:
  std::string refusal() const {
    try {
      const OwnerLock lock(file_, "folder");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  const fs::path file_ = folder_ / "lock";
};

TEST_F(OwnerLockTest, NamesTheOwnerToASecondOneAndLeavesNothing) {
  std::optional<OwnerLock> lock(std::in_place, file_, "folder");
  EXPECT_EQ(refusal(),
            fmt::format("folder: process {} is writing it, expected another name or that it ends first", ::getpid()));
  EXPECT_EQ(read_regular_file(file_, 100), fmt::format("{}\n", ::getpid())) << "a refused one changes nothing";
  lock.reset();
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_EQ(refusal(), "");
}

TEST_F(OwnerLockTest, OfAKilledOwnerBlocksNobody) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const OwnerLock lock(file_, "folder");
    if (::write(ends[1], "x", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char ready = 0;
  ASSERT_EQ(::read(ends[0], &ready, 1), 1);
  EXPECT_THAT(refusal(), testing::HasSubstr(fmt::format("process {} ", child)));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_TRUE(fs::exists(file_));
  EXPECT_EQ(refusal(), "");
}

TEST_F(OwnerLockTest, FollowsNoLink) {
  std::ofstream(folder_ / "victim") << "precious";
  fs::create_symlink(folder_ / "victim", file_);
  EXPECT_THAT(refusal(), testing::HasSubstr("a symbolic link"));
  EXPECT_EQ(read_regular_file(folder_ / "victim", 100), "precious");
}

TEST_F(OwnerLockTest, IsHeldByOneOfManyAtATime) {
  const fs::path count = folder_ / "count";
  std::ofstream(count) << "0";
  constexpr int processes = 4, turns = 50;
  for (int p = 0; p < processes; ++p) {
    if (::fork() != 0) continue;
    for (int turn = 0; turn < turns;) {
      try {
        const OwnerLock lock(file_, "folder");
        const int before = std::stoi(read_regular_file(count, 100));
        std::ofstream(count) << before + 1;
        ++turn;
      } catch (const std::invalid_argument&) {  // another one's turn
      }
    }
    ::_exit(0);
  }
  int status = 0;
  while (::wait(&status) > 0) EXPECT_EQ(status, 0);
  EXPECT_EQ(read_regular_file(count, 100), std::to_string(processes * turns));
}

}  // namespace
}  // namespace cellproof
