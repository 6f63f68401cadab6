#include "engines/worker_engine.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "engines/file_descriptor.hpp"
#include "engines/same_outputs.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::hostile_command;
using testing::impatient;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::OnceFile;
using ::testing::SizeIs;
using testing::small_problem;

TEST(WorkerEngine, PrintingDisturbsNothing) {
  WorkerEngine engine("hostile", hostile_command("print"), impatient());
  for (int k = 0; k < 3; ++k) {
    const Outcome outcome = engine.run(small_problem());
    EXPECT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message;
  }
  const auto log = engine.take_log();
  EXPECT_THAT(log, HasSubstr("line 99999 of an engine"));
  EXPECT_LE(log.size(), std::size_t{64} << 10);
  EXPECT_EQ(engine.take_log(), "");
}

TEST(WorkerEngine, TheLogGoesToAFileWhenAsked) {
  const OnceFile file;
  auto options = impatient();
  options.log_file = file.path();
  WorkerEngine engine("hostile", hostile_command("segfault"), options);
  EXPECT_THAT(engine.run(small_problem()).message, HasSubstr("about to fall"));
  std::stringstream text;
  text << std::ifstream(file.path()).rdbuf();
  EXPECT_EQ(text.str(), "about to fall\n");
  EXPECT_EQ(engine.take_log(), "about to fall\n");
  options.log_file = "/nonexistent/folder/log";
  EXPECT_THROW(WorkerEngine("hostile", hostile_command("behave"), options), std::invalid_argument);
}

TEST(WorkerEngine, ChangedInputsAreMisconduct) {
  WorkerEngine engine("hostile", hostile_command("change-inputs"), impatient());
  const Outcome outcome = engine.run(small_problem());
  EXPECT_EQ(outcome.kind, OutcomeKind::Ran);
  EXPECT_THAT(outcome.misconduct, ElementsAre(Misconduct::ChangedInputs));
}

TEST(WorkerEngine, OutputsComeBackExactlyAsReturned) {
  WorkerEngine type("hostile", hostile_command("wrong-type"), impatient());
  EXPECT_EQ(type.run(small_problem()).outputs.at(2)->type(), ElementType::Double);
  WorkerEngine shape("hostile", hostile_command("wrong-shape"), impatient());
  EXPECT_EQ(shape.run(small_problem()).outputs.at(0)->shape(), (Shape{3, 2}));
  WorkerEngine few("hostile", hostile_command("too-few-outputs"), impatient());
  const Outcome fewer = few.run(small_problem());
  ASSERT_THAT(fewer.outputs, SizeIs(3));
  EXPECT_TRUE(fewer.outputs[0].has_value());
  EXPECT_FALSE(fewer.outputs[1].has_value());
  EXPECT_EQ(fewer.message, "answered with 1 outputs where 3 were asked for");
  WorkerEngine many("hostile", hostile_command("too-many-outputs"), impatient());
  const Outcome more = many.run(small_problem());
  EXPECT_THAT(more.outputs, SizeIs(4));
  EXPECT_EQ(more.message, "answered with 4 outputs where 3 were asked for");
}

TEST(WorkerEngine, OutputsGoToTheirPositions) {
  auto problem = small_problem();
  problem.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  WorkerEngine engine("hostile", hostile_command("behave"), impatient());
  const Outcome outcome = engine.run(problem);
  ASSERT_THAT(outcome.outputs, SizeIs(3));
  EXPECT_FALSE(outcome.outputs[0].has_value());
  EXPECT_TRUE(outcome.outputs[1].has_value() && outcome.outputs[2].has_value());
}

TEST(WorkerEngine, ADifferenceOnRepeatIsSeen) {
  WorkerEngine differing("hostile", hostile_command("differ"), impatient());
  EXPECT_FALSE(same_outputs(differing.run(small_problem()), differing.run(small_problem())));
  WorkerEngine steady("hostile", hostile_command("behave"), impatient());
  EXPECT_TRUE(same_outputs(steady.run(small_problem()), steady.run(small_problem())));
}

