// Ends of runs that do not complete: exit codes, last lines, and what stands in the store.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "campaign/exit_code.hpp"
#include "cli/testing/run_program.hpp"
#include "reports/store.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RunEnd : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static std::string hostile(const std::string& how) {
    return fmt::format("bad={}/bin/cellproof-engine-hostile {}", CELLPROOF_BINARY_DIR, how);
  }

  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "run");
    arguments.insert(arguments.end(), {"-o", path("report")});
    return run_program(arguments);
  }

  RunMetadata metadata() const { return reports::Store::open_read_only(path("report") + "/run.sqlite").metadata(); }

  TemporaryFolder folder_;
};

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

TEST_F(RunEnd, BySignalHasItsCodeWhateverTheFindings) {
  const ProgramResult result =
      run_command({"bash", "-c",
                   fmt::format("set -m; '{0}/bin/cellproof' run --suite ci --engine '{1}' -o '{2}' & run=$!\n"
                               "until [ -e '{2}/run.sqlite.journal' ]; do kill -0 $run || exit 99; sleep 0.01; done\n"
                               "kill -TERM $run; wait $run",
                               CELLPROOF_BINARY_DIR, hostile("wrong-shape"), path("report"))});
  EXPECT_EQ(result.exit_code, 143) << result.out << result.err;
  EXPECT_THAT(last_line(result.out), HasSubstr("ended early, stopped by SIGTERM: "));
  EXPECT_EQ(metadata().ended_early, "stopped by SIGTERM");
}

TEST_F(RunEnd, ByItsTimeBudgetIsSaidAndFourWhereAskedFor) {
  // The suite is made, and some of its cases are run, but not all: in how many seconds is up to the machine.
  for (int budget = 5; budget <= 80; budget *= 2) {
    const std::vector<std::string> arguments{"--suite",   "pairs",         "--engine",
                                             "reference", "--time-budget", fmt::format("{}", budget)};
    std::vector<std::string> strict = arguments;
    strict.emplace_back("--require-complete");
    if (const ProgramResult first = run(strict); first.exit_code != 4) {
      ASSERT_EQ(first.exit_code, 77) << first.out << first.err;
      continue;
    }
    const std::string cause = fmt::format("the time budget of {} s is used up", budget);
    EXPECT_EQ(metadata().ended_early, cause);
    EXPECT_THAT(metadata().not_run, testing::Contains(HasSubstr("of suite pairs on reference")));
    const ProgramResult lenient = run(arguments);
    EXPECT_THAT(last_line(lenient.out), HasSubstr("ended early, " + cause + ": "));
    EXPECT_THAT(lenient.exit_code, testing::AnyOf(0, 77)) << lenient.out << lenient.err;
    EXPECT_EQ(run({"--suite", "onnx-backend", "--engine", "reference", "--require-complete"}).exit_code, 0);
    EXPECT_EQ(metadata().ended_early, "");
    return;
  }
  FAIL() << "no time budget was enough for some of the suite, but not for all of it";
}

TEST_F(RunEnd, AnEngineThatCannotStartIsOneErrorAtOnce) {
  for (const auto& [how, why] : {std::pair{"crash-at-start", "SIGSEGV"}, std::pair{"hang-at-start", "no answer within"},
                                 std::pair{"garbage-at-start", "is no frame"}}) {
    const auto begin = std::chrono::steady_clock::now();
    const ProgramResult alone = run({"--suite", "smoke", "--engine", hostile(how), "--time-budget", "4"});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15)) << how;
    EXPECT_EQ(alone.exit_code, 77) << alone.out << alone.err;
    EXPECT_THAT(alone.err, HasSubstr("bad: cannot start: "));
    EXPECT_THAT(alone.err, HasSubstr(why));
    EXPECT_TRUE(reports::Store::open_read_only(path("report") + "/run.sqlite").findings().empty()) << how;
  }
  const ProgramResult beside =
      run({"--suite", "onnx-backend", "--engine", hostile("crash-at-start"), "--engine", "reference"});
  EXPECT_EQ(beside.exit_code, 1) << beside.out << beside.err;
  EXPECT_THAT(beside.out, HasSubstr("cannot start: SIGSEGV"));
  EXPECT_EQ(reports::Store::open_read_only(path("report") + "/run.sqlite").findings().size(), 18U);
}

