#include "campaign/pipelined_worker.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engines/testing/engines.hpp"

namespace cellproof::campaign {
namespace {

using engines::WorkerEngine;
using engines::testing::hostile_command;
using engines::testing::impatient;
using engines::testing::small_problem;

/// Number of the call, which the counting worker has put into all elements.
double number_in(const Outcome& outcome) {
  return outcome.kind == OutcomeKind::Ran ? outcome.outputs.at(0)->value(0) : -1;
}

TEST(PipelinedWorker, AnswersInOrderWhateverIsAskedInBetween) {
  WorkerEngine engine("hostile", hostile_command("differ"), impatient());
  PipelinedWorker worker(engine);
  EXPECT_THROW(worker.finish(), std::logic_error);
  const Problem problem = small_problem();
  worker.start(WorkerEngine::prepare(problem));
  worker.start(WorkerEngine::prepare(problem));
  EXPECT_EQ(number_in(worker.probe(problem)), 3);
  EXPECT_EQ(number_in(worker.finish()), 1);
  worker.start(WorkerEngine::prepare(problem));
  EXPECT_EQ(number_in(worker.finish()), 2);
  EXPECT_EQ(number_in(worker.finish()), 4);
  EXPECT_THROW(worker.finish(), std::logic_error);
}

TEST(PipelinedWorker, LetsManyThreadsAskWhileItIsKeptBusy) {
  constexpr int cases = 300, askers = 3, questions = 40;
  WorkerEngine engine("hostile", hostile_command("differ"), impatient());
  PipelinedWorker worker(engine);
  const Problem problem = small_problem();
  std::atomic<int> answered = 0;
  std::vector<double> finished;
  {
    std::vector<std::jthread> threads;
    threads.reserve(askers);
    for (int k = 0; k < askers; ++k) {
      threads.emplace_back([&] {
        for (int question = 0; question < questions; ++question) answered += number_in(worker.probe(problem)) > 0;
      });
    }
    worker.start(WorkerEngine::prepare(problem));
    for (int k = 1; k < cases; ++k) {
      worker.start(WorkerEngine::prepare(problem));
      finished.push_back(number_in(worker.finish()));
    }
    finished.push_back(number_in(worker.finish()));
  }
  EXPECT_EQ(answered, askers * questions);
  ASSERT_EQ(finished.size(), static_cast<std::size_t>(cases));
  for (std::size_t k = 1; k < finished.size(); ++k) EXPECT_LT(finished[k - 1], finished[k]);
  EXPECT_GT(finished.front(), 0);
}

/// A worker that dies between two of them has answered a case that the second one has never heard of.
TEST(PipelinedWorker, TakesNoMisdeedOfACaseThatAnotherAsked) {
  WorkerEngine engine("hostile", hostile_command("differ"), impatient());
  EXPECT_EQ(number_in(PipelinedWorker(engine).probe(small_problem())), 1);
  PipelinedWorker second(engine);
  engines::testing::kill_worker();
  EXPECT_TRUE(second.take_late().empty());
  EXPECT_EQ(engine.notes().idle, std::vector<std::string>{"SIGKILL (Killed) after its answer"});
}

}  // namespace
}  // namespace cellproof::campaign
