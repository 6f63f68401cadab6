#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/testing/run_program.hpp"
#include "reports/store.hpp"
#include "spec/reason_words.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Fuzz : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static std::string hostile(const std::string& deed) {
    return fmt::format("bad={}/bin/cellproof-engine-hostile {}", CELLPROOF_BINARY_DIR, deed);
  }

  /// Into the folder of this name, where the store lies, too.
  ProgramResult fuzz(const std::string& engine, const std::string& output, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"fuzz", "--engine", engine, "-o", path(output)});
    return run_program(more);
  }

  std::vector<Finding> findings(const std::string& output) const {
    return reports::Store::open_read_only(store(output)).findings();
  }
  std::string store(const std::string& output) const { return path(output) + "/run.sqlite"; }

  /// Number of a suite's cases that were tried, as the engine's note says.
  std::int64_t tried_below(const std::string& output, const std::string& suite) const {
    for (const auto& [engine, notes] : reports::Store::open_read_only(store(output)).engine_notes()) {
      const std::string text = words_of(notes, EngineNote::Searched);
      const std::size_t place = text.find(suite + " below ");
      if (place != std::string::npos) return std::stoll(text.substr(place + suite.size() + 7));
    }
    return -1;
  }

  static std::set<std::string> suites_of(const std::vector<Finding>& findings) {
    std::set<std::string> suites;
    for (const Finding& finding : findings) suites.insert(finding.suite);
    return suites;
  }

  TemporaryFolder folder_;
};

TEST_F(Fuzz, IsARunOverSuitesWithoutEnd) {
  const ProgramResult result = fuzz("cellproof-cpu", "a", {"--time", "4", "--jobs", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("searched: fuzz-guided below "), HasSubstr("report: ")));
  for (const char* file : {"index.html", "junit.xml", "findings.jsonl"})
    EXPECT_TRUE(std::filesystem::exists(path("a") + "/" + file)) << file;
  EXPECT_EQ(suites_of(findings("a")),
            (std::set<std::string>{"fuzz-judged", "fuzz-guided", "fuzz-invalid", "fuzz-laws"}));
}

TEST_F(Fuzz, TriesOnlyWhatItIsAskedFor) {
  ASSERT_EQ(fuzz("cellproof-cpu", "a", {"--time", "1", "--only", "judged,invalid"}).exit_code, 0);
  EXPECT_EQ(suites_of(findings("a")), (std::set<std::string>{"fuzz-judged", "fuzz-invalid"}));
  ASSERT_EQ(fuzz("cellproof-cpu", "b", {"--time", "1", "--law", "batch-split", "--law", "repeated-run"}).exit_code, 0);
  std::set<std::string> laws;
  for (const Finding& finding : findings("b")) laws.insert(finding.law);
  EXPECT_EQ(laws, (std::set<std::string>{"batch-split", "repeated-run"}));
}

TEST_F(Fuzz, RefusesWhatItDoesNotKnowInOneLine) {
  for (const auto& [option, word, expected] : std::vector<std::array<std::string, 3>>{
           {"--law", "gravity", "expected one of absent-is-empty"},
           {"--only", "judge", "did you mean judged? Expected one of judged, guided, invalid, laws"},
           {"--baseline", "/nonexistent.sqlite", "/nonexistent.sqlite"},
           {"--shard", "3/2", "expected I/N"}}) {
    const ProgramResult result = fuzz("cellproof-cpu", "a", {option, word});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.err, AllOf(HasSubstr(word), HasSubstr(expected)));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
  EXPECT_FALSE(std::filesystem::exists(path("a")));
}

