#include "engines/keeper/process_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A child that waits to be killed.
class SleepingChild {
 public:
  SleepingChild() : pid_(fork()) {
    if (pid_ == 0) {
      for (;;) pause();
    }
  }
  SleepingChild(const SleepingChild&) = delete;
  SleepingChild& operator=(const SleepingChild&) = delete;
  ~SleepingChild() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST(ProcessTree, FindsTheSameByListsAndByLookingAtAll) {
  const SleepingChild child;
  for (const bool by_lists : {false, kernel_lists_children()}) {
    EXPECT_THAT(children_of(getpid(), by_lists), ElementsAre(child.pid())) << by_lists;
    EXPECT_THAT(descendants_of(getpid(), by_lists), ElementsAre(child.pid())) << by_lists;
    EXPECT_THAT(descendants_of(child.pid(), by_lists), IsEmpty()) << by_lists;
  }
}

TEST(ProcessTree, FindsWhatAnotherThreadHasForked) {
  std::thread([] {
    const SleepingChild child;
    EXPECT_THAT(descendants_of(getpid()), ElementsAre(child.pid()));
  }).join();
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}

TEST(ProcessTree, TellsWhatBecomesOfAProcess) {
  pid_t gone = -1;
  {
    const SleepingChild child;
    gone = child.pid();
    const auto alive = state_of(gone);
    ASSERT_TRUE(alive);
    EXPECT_EQ(alive->name, state_of(getpid())->name);
    EXPECT_EQ(alive->parent, getpid());
    EXPECT_EQ(alive->group, getpgrp());
    EXPECT_FALSE(alive->has_ended() || is_ending(gone));
    EXPECT_GT(resident_pages(gone), 0U);
    kill(gone, SIGKILL);
    EXPECT_TRUE(is_ending(gone));  // before it runs again, too
    siginfo_t state{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(gone), &state, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(state_of(gone)->has_ended());
    EXPECT_EQ(resident_pages(gone), 0U);
  }
  EXPECT_FALSE(state_of(gone).has_value());
  EXPECT_TRUE(is_ending(gone));
}

}  // namespace
}  // namespace cellproof::engines
