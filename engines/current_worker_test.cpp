#include "engines/current_worker.hpp"

#include <dirent.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "engines/file_descriptor.hpp"
#include "engines/keeper/process_tree.hpp"
#include "engines/spawn.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::hostile_command;
using testing::impatient;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::OnceFile;
using ::testing::SizeIs;
using testing::small_problem;

TEST(CurrentWorker, ADeathAtItsEndIsReported) {
  WorkerEngine peaceful("hostile", hostile_command("behave"), impatient());
  EXPECT_EQ(peaceful.run(small_problem()).kind, OutcomeKind::Ran);
  EXPECT_EQ(peaceful.end(), "");
  WorkerEngine engine("hostile", hostile_command("segfault-at-end"), impatient());
  EXPECT_EQ(engine.run(small_problem()).kind, OutcomeKind::Ran);
  EXPECT_EQ(engine.end(), "SIGSEGV (Segmentation fault)");
  EXPECT_EQ(engine.end(), "") << "once is enough";
  EXPECT_EQ(engine.run(small_problem()).kind, OutcomeKind::Ran) << "and it can be started again";
}

TEST(CurrentWorker, AbsenceIsNoCrash) {
  WorkerEngine uninstalled("hostile", hostile_command("absent"), impatient());
  EXPECT_EQ(uninstalled.absence(), "libfancy.so is not installed");
  EXPECT_EQ(uninstalled.describe().version, "");
  EXPECT_EQ(uninstalled.run(small_problem()).kind, OutcomeKind::EngineAbsent);

  WorkerEngine nowhere("nowhere", {"/nonexistent/engine"}, impatient());
  EXPECT_THAT(nowhere.absence(), HasSubstr("cannot start /nonexistent/engine: No such file or directory"));
  EXPECT_EQ(nowhere.run(small_problem()).kind, OutcomeKind::EngineAbsent);
  EXPECT_THAT(WorkerEngine("x", {"cellproof-no-such-program"}, impatient()).absence(),
              HasSubstr("no such program in PATH"));
  EXPECT_THAT(WorkerEngine("x", {"/etc/passwd"}, impatient()).absence(), HasSubstr("Permission denied"));

  EXPECT_THAT(WorkerEngine("x", hostile_command("other-protocol"), impatient()).absence(),
              HasSubstr("version 2 of the worker protocol"));
  EXPECT_THAT(WorkerEngine("x", hostile_command("unknown-contract"), impatient()).absence(), HasSubstr("\"vague\""));
}

TEST(CurrentWorker, TroubleAtTheStartIsNamedAndNotRepeatedForever) {
  auto options = impatient();
  options.start_timeout = milliseconds(200);
  for (const auto& [mode, kind, part] : {std::tuple{"crash-at-start", OutcomeKind::Crashed, "SIGSEGV"},
                                         std::tuple{"hang-at-start", OutcomeKind::TimedOut, "no answer within 0.2 s"},
                                         std::tuple{"garbage-at-start", OutcomeKind::Crashed, "is no frame"}}) {
    WorkerEngine engine("hostile", hostile_command(mode), options);
    for (int run = 0; run < 3; ++run) {
      const Outcome outcome = engine.run(small_problem());
      EXPECT_EQ(outcome.kind, kind) << mode;
      EXPECT_THAT(outcome.message, HasSubstr(part));
      EXPECT_THAT(outcome.message, HasSubstr("at its start: "));
    }
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(engine.run(small_problem()).kind, kind);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(100)) << mode;
    EXPECT_EQ(engine.absence(), "");
    EXPECT_EQ(engine.describe().version, "");
    EXPECT_TRUE(engine.supports(small_problem()).supported);
  }
}

