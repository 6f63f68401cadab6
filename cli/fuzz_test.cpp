#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "cli/run_program.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Fuzz, TriesLawsAndSaysHowOften) {
  const ProgramResult result = run_program(
      {"fuzz", "--engine", "cellproof-cpu", "--law", "batch-split", "--law", "repeated-run", "--time", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("batch-split"));
  EXPECT_THAT(result.out, HasSubstr("repeated-run"));
  EXPECT_THAT(result.out, Not(HasSubstr("not tried")));
}

TEST(Fuzz, TellsEachFailureOnceAndMadeSmall) {
  const std::string engine = "bad=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile wrong-shape";
  const ProgramResult result = run_program({"fuzz", "--engine", engine, "--law", "judged", "--time", "3"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("T=1 N=1 I=1 H=1"));
  std::istringstream lines(result.out);
  std::multiset<std::string> told;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("v1:")) told.insert(line);
  }
  EXPECT_FALSE(told.empty());
  for (const std::string& signature : told) EXPECT_EQ(told.count(signature), 1U) << signature;
}

/// The first case of this seed has outputs as small as those that the engine gives whatever it is asked for. It gives
/// them another type the first time only, so that the law holds when it is tried again.
TEST(Fuzz, SaysWhatWasBrokenAlsoWhereItDoesNotComeAgain) {
  const TemporaryFolder folder;
  const std::string engine =
      "bad=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile twos " + (folder / "mark").string();
  const ProgramResult result =
      run_program({"fuzz", "--engine", engine, "--law", "sequence-of-calls", "--seed", "426", "--time", "0.5"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("in between: run 1, Y element 0 against run 3, Y element 0: 2 and 1"));
  EXPECT_THAT(result.out, HasSubstr("not each time"));
}

/// Every law finds it, on the first case of this seed; who reads of it thirty times has one thing to mend.
TEST(Fuzz, TellsOnceThatAllRunsGiveNaN) {
  const std::string engine = "bad=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile nans";
  const ProgramResult result = run_program({"fuzz", "--engine", engine, "--law", "zero-bias", "--law", "row-repeated",
                                            "--law", "absent-is-empty", "--law", "zero-initial-h", "--law",
                                            "silent-feature", "--seed", "134", "--time", "2"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  std::istringstream lines(result.out);
  std::multiset<std::string> told;
  for (std::string line, before; std::getline(lines, line); before = line) {
    if (before.ends_with("nan and nan, honest runs give numbers here")) told.insert(line);
  }
  EXPECT_FALSE(told.empty()) << result.out;
  for (const std::string& op_and_needs : told) EXPECT_EQ(told.count(op_and_needs), 1U) << op_and_needs;
}

TEST(Fuzz, TellsAnEngineThatAcceptsWhatARuleForbids) {
  const std::string engine = "lax=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile behave";
  const ProgramResult result = run_program({"fuzz", "--engine", engine, "--law", "invalid", "--time", "3"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("ACCEPTED_INVALID"));
  EXPECT_THAT(result.out, HasSubstr("cellproof replay"));
}

TEST(Fuzz, GivesAnEngineThatCanBeToldItsNumberOfThreads) {
  const ProgramResult result =
      run_program({"fuzz", "--engine", "cellproof-cpu", "--law", "thread-counts",
                   "cellproof-case/1 op=LSTM-22 type=float T=9 N=2 I=9 H=9 direction=bidirectional"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("thread-counts: holds"));
  const ProgramResult cannot = run_program({"fuzz", "--engine", "reference", "--law", "thread-counts",
                                            "cellproof-case/1 op=LSTM-22 type=float T=2 N=2 I=2 H=2"});
  EXPECT_THAT(cannot.out, HasSubstr("thread-counts: not applicable"));
}

TEST(Fuzz, RepeatsOneCase) {
  const ProgramResult result = run_program({"fuzz", "--engine", "cellproof-cpu", "--law", "batch-split",
                                            "cellproof-case/1 op=RNN-14 type=float T=2 N=3 I=2 H=2"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("batch-split: holds"));
}

TEST(Fuzz, IsNotGreenWhereNothingWasTried) {
  // A law about two directions says nothing of a node with one.
  const ProgramResult result = run_program({"fuzz", "--engine", "cellproof-cpu", "--law", "forward-half",
                                            "cellproof-case/1 op=RNN-14 type=float T=2 N=3 I=2 H=2"});
  EXPECT_EQ(result.exit_code, 77) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("no law could be tried"));
}

TEST(Fuzz, RefusesAnUnknownLawInOneLine) {
  const ProgramResult result = run_program({"fuzz", "--engine", "cellproof-cpu", "--law", "gravity"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("gravity"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

}  // namespace
}  // namespace cellproof::cli