TEST_F(RunEnd, AFullDiskBehindStderrLosesNothingButProgress) {
  const ProgramResult result =
      run_command({"bash", "-c",
                   fmt::format("'{}/bin/cellproof' run --suite onnx-backend --engine reference -o '{}' 2>/dev/full",
                               CELLPROOF_BINARY_DIR, path("report"))});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("18 conform"));
  const ProgramResult complaint =
      run_command({"bash", "-c", fmt::format("'{}/bin/cellproof' run --suite none 2>/dev/full", CELLPROOF_BINARY_DIR)});
  EXPECT_EQ(complaint.exit_code, 2);
}

TEST_F(RunEnd, AWorkerThatDiesWhenToldToEndIsReportedAndChargedToNoCase) {
  const ProgramResult result = run({"--suite", "onnx-backend", "--engine", hostile("segfault-at-end")});
  EXPECT_THAT(result.err, HasSubstr("bad: a worker died at its end: SIGSEGV (Segmentation fault)"));
  for (const Finding& finding : reports::Store::open_read_only(path("report") + "/run.sqlite").findings())
    EXPECT_EQ(finding.outcome, OutcomeKind::Ran);
}

TEST_F(RunEnd, WhereTheWorkerStartsNoMoreTheRestIsNotRunAndNobodyIsBlamed) {
  const std::string wrapper = path("once.sh");
  std::ofstream(wrapper) << fmt::format(
      "[ ! -e '{0}' ] || exit 9\ntouch '{0}'\nexec '{1}/bin/cellproof-engine-hostile' {2}\n", path("mark"),
      CELLPROOF_BINARY_DIR, "segfault");
  const ProgramResult result =
      run({"--suite", "onnx-backend", "--engine", "bad=bash " + wrapper, "--require-complete"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("bad: can no longer be started: exited with code 9"));
  EXPECT_THAT(last_line(result.out), HasSubstr("ended early, an engine can no longer be started: "));
  const std::vector<Finding> findings = reports::Store::open_read_only(path("report") + "/run.sqlite").findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].outcome, OutcomeKind::Crashed);
  EXPECT_THAT(findings[0].outcome_message, HasSubstr("SIGSEGV"));
}

TEST_F(RunEnd, ReplayReduceAndFuzzSayThatAnEngineCannotStart) {
  const std::string line = "cellproof-case/1 op=RNN-14 T=2 N=1 I=2 H=2", bad = hostile("crash-at-start");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"replay", line, "--engine", bad},
                                             {"reduce", line, "--engine", bad, "-o", path("reduced")},
                                             {"fuzz", "--time", "1", "--engine", bad, "-o", path("fuzzed")}}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 77) << arguments[0] << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr("bad: cannot start: SIGSEGV"));
  }
}

TEST_F(RunEnd, APythonEngineWithoutItsPackagesIsOneErrorWithItsLastLine) {
  const ProgramResult result = run({"--suite", "smoke", "--engine", "mine=python3 -c 'import no_such_package_at_all'"});
  EXPECT_EQ(result.exit_code, 77) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("mine: cannot start: "));
  EXPECT_THAT(result.err, HasSubstr("No module named 'no_such_package_at_all'"));
}

TEST_F(RunEnd, HelpNamesEveryExitCode) {
  const std::string help = run_program({"--help"}).out;
  for (const campaign::ExitCodeMeaning& row : campaign::exit_code_meanings())
    EXPECT_THAT(help, HasSubstr(std::string(row.meaning)));
}

}  // namespace
}  // namespace cellproof::cli