TEST(WorkerEngine, SomeCasesMayBeStartedAndNoMore) {
  WorkerEngine engine("hostile", hostile_command("differ"), impatient());
  EXPECT_THROW(engine.finish(), std::logic_error);
  for (std::size_t k = 0; k < WorkerEngine::most_in_flight; ++k) engine.start(small_problem());
  EXPECT_THROW(engine.start(small_problem()), std::logic_error);
  EXPECT_THROW(engine.supports(small_problem()), std::logic_error);
  EXPECT_EQ(engine.describe().version, "1");  // may be asked, and disturbs nothing
  EXPECT_EQ(engine.finish().outputs.at(0)->value(0), 1);
  engine.start(small_problem());
  for (std::size_t k = 0; k < WorkerEngine::most_in_flight; ++k)
    EXPECT_EQ(engine.finish().outputs.at(0)->value(0), static_cast<double>(k + 2));  // the answers come in order
  EXPECT_THROW(engine.finish(), std::logic_error);
}

TEST(WorkerEngine, TroubleWithACaseLeavesTheOneSentAheadAlone) {
  for (const char* how : {"", "forks"}) {
    for (const auto& [mode, kind] :
         {std::pair{"segfault", OutcomeKind::Crashed}, std::pair{"exit-3", OutcomeKind::Crashed},
          std::pair{"hang", OutcomeKind::TimedOut}, std::pair{"garbage", OutcomeKind::Crashed}}) {
      const OnceFile once;
      WorkerEngine engine("hostile", hostile_command(mode, once.path(), how), impatient());
      engine.start(small_problem());
      engine.start(small_problem());
      EXPECT_EQ(engine.finish().kind, kind) << mode << how;
      engine.start(small_problem());
      for (int k = 0; k < 2; ++k) {
        const Outcome outcome = engine.finish();
        EXPECT_EQ(outcome.kind, OutcomeKind::Ran) << mode << how << ": " << outcome.message;
      }
    }
  }
}

TEST(WorkerEngine, TroubleWithACaseSentAheadIsNamedAsAlone) {
  WorkerEngine engine("hostile", hostile_command("segfault"), impatient());
  engine.start(small_problem());
  for (int k = 0; k < 3; ++k) {
    engine.start(small_problem());
    const Outcome outcome = engine.finish();
    EXPECT_EQ(outcome.kind, OutcomeKind::Crashed);
    EXPECT_THAT(outcome.message, HasSubstr("SIGSEGV"));
    EXPECT_THAT(outcome.message, HasSubstr("about to fall"));
  }
  EXPECT_EQ(engine.finish().kind, OutcomeKind::Crashed);
}

TEST(WorkerEngine, ACrashIsToldInItsOwnWords) {
  for (const char* how : {"", "forks"}) {
    WorkerEngine engine("hostile", hostile_command("chatter-then-segfault", "", how), impatient());
    for (int k = 0; k < 4; ++k) engine.start(small_problem());
    for (int k = 0; k < 2; ++k) EXPECT_EQ(engine.finish().kind, OutcomeKind::Ran) << how;
    std::this_thread::sleep_for(milliseconds(300));  // by now the next fork has printed, too: its call 1
    const Outcome outcome = engine.finish();
    EXPECT_EQ(outcome.kind, OutcomeKind::Crashed);
    EXPECT_THAT(outcome.message, HasSubstr("words of call 3"));
    EXPECT_THAT(outcome.message, Not(HasSubstr("words of call 2")));
    EXPECT_THAT(outcome.message, Not(HasSubstr("words of call 1"))) << how;
    EXPECT_EQ(engine.finish().kind, OutcomeKind::Ran) << how;
  }
}

TEST(WorkerEngine, ACrashIsToldInItsOwnWordsAlsoWhenTheLogWasCut) {
  WorkerEngine engine("hostile", hostile_command("flood-then-segfault", "", "forks"), impatient());
  EXPECT_EQ(engine.run(small_problem()).kind, OutcomeKind::Ran);
  EXPECT_TRUE(engine.supports(small_problem()).supported);  // the log is too long by now
  auto unsendable = small_problem();
  unsendable.inputs[input::X].tensor.reset();
  engine.start(unsendable);
  engine.start(small_problem());
  EXPECT_EQ(engine.finish().kind, OutcomeKind::HarnessError);
  const Outcome outcome = engine.finish();
  EXPECT_EQ(outcome.kind, OutcomeKind::Crashed);
  EXPECT_THAT(outcome.message, HasSubstr("words after the flood"));
}