TEST(CurrentWorker, MayBeWarmedUpWithoutSayingWhatGoesWrong) {
  WorkerEngine good("hostile", hostile_command("behave"), impatient());
  good.warm_up();
  good.warm_up();
  EXPECT_EQ(good.describe().version, "1");
  EXPECT_EQ(good.run(small_problem()).kind, OutcomeKind::Ran);
  WorkerEngine absent("hostile", hostile_command("absent"), impatient());
  absent.warm_up();
  EXPECT_EQ(absent.absence(), "libfancy.so is not installed");
  WorkerEngine nowhere("nowhere", {"/nonexistent/engine"}, impatient());
  nowhere.warm_up();
  EXPECT_THAT(nowhere.absence(), HasSubstr("No such file or directory"));
  WorkerEngine falling("hostile", hostile_command("crash-at-start"), impatient());
  falling.warm_up();
  EXPECT_THAT(falling.run(small_problem()).message, HasSubstr("at its start: "));
  WorkerEngine unused("hostile", hostile_command("hang-at-start"), impatient());
  unused.warm_up();
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

TEST(CurrentWorker, LeavesNoDescriptorsZombiesOrOrphans) {
  { WorkerEngine("hostile", hostile_command("behave"), impatient()).run(small_problem()); }
  const auto before = open_descriptors();
  for (const auto* const mode :
       {"behave", "segfault", "hang-with-child", "die-with-child", "garbage", "absent", "hang-at-start"}) {
    auto options = impatient();
    options.start_timeout = options.case_timeout = milliseconds(100);
    WorkerEngine engine("hostile", hostile_command(mode), options);
    engine.run(small_problem());
    engine.run(small_problem());
  }
  {
    WorkerEngine abandoned("hostile", hostile_command("hang"), impatient());
    abandoned.start(small_problem());
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());  // whatever else there was would have come here
}

TEST(CurrentWorker, AWorkerOutlivesTheThreadThatStartedIt) {
  WorkerEngine engine("hostile", hostile_command("differ"), impatient());
  std::thread([&] { EXPECT_EQ(engine.run(small_problem()).outputs.at(0)->value(0), 1); }).join();
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(engine.run(small_problem()).outputs.at(0)->value(0), 2);  // still the same process
}

TEST(CurrentWorker, AWorkerThatIsAHarnessTakesItsOwnWorkersWithIt) {
  const Pipe output = make_pipe();
  Spawned harness = spawn_worker(hostile_command("harness"), output.write_end.number());
  char piece[16];
  ASSERT_EQ(read_some(output.read_end.number(), piece, sizeof piece).what, Transfer::Moved);
  EXPECT_THAT(descendants_of(harness.worker), SizeIs(2));  // a keeper and a worker
  EXPECT_EQ(::kill(harness.worker, SIGKILL), 0);
  waitpid(harness.keeper, nullptr, 0);
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}

TEST(CurrentWorker, AKilledKeeperIsNamedAndTheNextRunWorks) {
  const OnceFile once;
  WorkerEngine engine("hostile", hostile_command("kill-keeper", once.path()), impatient());
  const Outcome outcome = engine.run(small_problem());
  EXPECT_EQ(outcome.kind, OutcomeKind::Crashed);
  EXPECT_THAT(outcome.message, HasSubstr("its keeper was killed"));
  EXPECT_EQ(engine.run(small_problem()).kind, OutcomeKind::Ran);
}

TEST(CurrentWorker, ADaemonsMemoryCountsAndItEndsWithTheWorker) {
  auto options = impatient();
  options.case_timeout = milliseconds(10'000);
  WorkerEngine engine("hostile", hostile_command("daemon-eats-memory"), options);
  const Outcome outcome = engine.run(small_problem());
  EXPECT_EQ(outcome.kind, OutcomeKind::OutOfMemory) << outcome.message;
  EXPECT_THAT(descendants_of(getpid()), IsEmpty());
}

#ifndef __SANITIZE_ADDRESS__  // its heap is another
TEST(CurrentWorker, FreshMemoryHoldsTheByteAskedFor) {
  for (const std::uint8_t fill : std::initializer_list<std::uint8_t>{0x00, 0x5a, 0xa5, 0xfe}) {
    WorkerOptions options;
    options.environment.fill = fill;
    WorkerEngine engine("hostile", hostile_command("fresh-memory"), options);
    const Outcome outcome = engine.run(small_problem());
    ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message;
    EXPECT_EQ(outcome.outputs.at(0)->value(0), fill);
  }
}
#endif

TEST(CurrentWorker, AWorkersEnvironmentIsCleanWhereAskedFor) {
  setenv("GH_TOKEN", "a secret", 1);
  WorkerOptions options;
  const auto names = [&] {
    return WorkerEngine("hostile", hostile_command("environment"), options).run(small_problem()).message;
  };
  EXPECT_THAT(names(), HasSubstr("GH_TOKEN PATH"));
  options.environment.clean = true;
  EXPECT_THAT(names(), AllOf(Not(HasSubstr("GH_TOKEN")), HasSubstr("CELLPROOF_HARNESS"), HasSubstr("PATH")));
  options.environment.passed = {"GH_TOKEN"};
  EXPECT_THAT(names(), HasSubstr("GH_TOKEN PATH"));
  unsetenv("GH_TOKEN");
}

}  // namespace
}  // namespace cellproof::engines
