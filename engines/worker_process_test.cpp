#include "engines/worker_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "engines/keeper/process_tree.hpp"
#include "engines/worker_log.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::engines {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* ten_children = "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1000 & done; echo ready >&4; wait";
/// Forked twice, in a session and a process group of its own.
constexpr const char* a_daemon = "(setsid sh -c 'echo ready >&4; exec sleep 1000' &);";

/// Does it become so within this time?
bool soon(const std::function<bool()>& is_so, milliseconds time = milliseconds(10'000)) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

/// Workers that are shell scripts. Whatever they start is known by a variable of its environment.
class Scripts : public ::testing::Test {
 protected:
  Scripts() { setenv(variable, folder_.path().c_str(), 1); }
  ~Scripts() override {
    unsetenv(variable);
    while (waitpid(-1, nullptr, WNOHANG) > 0) {  // keepers whose harness a test has killed
    }
  }

  static std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

  /// Waits for what a script says when all is started.
  static bool is_ready(const WorkerProcess& worker) {
    pollfd watched{worker.from_worker(), POLLIN, 0};
    char word[16];
    return poll(&watched, 1, 10'000) == 1 && read(worker.from_worker(), word, sizeof word) > 0;
  }

  /// The processes of this test's workers, keepers among them. A zombie has no environment.
  std::vector<std::string> alive() const {
    std::vector<std::string> found;
    const std::string entry = std::string(variable) + "=" + folder_.path().string();
    for (const auto& folder : fs::directory_iterator("/proc")) {
      std::ifstream file(folder.path() / "environ", std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (text.find(entry) == std::string::npos) continue;
      std::string name;
      if (std::getline(std::ifstream(folder.path() / "comm"), name)) found.push_back(name);
    }
    return found;
  }
  bool none_alive() const { return alive().empty(); }

  /// A process that starts such a worker and then waits for what is done to it. Its id.
  static pid_t harness_of(const std::string& script) {
    const Pipe started = make_pipe();
    const pid_t harness = fork();
    if (harness == 0) {
      const WorkerLog log("");
      const WorkerProcess worker(shell(script), log.descriptor());
      const char answer = is_ready(worker) ? 'y' : 'n';
      if (write(started.write_end.number(), &answer, 1) != 1) _exit(1);
      for (;;) pause();
    }
    char answer = 0;
    EXPECT_EQ(read_some(started.read_end.number(), &answer, 1).what, Transfer::Moved);
    EXPECT_EQ(answer, 'y');
    return harness;
  }

  WorkerLog log_{""};

 private:
  static constexpr const char* variable = "CELLPROOF_TEST_FOLDER";
  TemporaryFolder folder_;
};

using WorkerProcesses = Scripts;

TEST_F(WorkerProcesses, SayHowTheyEnd) {
  WorkerProcess exits(shell("exit 3"), log_.descriptor());
  ASSERT_TRUE(exits.ends_within(milliseconds(10'000)));
  EXPECT_EQ(exits.death()->describe(), "exited with code 3");
  EXPECT_EQ(exits.kill().exit_code, 3);
  EXPECT_EQ(exits.end_descriptor(), -1);
  EXPECT_EQ(exits.resident_bytes(), 0U);
  WorkerProcess falls(shell("kill -SEGV $$"), log_.descriptor());
  pollfd end{falls.end_descriptor(), POLLIN, 0};
  ASSERT_EQ(poll(&end, 1, 10'000), 1);
  EXPECT_EQ(falls.death()->describe(), "SIGSEGV (Segmentation fault)");
  EXPECT_THAT(falls.left_behind(), IsEmpty());
  WorkerProcess stays(shell("exec sleep 1000"), log_.descriptor());
  EXPECT_FALSE(stays.death().has_value());
  EXPECT_FALSE(stays.ends_within(milliseconds(20)));
  EXPECT_EQ(stays.kill().describe(), "SIGKILL (Killed)");
  EXPECT_TRUE(none_alive());
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}

TEST_F(WorkerProcesses, StandAloneInAGroupWithNothingButTheirDescriptors) {
  // The shell's own: 10 is the script's, where it needs one; ls has 5 for the folder.
  WorkerProcess worker({"ls", "/proc/self/fd"}, log_.descriptor());
  ASSERT_TRUE(worker.ends_within(milliseconds(10'000)));
  EXPECT_EQ(log_.take(), "0\n1\n2\n3\n4\n5\n");
  WorkerProcess other(shell("cat /proc/$$/stat; ulimit -c"), log_.descriptor());
  ASSERT_TRUE(other.ends_within(milliseconds(10'000)));
  const auto text = log_.take();
  const auto pid = text.substr(0, text.find(' '));
  EXPECT_THAT(text, ::testing::ContainsRegex("^" + pid + " \\(sh\\) . [0-9]+ " + pid + " "));
  EXPECT_THAT(text, ::testing::EndsWith("\n0\n"));
}

TEST_F(WorkerProcesses, TakeTheirHelpersWithThem) {
  for (const char* const end : {"kill", "death"}) {
    WorkerProcess worker(shell(ten_children), log_.descriptor());
    ASSERT_TRUE(is_ready(worker));
    EXPECT_THAT(worker.daemons(), IsEmpty());
    if (end == std::string("kill")) {
      worker.kill();
      EXPECT_THAT(worker.left_behind(), IsEmpty()) << "one that is killed cannot end them";
    } else {
      ASSERT_EQ(kill(children_of(children_of(getpid()).at(0)).at(0), SIGABRT), 0);
      ASSERT_TRUE(worker.ends_within(milliseconds(10'000)));
      EXPECT_EQ(worker.death()->signal, SIGABRT);
      EXPECT_THAT(worker.left_behind(), SizeIs(10));
      EXPECT_THAT(worker.left_behind(), ::testing::Each(::testing::MatchesRegex("sleep \\(pid [0-9]+\\)")));
    }
    EXPECT_TRUE(none_alive());
    EXPECT_TRUE(soon([] { return descendants_of(getpid()).empty(); }))
        << ::testing::PrintToString(descendants_of(getpid()));
  }
}

TEST_F(WorkerProcesses, WhoFollowsSoonIsNotLeftBehind) {
  WorkerProcess worker(shell("sleep 0.01 & exit 0"), log_.descriptor());
  ASSERT_TRUE(worker.ends_within(milliseconds(10'000)));
  EXPECT_THAT(worker.left_behind(), IsEmpty());
}

TEST_F(WorkerProcesses, CountWhatTheyLeaveBehind) {
  WorkerProcess worker(shell("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do sleep 1000 & done"),
                       log_.descriptor());
  ASSERT_TRUE(worker.ends_within(milliseconds(10'000)));
  ASSERT_THAT(worker.left_behind(), SizeIs(17));
  EXPECT_EQ(worker.left_behind().back(), "3 more");
  EXPECT_TRUE(none_alive());
}

TEST_F(WorkerProcesses, DoNotLoseTheirDaemons) {
  const auto only_a_sleep = ElementsAre(StartsWith("sleep (pid "));
  WorkerProcess ends(shell(std::string(a_daemon) + "read word <&3"), log_.descriptor());
  ASSERT_TRUE(is_ready(ends));
  EXPECT_TRUE(soon([&] { return ::testing::Matches(only_a_sleep)(ends.daemons()); }));
  ends.close_requests();
  ASSERT_TRUE(ends.ends_within(milliseconds(10'000)));
  EXPECT_THAT(ends.left_behind(), only_a_sleep);
  EXPECT_THAT(ends.daemons(), IsEmpty());
  EXPECT_TRUE(none_alive());

  WorkerProcess killed(shell(std::string(a_daemon) + "exec sleep 999"), log_.descriptor());
  ASSERT_TRUE(is_ready(killed));
  EXPECT_TRUE(soon([&] { return ::testing::Matches(only_a_sleep)(killed.daemons()); }));
  killed.kill();
  EXPECT_THAT(killed.left_behind(), only_a_sleep);
  EXPECT_TRUE(none_alive());
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}

TEST_F(WorkerProcesses, CountTheMemoryOfTheirDaemons) {
  constexpr std::uint64_t held = 50'000'000;
  WorkerProcess worker(
      shell("(setsid sh -c '(head -c 50000000 /dev/zero; sleep 1000) | tail -c 50000000' &); exec sleep 1000"),
      log_.descriptor());
  EXPECT_TRUE(soon([&] { return worker.resident_bytes() >= held; })) << worker.resident_bytes();
  EXPECT_LT(worker.resident_bytes(), 2 * held);
  worker.kill();
  EXPECT_EQ(worker.resident_bytes(), 0U);
}

TEST_F(WorkerProcesses, DieWithAllThatTheyStartedWhenTheHarnessDies) {
  for (const int how : {SIGKILL, SIGTERM}) {
    for (const std::string& script : {std::string(ten_children), a_daemon + std::string("exec sleep 1000")}) {
      const pid_t harness = harness_of(script);
      EXPECT_GE(alive().size(), 3U);
      ASSERT_EQ(kill(harness, how), 0);
      waitpid(harness, nullptr, 0);
      EXPECT_TRUE(soon([&] { return none_alive(); }, milliseconds(2000))) << ::testing::PrintToString(alive());
    }
  }
}

TEST_F(WorkerProcesses, DieWithTheirKeeperAndSaySo) {
  for (const std::string& script : {std::string(ten_children), a_daemon + std::string("exec sleep 1000")}) {
    WorkerProcess worker(shell(script), log_.descriptor());
    ASSERT_TRUE(is_ready(worker));
    const auto keepers = children_of(getpid());
    ASSERT_THAT(keepers, SizeIs(1));
    ASSERT_EQ(kill(keepers[0], SIGKILL), 0);
    ASSERT_TRUE(worker.ends_within(milliseconds(10'000)));
    EXPECT_EQ(worker.death()->describe(), "its keeper was killed, and it died with it");
    EXPECT_EQ(worker.death()->signal, SIGKILL);
    EXPECT_TRUE(none_alive());
    EXPECT_TRUE(soon([] { return descendants_of(getpid()).empty(); }))
        << ::testing::PrintToString(descendants_of(getpid()));
  }
}

/// A process that is starting a program shows no environment, and this daemon does nothing else.
TEST_F(WorkerProcesses, DieWithTheirKeeperWhileTheyStartAProgram) {
  constexpr const char* restarts =
      "(R='exec sh -c \"$R\"' setsid sh -c 'echo ready >&4; exec sh -c \"$R\"' &); wait;"
      "exec sleep 1000";
  for (int round = 0; round < 40; ++round) {
    WorkerProcess worker(shell(restarts), log_.descriptor());
    ASSERT_TRUE(is_ready(worker));
    ASSERT_EQ(kill(children_of(getpid()).at(0), SIGKILL), 0);
    ASSERT_TRUE(worker.ends_within(milliseconds(10'000)));
    ASSERT_THAT(descendants_of(getpid()), IsEmpty()) << "in round " << round;
  }
}

TEST_F(WorkerProcesses, OfAKilledKeeperLeaveOtherChildrenAlone) {
  const pid_t other = fork();
  if (other == 0) {
    for (;;) pause();
  }
  WorkerProcess worker(shell(ten_children), log_.descriptor());
  ASSERT_TRUE(is_ready(worker));
  for (const pid_t child : children_of(getpid()))
    if (child != other) kill(child, SIGKILL);
  ASSERT_TRUE(worker.ends_within(milliseconds(10'000)));
  EXPECT_THAT(descendants_of(getpid()), ElementsAre(other));
  EXPECT_FALSE(is_ending(other));
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

TEST_F(WorkerProcesses, CannotBeStartedWithoutAReason) {
  const auto complaint_about = [&](const std::vector<std::string>& command) -> std::string {
    try {
      WorkerProcess(command, log_.descriptor());
    } catch (const SpawnError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint_about({"/nonexistent/engine"}), "cannot start /nonexistent/engine: No such file or directory");
  EXPECT_EQ(complaint_about({"/etc/passwd"}), "cannot start /etc/passwd: Permission denied");
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}

}  // namespace
}  // namespace cellproof::engines
