#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::hostile_command;
using testing::impatient;
using ::testing::IsEmpty;
using testing::OnceFile;
using ::testing::SizeIs;
using testing::small_problem;

/// Something that a worker does, and what must be said of it.
struct Deed {
  const char* mode;
  OutcomeKind kind;
  int signal;
  const char* message;  ///< a part of it
};

void PrintTo(const Deed& deed, std::ostream* out) {
  *out << deed.mode;
}

void expect_named(const Deed& deed, const std::string& how) {
  const OnceFile once;
  auto options = impatient();
  // A deed that must be answered at once is not to be confused with a time-out.
  if (deed.kind != OutcomeKind::TimedOut) options.case_timeout = milliseconds(10'000);
  WorkerEngine engine("hostile", hostile_command(deed.mode, once.path(), how), options);
  const Outcome outcome = engine.run(small_problem());
  EXPECT_EQ(outcome.kind, deed.kind) << outcome.message;
  EXPECT_EQ(outcome.signal, deed.signal) << outcome.message;
  EXPECT_THAT(outcome.message, HasSubstr(deed.message));
  EXPECT_EQ(outcome.message.find('\n'), std::string::npos);
  EXPECT_THAT(outcome.outputs, IsEmpty());

  const Outcome next = engine.run(small_problem());
  EXPECT_EQ(next.kind, OutcomeKind::Ran) << next.message;
  EXPECT_THAT(next.outputs, SizeIs(3));
  EXPECT_THAT(next.misconduct, IsEmpty());
}

std::string test_name(const ::testing::TestParamInfo<Deed>& test) {
  std::string name = test.param.mode;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class Misbehaviour : public ::testing::TestWithParam<Deed> {};
class MisbehaviourInForks : public ::testing::TestWithParam<Deed> {};

TEST_P(Misbehaviour, IsNamedAndTheNextRunWorks) {
  expect_named(GetParam(), "");
}

/// The same of a worker that computes in forks of itself.
TEST_P(MisbehaviourInForks, IsNamedAndTheNextRunWorks) {
  expect_named(GetParam(), "forks");
}

const Deed deeds[] = {
    Deed{"segfault", OutcomeKind::Crashed, SIGSEGV, "SIGSEGV (Segmentation fault); it printed: about to fall"},
    Deed{"abort", OutcomeKind::Crashed, SIGABRT, "SIGABRT"},
    Deed{"throw", OutcomeKind::Crashed, SIGABRT, "the engine's own trouble"},
    Deed{"exit", OutcomeKind::Crashed, 0, "exited with code 0 without answering"},
    Deed{"exit-3", OutcomeKind::Crashed, 0, "exited with code 3 without answering"},
    Deed{"killed", OutcomeKind::Crashed, SIGKILL, "SIGKILL"},
    Deed{"hang", OutcomeKind::TimedOut, 0, "no answer within 0.4 s"},
    Deed{"hang-with-child", OutcomeKind::TimedOut, 0, "no answer within 0.4 s"},
    Deed{"eat-memory", OutcomeKind::OutOfMemory, 0, "512 MiB are the limit"},
    Deed{"bad-alloc", OutcomeKind::OutOfMemory, 0, "bad_alloc"},
    Deed{"bad-alloc-abort", OutcomeKind::OutOfMemory, 0, "bad_alloc"},
    Deed{"garbage", OutcomeKind::Crashed, 0, "wrote \"Hello, I am"},
    Deed{"short-garbage", OutcomeKind::Crashed, 0, "wrote \"oops\", which is no frame"},
    Deed{"wrong-kind", OutcomeKind::Crashed, 0, "the reply to RUN was due"},
    Deed{"bad-json", OutcomeKind::Crashed, 0, "its JSON is no object"},
    Deed{"bad-timings", OutcomeKind::Crashed, 0, "timings.run must be seconds"},
    Deed{"no-tensor", OutcomeKind::Crashed, 0, "output 0"},
    Deed{"two-answers", OutcomeKind::Crashed, 0, "wrote more than one answer"},
    Deed{"gigantic-frame", OutcomeKind::Crashed, 0, "announces 4294967280 bytes"},
    Deed{"large-empty-frame", OutcomeKind::TimedOut, 0, "no answer"},
    Deed{"gigantic-json", OutcomeKind::Crashed, 0, "bytes of JSON"},
    Deed{"reject", OutcomeKind::Rejected, 0, "I do not like this model"},
    Deed{"not-supported", OutcomeKind::NotSupported, 0, "no kernel for it"}};
INSTANTIATE_TEST_SUITE_P(Hostile, Misbehaviour, ::testing::ValuesIn(deeds), test_name);
INSTANTIATE_TEST_SUITE_P(Hostile, MisbehaviourInForks, ::testing::ValuesIn(deeds), test_name);

const Deed deeds_of_the_worker_itself[] = {
    Deed{"die-with-child", OutcomeKind::Crashed, SIGABRT, "SIGABRT"},
    Deed{"die-mid-frame", OutcomeKind::Crashed, SIGSEGV, "in the middle of an answer"},
    Deed{"close-pipe", OutcomeKind::Crashed, 0, "closed the protocol pipe"}};
INSTANTIATE_TEST_SUITE_P(HostileItself, Misbehaviour, ::testing::ValuesIn(deeds_of_the_worker_itself), test_name);

/// The next fork takes over without the start of a process: its parent is the same.
TEST(WorkerInForks, LivesOnWhenAForkDies) {
  const OnceFile once;
  WorkerEngine engine("hostile", hostile_command("print-parent", once.path(), "forks"), impatient());
  EXPECT_EQ(engine.run(small_problem()).kind, OutcomeKind::Crashed);
  EXPECT_EQ(engine.run(small_problem()).kind, OutcomeKind::Ran);
  const auto log = engine.take_log();
  const auto line = log.find('\n');
  ASSERT_NE(line, std::string::npos);
  EXPECT_EQ(log, log.substr(0, line + 1) + log.substr(0, line + 1));
}

}  // namespace
}  // namespace cellproof::engines