TEST(WorkerEngine, ASecondAnswerIsChargedToItsOwnCase) {
  for (const char* mode : {"answer-again", "answer-again-later"}) {
    const OnceFile once;
    WorkerEngine engine("hostile", hostile_command(mode, once.path()), impatient());
    engine.start(small_problem());
    engine.start(small_problem());
    const Outcome first = engine.finish();
    EXPECT_EQ(first.kind, OutcomeKind::Crashed) << mode;
    EXPECT_THAT(first.message, HasSubstr("wrote more than one answer"));
    for (int k = 0; k < 3; ++k) {
      engine.start(small_problem());
      const Outcome next = engine.finish();
      EXPECT_EQ(next.kind, OutcomeKind::Ran) << mode << ": " << next.message;
      EXPECT_EQ(next.outputs.at(0)->value(0), 1) << mode << " " << k;
    }
    engine.finish();
    EXPECT_THAT(engine.take_late(), IsEmpty());
  }
}

TEST(WorkerEngine, ALateAnswerIsChargedToTheCaseWhoseNumberItBears) {
  const OnceFile once;
  WorkerEngine engine("hostile", hostile_command("answer-again-in-the-next", once.path()), impatient());
  const auto guilty = engine.start(small_problem());
  for (int k = 0; k < 4; ++k) engine.start(small_problem());
  for (int k = 0; k < 5; ++k) {
    const Outcome outcome = engine.finish();
    EXPECT_EQ(outcome.kind, OutcomeKind::Ran) << k << ": " << outcome.message;
  }
  const auto late = engine.take_late();
  ASSERT_THAT(late, SizeIs(1));
  EXPECT_EQ(late[0].number, guilty);
  EXPECT_EQ(late[0].outcome.kind, OutcomeKind::Crashed);
  EXPECT_EQ(late[0].outcome.message, "answered a second time");
  EXPECT_THAT(engine.take_late(), IsEmpty());
}

TEST(WorkerEngine, AnEarlyAnswerIsChargedToTheCaseWhoseNumberItBears) {
  const OnceFile once;
  WorkerEngine engine("hostile", hostile_command("answer-the-next-first", once.path()), impatient());
  for (int k = 0; k < 4; ++k) engine.start(small_problem());
  for (int k = 0; k < 4; ++k) {
    const Outcome outcome = engine.finish();
    EXPECT_EQ(outcome.kind, k == 1 ? OutcomeKind::Crashed : OutcomeKind::Ran) << k << ": " << outcome.message;
    EXPECT_EQ(outcome.message, k == 1 ? "answered before the case in front of it" : "");
  }
  EXPECT_THAT(engine.take_late(), IsEmpty());
}

TEST(WorkerEngine, ADeathBehindTheAnswerIsChargedToTheCaseThatWasAnswered) {
  for (const auto& [mode, words] : {std::pair{"die-behind-the-answer", "SIGSEGV (Segmentation fault) after its answer"},
                                    std::pair{"exit-behind-the-answer", "exited with code 3 after its answer"},
                                    std::pair{"garbage-behind-the-answer", "wrote \"oops, and more"}}) {
    const OnceFile once;
    WorkerEngine engine("hostile", hostile_command(mode, once.path()), impatient());
    for (int k = 0; k < 4; ++k) engine.start(small_problem());
    for (int k = 0; k < 4; ++k) {
      const Outcome outcome = engine.finish();
      EXPECT_EQ(outcome.kind, k == 0 ? OutcomeKind::Crashed : OutcomeKind::Ran) << k << ": " << outcome.message;
      EXPECT_THAT(outcome.message, HasSubstr(k == 0 ? words : ""));
    }
  }
}

TEST(WorkerEngine, NotesADeathThatNobodyTakes) {
  WorkerEngine engine("hostile", hostile_command("differ"), impatient());
  engine.run(small_problem());
  testing::kill_worker();
  EXPECT_EQ(engine.end(), "SIGKILL (Killed) after its answer");
  engine.run(small_problem());
  EXPECT_THAT(engine.notes().idle, IsEmpty());
  testing::kill_worker();
  for (int k = 0; k < 2; ++k)
    EXPECT_THAT(engine.notes().idle, ElementsAre("SIGKILL (Killed) after its answer")) << "once is enough";
  EXPECT_THAT(engine.take_late(), IsEmpty());
  EXPECT_EQ(engine.end(), "");
}

