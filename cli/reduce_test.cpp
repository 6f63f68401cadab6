// `cellproof reduce` as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/testing/run_program.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

const std::string line =
    "cellproof-case/1 op=LSTM-14 type=float T=5 N=3 I=4 H=6 clip=0.5 direction=bidirectional layout=1 B=given";

class Reduce : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// An engine that does to every case what `mode` says.
  static std::string hostile(const std::string& mode) {
    return "bad=" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-hostile " + mode;
  }

  ProgramResult reduce(const std::string& source, const std::string& engine, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"reduce", source, "--engine", engine, "-o", path("small")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  std::string text_of(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  /// Names of what is in the folder, hidden ones, too.
  std::vector<std::string> left_over() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  TemporaryFolder folder_;
};

TEST_F(Reduce, WritesABackendTestWithItsStory) {
  const ProgramResult result = reduce(line, hostile("wrong-shape"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(left_over(), testing::ElementsAre("small"));
  const std::string readme = text_of("small/README.md");
  EXPECT_EQ(std::ranges::count(readme, '\n'), 10) << readme;
  EXPECT_THAT(readme, HasSubstr("T=1 N=1 I=1 H=1"));
  EXPECT_THAT(readme, HasSubstr("First wrong element: Y has shape [3,2], expected [1,1,1,1]"));
  EXPECT_THAT(readme, HasSubstr("nothing but the defaults"));
  EXPECT_THAT(readme, HasSubstr("python3 run.py"));
  EXPECT_THAT(result.out, HasSubstr(readme));
  EXPECT_EQ(run_program({"check", path("small")}).exit_code, 0);
}

TEST_F(Reduce, GoesOnWhereItWasStopped) {
  const ProgramResult whole = reduce(line, hostile("wrong-shape"));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::string readme = text_of("small/README.md");
  fs::remove_all(path("small"));
  const ProgramResult first = reduce(line, hostile("wrong-shape"), {"--calls", "8"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("the same command goes on"));
  EXPECT_THAT(left_over(), testing::ElementsAre("small", "small.progress"));
  const ProgramResult second = reduce(line, hostile("wrong-shape"));
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.err, HasSubstr("goes on after 4 answers"));
  EXPECT_THAT(left_over(), testing::ElementsAre("small"));
  EXPECT_EQ(text_of("small/README.md"), readme);
}

TEST_F(Reduce, LosesNothingWhenItIsKilled) {
  const std::vector<std::string> arguments{"reduce", line, "--engine", hostile("slow"), "-o", path("small")};
  const ProgramResult killed = run_program(arguments, {}, 1300ms);  // a call takes 200 ms
  EXPECT_EQ(killed.exit_code, -9) << killed.out;
  EXPECT_THAT(left_over(), Not(testing::Contains("small")));
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(left_over(), testing::ElementsAre("small"));
  EXPECT_EQ(run_program({"check", path("small")}).exit_code, 0);
}

TEST_F(Reduce, TakesADirectoryOfAnybodys) {
  ASSERT_EQ(reduce(line, hostile("wrong-shape")).exit_code, 0);
  fs::rename(path("small"), path("ours"));
  EXPECT_EQ(reduce(path("ours"), hostile("wrong-shape")).exit_code, 0);
  fs::rename(path("small"), path("again"));
  EXPECT_THAT(text_of("again/README.md"), Not(HasSubstr("hex:")));  // it says which case it is
  fs::remove(path("ours/data.json"));
  const ProgramResult foreign = reduce(path("ours"), hostile("wrong-shape"));
  EXPECT_EQ(foreign.exit_code, 0) << foreign.err;
  EXPECT_THAT(text_of("small/README.md"), HasSubstr("dir:" + path("ours")));
}

TEST_F(Reduce, ACrashAndAHangStayWhatTheyAre) {
  const ProgramResult crash = reduce(line, hostile("segfault"));
  EXPECT_EQ(crash.exit_code, 0) << crash.err;
  EXPECT_THAT(text_of("small/README.md"), HasSubstr("bad 1: CRASHED on LSTM-14"));
  fs::remove_all(path("small"));
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult hang = reduce(line, hostile("hang"), {"--case-timeout", "0.3", "--time", "3"});
  EXPECT_EQ(hang.exit_code, 0) << hang.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
  EXPECT_THAT(text_of("small/README.md"), HasSubstr("TIMED_OUT"));
}

TEST_F(Reduce, TouchesNothingThatIsNotOfTheSameReduction) {
  fs::create_directory(path("small"));
  std::ofstream(path("small/thesis.txt")) << "precious";
  std::ofstream(path("small.progress")) << "notes";
  const ProgramResult foreign = reduce(line, hostile("wrong-shape"));
  EXPECT_EQ(foreign.exit_code, 2) << foreign.out;
  EXPECT_THAT(foreign.err, HasSubstr("small.progress: exists, and is not of this reduction"));
  EXPECT_EQ(text_of("small/thesis.txt"), "precious");
  EXPECT_EQ(text_of("small.progress"), "notes");

  fs::remove_all(path("small"));
  fs::remove(path("small.progress"));
  ASSERT_EQ(reduce(line, hostile("wrong-shape"), {"--calls", "8"}).exit_code, 0);
  const std::string readme = text_of("small/README.md"), progress = text_of("small.progress");
  const ProgramResult other = reduce("cellproof-case/1 op=RNN-14 type=float T=2 N=1 I=2 H=2", hostile("wrong-shape"));
  EXPECT_EQ(other.exit_code, 2) << other.out;
  EXPECT_EQ(text_of("small/README.md"), readme);
  EXPECT_EQ(text_of("small.progress"), progress);
}

TEST_F(Reduce, JudgesByTheContractThatItIsGiven) {
  const std::string loud = "cellproof-case/1 op=LSTM-14 type=float T=20 N=4 I=16 H=32 seed=3 regime=saturating";
  EXPECT_EQ(reduce(loud, "onnxruntime").exit_code, 1);
  const ProgramResult strict = reduce(loud, "onnxruntime", {"--contract", "onnxruntime=f32-strict", "--calls", "12"});
  EXPECT_EQ(strict.exit_code, 0) << strict.out << strict.err;
  EXPECT_THAT(text_of("small/README.md"), HasSubstr("--contract 'onnxruntime=f32-strict'"));
}

TEST_F(Reduce, TakesARegressionsFile) {
  const ProgramResult result =
      reduce(std::string(CELLPROOF_SOURCE_DIR) + "/corpus/regressions/onnxruntime-softplus-overflows.case",
             hostile("wrong-shape"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Reduce, CallsTheEngineNoMoreOftenThanItMay) {
  ASSERT_EQ(reduce(line, hostile("wrong-shape"), {"--calls", "20"}).exit_code, 0);
  EXPECT_THAT(text_of("small/README.md"), testing::ContainsRegex("Made smaller in (1[0-9]|20|[2-9]) engine calls"));
}

TEST_F(Reduce, WhatCannotBeReproducedIsSaidSo) {
  const ProgramResult result =
      reduce("cellproof-case/1 op=RNN-14 type=float T=2 N=1 I=2 H=2", "reference", {"--tries", "3"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("could not reproduce the failure in 6 calls; nothing to reduce"));
  EXPECT_THAT(left_over(), testing::IsEmpty());
}

/// A worker that dies of its first case, and in later processes of each third one.
TEST_F(Reduce, SaysHowOftenAFailureThatComesByChanceCame) {
  std::ofstream(path("unlucky.sh")) << "n=$(cat " << path("n") << " 2>/dev/null || echo 0); echo $((n + 1)) > "
                                    << path("n") << "\ncase $n in\n  0) mode=segfault ;;\n  1) mode=behave ;;\n"
                                    << "  *) mode=chatter-then-segfault ;;\nesac\nexec " << CELLPROOF_BINARY_DIR
                                    << "/bin/cellproof-engine-hostile $mode\n";
  const ProgramResult result = reduce(line, "bad=/bin/sh " + path("unlucky.sh"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(text_of("small/README.md"), HasSubstr("bad 1: FLAKY on LSTM-14")) << result.out;
  EXPECT_THAT(text_of("small/README.md"), testing::ContainsRegex("; failed [1-9] of [0-9]+ times"));
  EXPECT_THAT(result.out, testing::ContainsRegex("the case failed [1-9] of 5 times, the smallest failed"));
  EXPECT_THAT(text_of("small/README.md"), HasSubstr("T=1 N=1 I=1 H=1"));
}

TEST_F(Reduce, AnEngineThatIsNotThereIsNothingRun) {
  const ProgramResult result = reduce(line, "gone=/no/such/program");
  EXPECT_EQ(result.exit_code, 77) << result.out;
  EXPECT_THAT(result.err, HasSubstr("gone: absent"));
  EXPECT_THAT(left_over(), testing::IsEmpty());
}

TEST_F(Reduce, BadInputIsOneLineAndTwo) {
  fs::create_directory(path("empty"));
  std::ofstream(path("no-line")) << "# nothing\n";
  for (const std::string& source :
       {path("empty"), path("no-line"), path("missing"), std::string("cellproof-case/1 op=LSTM-22 colour=red")}) {
    const ProgramResult result = reduce(source, "reference");
    EXPECT_EQ(result.exit_code, 2) << source;
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
  const ProgramResult taken = run_program({"reduce", line, "--engine", "reference", "-o", path("empty")});
  EXPECT_EQ(taken.exit_code, 2);
  EXPECT_THAT(taken.err, HasSubstr("exists"));
  EXPECT_EQ(reduce(line, "nobody").exit_code, 2);
  const ProgramResult nowhere =
      run_program({"reduce", line, "--engine", hostile("wrong-shape"), "-o", path("no-line") + "/inside"});
  EXPECT_EQ(nowhere.exit_code, 2) << nowhere.out;
  EXPECT_EQ(std::ranges::count(nowhere.err, '\n'), 1) << nowhere.err;
  EXPECT_THAT(left_over(), testing::ElementsAre("empty", "no-line"));
}

}  // namespace
}  // namespace cellproof::cli