TEST_F(Fuzz, MakesEachFailureSmall) {
  const ProgramResult result = fuzz(hostile("wrong-shape"), "a", {"--time", "6", "--only", "judged"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  std::int64_t smallest = 0;
  for (const Finding& finding : findings("a")) {
    if (finding.reduction) smallest += finding.reduction->case_line.find("T=1 N=1 I=1 H=1") != std::string::npos;
  }
  EXPECT_GE(smallest, 1) << result.out;
}

/// An engine with known failures is green as long as nothing is new, with another seed, too.
TEST_F(Fuzz, FailsForWhatIsNewAlone) {
  // A base sees more cases than what is compared with it, also where the machine is busy meanwhile.
  const std::string long_time = "6", short_time = "1";
  const auto against = [&](const std::string& base, const std::string& time, const std::string& seed) {
    return std::vector<std::string>{"--time", time, "--only", "judged", "--seed", seed, "--baseline", store(base)};
  };
  ASSERT_EQ(fuzz(hostile("wrong-shape"), "a", {"--time", long_time, "--only", "judged"}).exit_code, 1);
  const ProgramResult same =
      fuzz(hostile("wrong-shape"), "a", against("a", short_time, "0"));  // which sets its base aside
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr(": 0 new, "));
  const ProgramResult worse = fuzz(hostile("segfault"), "b", against("a", long_time, "0"));
  EXPECT_EQ(worse.exit_code, 1) << worse.out << worse.err;
  EXPECT_THAT(worse.out, HasSubstr("CRASHED"));
  const ProgramResult next_day = fuzz(hostile("segfault"), "c", against("b", short_time, "20261126"));
  EXPECT_EQ(next_day.exit_code, 0) << next_day.out << next_day.err;
}

TEST_F(Fuzz, GoesOnWhereItWasStopped) {
  ASSERT_EQ(fuzz("cellproof-cpu", "a", {"--time", "2", "--only", "judged"}).exit_code, 0);
  const std::int64_t first = tried_below("a", "fuzz-judged");
  ASSERT_GT(first, 0);
  const ProgramResult more = fuzz("cellproof-cpu", "a", {"--time", "2", "--only", "judged", "--resume"});
  EXPECT_EQ(more.exit_code, 0) << more.out << more.err;
  EXPECT_GT(tried_below("a", "fuzz-judged"), first);
  const ProgramResult other = fuzz("cellproof-cpu", "a", {"--time", "1", "--only", "invalid", "--resume"});
  EXPECT_EQ(other.exit_code, 2) << other.out;
  EXPECT_THAT(other.err, HasSubstr("cannot be resumed"));
}

TEST_F(Fuzz, HasShardsThatTogetherAreTheWhole) {
  for (const char* shard : {"1", "2"})
    ASSERT_EQ(fuzz("cellproof-cpu", shard, {"--time", "2", "--shard", std::string(shard) + "/2"}).exit_code, 0);
  std::set<std::pair<std::string, std::int64_t>> numbers;
  for (const char* shard : {"1", "2"}) {
    for (const Finding& finding : findings(shard)) {
      EXPECT_EQ(finding.number % 2, std::stoll(shard) - 1);
      EXPECT_TRUE(numbers.emplace(finding.suite, finding.number).second);
    }
  }
  const ProgramResult merged = run_program({"merge", store("1"), store("2"), "-o", path("both.sqlite")});
  EXPECT_EQ(merged.exit_code, 0) << merged.out << merged.err;
  EXPECT_THAT(merged.out, HasSubstr(fmt::format("{} findings of 2 stores", numbers.size())));
}

/// Every law finds it; who reads of it thirty times has one thing to mend.
TEST_F(Fuzz, SignsNaNInAllRunsAlikeWhateverTheLaw) {
  const ProgramResult result = fuzz(hostile("nans"), "a",
                                    {"--law", "zero-bias", "--law", "row-repeated", "--law", "absent-is-empty", "--law",
                                     "silent-feature", "--time", "3"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  std::set<std::string> laws;
  std::set<std::optional<ViolationKind>> kinds;
  for (const Finding& finding : findings("a")) {
    if (!sentence_of(finding.judgement).ends_with("nan and nan, honest runs give numbers here")) continue;
    laws.insert(finding.law);
    kinds.insert(finding.judgement.kind);
  }
  EXPECT_GE(laws.size(), 2U) << result.out;
  EXPECT_EQ(kinds, std::set{std::optional(ViolationKind::Nan)});
}

TEST_F(Fuzz, SaysWhichRuleAnEngineDoesNotKeep) {
  const ProgramResult result = fuzz(hostile("behave"), "a", {"--only", "invalid", "--time", "3"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("ACCEPTED_INVALID"));
}

TEST_F(Fuzz, RefusesSecondsThatNoClockCounts) {
  for (const std::string seconds : {"nan", "inf", "-inf", "0", "-1", "1e300"}) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"fuzz", "--engine", "cellproof-cpu", "--time=" + seconds},
          {"run", "--engine", "cellproof-cpu", "--suite", "smoke", "--time-budget=" + seconds},
          {"run", "--engine", "cellproof-cpu", "--suite", "smoke", "--case-timeout=" + seconds}}) {
      const ProgramResult result = run_program(arguments);
      EXPECT_EQ(result.exit_code, 2) << seconds << result.out << result.err;
      EXPECT_THAT(result.err, HasSubstr("expected seconds, more than 0"));
      EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
  }
}

const std::string small_line = "cellproof-case/1 op=RNN-14 type=float T=2 N=3 I=2 H=2";

TEST(ReplayOfALaw, TriesItOnTheCase) {
  const ProgramResult holds = run_program({"replay", "--engine", "cellproof-cpu", "--law", "batch-split", small_line});
  EXPECT_EQ(holds.exit_code, 0) << holds.out << holds.err;
  EXPECT_THAT(holds.out, AllOf(HasSubstr("CONFORMS"), HasSubstr("law     batch-split")));
  // A law about two directions says nothing of a node with one.
  const ProgramResult silent =
      run_program({"replay", "--engine", "cellproof-cpu", "--law", "forward-half", small_line});
  EXPECT_THAT(silent.out, AllOf(HasSubstr("UNDECIDED"), HasSubstr("says nothing of this case")));
  EXPECT_EQ(run_program({"replay", "--engine", "cellproof-cpu", "--law", "gravity", small_line}).exit_code, 2);
}

TEST(ReplayOfALaw, TellsAnEngineItsNumberOfThreads) {
  const std::string line = "cellproof-case/1 op=LSTM-22 type=float T=9 N=2 I=9 H=9 direction=bidirectional";
  const ProgramResult can = run_program({"replay", "--engine", "cellproof-cpu", "--law", "thread-counts", line});
  EXPECT_EQ(can.exit_code, 0) << can.out << can.err;
  EXPECT_THAT(can.out, HasSubstr("CONFORMS"));
  const ProgramResult cannot = run_program({"replay", "--engine", "reference", "--law", "thread-counts", line});
  EXPECT_THAT(cannot.out, HasSubstr("UNDECIDED"));
}

/// Sizes that no memory holds, and the empty line that a shell makes of a variable that is not set.
TEST(Replay, RefusesLinesThatMakeNoCase) {
  for (const std::string sizes : {"T=200000000 N=3000000 I=1 H=1", "T=20000 N=300000 I=1 H=1",
                                  "T=20000 N=30000 I=1 H=1 direction=bidirectional", "T=1 N=1 I=1 H=900000"}) {
    const ProgramResult result =
        run_program({"replay", "--engine", "cellproof-cpu", "cellproof-case/1 op=LSTM-22 type=float " + sizes});
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr("expected sizes whose tensors have at most 1 GiB"));
    EXPECT_THAT(result.err, HasSubstr(sizes.substr(0, sizes.find(' '))));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
  EXPECT_EQ(run_program({"replay", "--engine", "cellproof-cpu", ""}).exit_code, 2);
}

}  // namespace
}  // namespace cellproof::cli
