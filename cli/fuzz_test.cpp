#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/testing/run_program.hpp"
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

TEST(Fuzz, TakesAContractForAnEngine) {
  const std::string line = "cellproof-case/1 op=LSTM-14 type=double T=2 N=2 I=2 H=2";
  const auto code = [&](const std::string& contract) {
    return run_program({"fuzz", "--engine", "cellproof-cpu", "--contract", contract, line}).exit_code;
  };
  EXPECT_EQ(code("cellproof-cpu=f64-via-f32"), 0);
  EXPECT_EQ(code("cellproof-cpu=f64-via-f16"), 2);
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
  EXPECT_THAT(result.err, HasSubstr("expected one of judged, invalid, absent-is-empty"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST(Fuzz, JudgesOneCase) {
  const std::string valid = "cellproof-case/1 op=RNN-14 type=float T=2 N=3 I=2 H=2";
  for (const std::string law : {"judged", "invalid"}) {
    const ProgramResult result = run_program({"fuzz", "--engine", "cellproof-cpu", "--law", law, valid});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr(law + ": CONFORMS"));
  }
  const ProgramResult all = run_program({"fuzz", "--engine", "cellproof-cpu", valid});
  EXPECT_EQ(all.exit_code, 0) << all.out << all.err;
  EXPECT_THAT(all.out, HasSubstr("judged: CONFORMS"));
  EXPECT_THAT(all.out, HasSubstr("batch-split: holds"));
  const std::string broken = valid + " direction=sideways";
  const ProgramResult refused = run_program({"fuzz", "--engine", "cellproof-cpu", "--law", "invalid", broken});
  EXPECT_EQ(refused.exit_code, 0) << refused.out << refused.err;
  EXPECT_THAT(refused.out, HasSubstr("invalid: REFUSED_AS_EXPECTED"));
  const std::string lax = "lax=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile behave";
  const ProgramResult accepted = run_program({"fuzz", "--engine", lax, "--law", "invalid", broken});
  EXPECT_EQ(accepted.exit_code, 1) << accepted.out << accepted.err;
  EXPECT_THAT(accepted.out, HasSubstr("invalid: ACCEPTED_INVALID"));
}

/// Judging is not what is left when all laws have been tried on every case.
TEST(Fuzz, TriesFourLawsBesideEachJudgedCase) {
  const ProgramResult result = run_program({"fuzz", "--engine", "cellproof-cpu", "--time", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  std::istringstream lines(result.out);
  int judged = 0, tried = 0, laws = 0;
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t at = line.find(", judged:"); at != std::string::npos) {
      std::istringstream counts(line.substr(at + std::string(", judged:").size()));
      int count = 0;
      for (std::string verdict; counts >> count >> verdict;) judged += verdict == "REFUSED_AS_EXPECTED" ? 0 : count;
    } else if (judged > 0 && !line.starts_with("cellproof-cpu")) {
      std::istringstream counts(line);
      std::string law;
      counts >> law;
      for (int count = 0; counts >> count;) tried += count;
      ++laws;
    }
  }
  EXPECT_GE(laws, 25) << result.out;
  EXPECT_GT(judged, 0);
  EXPECT_LE(tried, 4 * judged) << result.out;
  EXPECT_GT(tried, 4 * (judged - 1) - 4) << result.out;
}

/// What a shell makes of a variable that is not set.
TEST(Fuzz, RefusesAnEmptyCaseLine) {
  const ProgramResult result = run_program({"fuzz", "--engine", "cellproof-cpu", ""});
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("the line is empty, expected it to begin with cellproof-case/1"));
}

TEST(Fuzz, RefusesSecondsThatNoClockCounts) {
  for (const std::string seconds : {"nan", "inf", "-inf", "0", "-1", "1e300"}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"fuzz", "--engine", "cellproof-cpu", "--time=" + seconds},
          {"run", "--engine", "cellproof-cpu", "--suite", "smoke", "--time-budget=" + seconds},
          {"run", "--engine", "cellproof-cpu", "--suite", "smoke", "--case-timeout=" + seconds}}) {
      const ProgramResult result = run_program(arguments);
      EXPECT_EQ(result.exit_code, 2) << seconds << result.out << result.err;
      EXPECT_THAT(result.err, HasSubstr("expected seconds, more than 0"));
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
  }
}

TEST(Fuzz, RefusesSizesOfWhichNoTensorsAreMade) {
  for (const std::string sizes : {"T=200000000 N=3000000 I=1 H=1", "T=20000 N=300000 I=1 H=1",
                                  "T=20000 N=30000 I=1 H=1 direction=bidirectional", "T=1 N=1 I=1 H=900000"}) {
    const std::string line = "cellproof-case/1 op=LSTM-22 type=float " + sizes;
    for (const std::string command : {"fuzz", "replay"}) {
      const ProgramResult result = run_program({command, "--engine", "cellproof-cpu", line});
      EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
      EXPECT_THAT(result.err, HasSubstr("expected sizes whose tensors have at most 1 GiB"));
      EXPECT_THAT(result.err, HasSubstr(sizes.substr(0, sizes.find(' '))));
      EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    }
  }
}

}  // namespace
}  // namespace cellproof::cli