TEST(WorkerEngine, ADeathOfAnIdleWorkerIsChargedToItsLastCase) {
  WorkerEngine engine("hostile", hostile_command("differ"), impatient());
  engine.run(small_problem());
  const auto last = engine.start(small_problem());
  EXPECT_EQ(engine.finish().kind, OutcomeKind::Ran);
  EXPECT_THAT(engine.take_late(), IsEmpty());
  testing::kill_worker();
  const std::vector<LateMisdeed> late = engine.take_late();
  ASSERT_THAT(late, SizeIs(1));
  EXPECT_EQ(late[0].number, last);
  EXPECT_EQ(late[0].outcome.signal, SIGKILL);
  EXPECT_THAT(late[0].outcome.message, HasSubstr("SIGKILL (Killed) after its answer"));
  EXPECT_EQ(engine.run(small_problem()).outputs.at(0)->value(0), 1);  // of a new process
}

TEST(WorkerEngine, ACaseSentAheadHasItsOwnTime) {
  auto options = impatient();
  options.case_timeout = milliseconds(300);
  WorkerEngine engine("hostile", hostile_command("slow"), options);
  engine.describe();
  engine.start(small_problem());
  engine.start(small_problem());
  EXPECT_EQ(engine.finish().kind, OutcomeKind::Ran);
  EXPECT_EQ(engine.finish().kind, OutcomeKind::Ran);
}

TEST(WorkerEngine, ACaseOfManyProductsHasMoreTimeUnlessTheLimitIsFixed) {
  const Problem many =  // (100 * 100 + 100 * 100) weights at 600 steps: 12 million products
      make_problem(plain_case({Operator::RNN, 14}, ElementType::Float, 600, 1, 100, 100));
  auto options = impatient();
  options.case_timeout = milliseconds(100);  // "slow" takes 200 ms
  const auto kind_of = [&](const Problem& problem) {
    WorkerEngine engine("hostile", hostile_command("slow"), options);
    engine.describe();
    return engine.run(problem).kind;
  };
  EXPECT_EQ(kind_of(many), OutcomeKind::Ran);
  EXPECT_EQ(kind_of(small_problem()), OutcomeKind::TimedOut);
  options.is_case_timeout_fixed = true;
  EXPECT_EQ(kind_of(many), OutcomeKind::TimedOut);
}

TEST(WorkerEngine, AFinishedCaseIsNotLateBecauseTheCallerIs) {
  auto options = impatient();
  options.case_timeout = milliseconds(300);
  WorkerEngine engine("hostile", hostile_command("behave"), options);
  engine.describe();
  engine.start(small_problem());
  std::this_thread::sleep_for(milliseconds(900));
  EXPECT_EQ(engine.finish().kind, OutcomeKind::Ran);
}

TEST(WorkerEngine, ARequestLargerThanThePipeGoesThrough) {
  const auto problem =
      make_problem(plain_case({Operator::RNN, 14}, ElementType::Float, 1, 1, 900, 900));  // 6 MB of weights
  auto options = impatient();
  options.case_timeout = milliseconds(10'000);
  WorkerEngine engine("hostile", hostile_command("behave"), options);
  EXPECT_EQ(engine.run(problem).kind, OutcomeKind::Ran);
  WorkerEngine gone("hostile", hostile_command("crash-at-start"), options);
  EXPECT_EQ(gone.run(problem).kind, OutcomeKind::Crashed);  // and SIGPIPE has not killed this process
}

TEST(WorkerEngine, AProblemThatCannotBeSentIsTheHarnessesError) {
  auto problem = small_problem();
  problem.inputs[input::X].tensor.reset();
  WorkerEngine engine("hostile", hostile_command("behave"), impatient());
  EXPECT_EQ(engine.run(problem).kind, OutcomeKind::HarnessError);
  EXPECT_EQ(engine.run(small_problem()).kind, OutcomeKind::Ran);
}

}  // namespace
}  // namespace cellproof::engines
