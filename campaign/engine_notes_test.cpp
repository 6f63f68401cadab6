#include "campaign/engine_notes.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof::campaign {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(EngineNotes, SayWhatWorkersDidOutsideOfCases) {
  engines::WorkerNotes calm, first, second;
  EXPECT_THAT(notes_of(std::vector{calm, calm}), IsEmpty());
  first.memory_growth = 2048;
  first.failed_starts = 1;
  first.start_failure = "SIGSEGV (Segmentation fault)";
  second.memory_growth = 1024;
  first.idle = {"exited with code 3 after its answer"};
  second.idle = {"SIGKILL (Killed) after its answer", "SIGKILL (Killed) after its answer"};
  second.left_behind = {"sleep (pid 123)", "cat (pid 124)"};
  EXPECT_THAT(
      notes_of(std::vector{first, calm, second}),
      ElementsAre(Pair(EngineNote::Memory, "a worker's memory grew by 2 KiB a case, from beginning to end"),
                  Pair(EngineNote::Starts,
                       "1 of its workers did not start and was started again; the last: SIGSEGV (Segmentation fault)"),
                  Pair(EngineNote::Idle,
                       "of workers that nothing was asked of, and so of no case: SIGKILL (Killed) after its answer (2 "
                       "times); exited with code 3 after its answer"),
                  Pair(EngineNote::LeftBehind,
                       "processes that outlived what started them, and were killed: sleep (pid 123), cat (pid 124)")));
}

/// So many cases of one size, each taking so long.
std::vector<Finding> cases(std::size_t count, double seconds, int hidden) {
  std::vector<Finding> findings(count);
  for (std::size_t k = 0; k < count; ++k) {
    findings[k].suite = "some";
    findings[k].number = static_cast<std::int64_t>(k);
    findings[k].version = {Operator::GRU, 22};
    findings[k].case_line = fmt::format("cellproof-case/1 op=GRU-22 type=float T=3 N=2 I=4 H={}", hidden);
    findings[k].outcome = OutcomeKind::Ran;
    findings[k].timings.run = seconds;
  }
  return findings;
}

TEST(EngineNotes, NameACaseThatTakesFarLongerThanItsLike) {
  std::vector<Finding> findings = cases(20, 0.01, 5);
  EXPECT_THAT(notes_of(findings), IsEmpty());
  findings[7].timings.run = 2;
  EXPECT_THAT(notes_of(findings),
              ElementsAre(Pair(EngineNote::Slow,
                               "1 case took far longer than cases of their operator and size: some number 7: 2 s, "
                               "others 0.01 s")));
}

TEST(EngineNotes, CallNoCaseSlowForItsSizeOrWithoutEnoughOfItsLike) {
  std::vector<Finding> findings = cases(20, 0.01, 5);
  for (const Finding& large : cases(20, 2, 500)) findings.push_back(large);
  EXPECT_THAT(notes_of(findings), IsEmpty());
  std::vector<Finding> few = cases(5, 0.01, 5);
  few[0].timings.run = 2;
  EXPECT_THAT(notes_of(few), IsEmpty());
  std::vector<Finding> quick = cases(20, 0.0001, 5);
  quick[3].timings.run = 0.1;
  EXPECT_THAT(notes_of(quick), IsEmpty());
}

TEST(EngineNotes, SayHowMuchOfWhatIsDeployedWorks) {
  std::vector<Finding> findings = cases(4, 0.01, 5);
  for (Finding& finding : findings) finding.suite = "deployed";
  findings[0].pass = findings[1].pass = true;
  findings[2].outcome = OutcomeKind::NotSupported;
  findings[3].outcome = OutcomeKind::Crashed;
  findings.push_back(cases(1, 0.01, 5).front());
  EXPECT_THAT(notes_of(findings),
              ElementsAre(Pair(EngineNote::Deployed,
                               "2 of 4 nodes as published models have them work (refused: 1, failing: 1)")));
}

}  // namespace
}  // namespace cellproof::campaign
