#include "lab/bench/contest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab::bench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

Row tiny_row() {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 2, 1, 3, 4);
  c.regime = Regime::Normal;
  return {"tiny", "test", c};
}

ContestOptions short_contest(std::vector<std::string> subjects) {
  ContestOptions options;
  options.subjects = std::move(subjects);
  options.rounds = 2;
  options.seconds = 0.001;
  return options;
}

TEST(Contest, EachRoundBeginsWithTheNextSubject) {
  EXPECT_THAT(order_in_round(3, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(order_in_round(3, 1), ElementsAre(1, 2, 0));
  EXPECT_THAT(order_in_round(3, 5), ElementsAre(2, 0, 1));
  EXPECT_TRUE(order_in_round(0, 4).empty());
}

TEST(Contest, EverybodyIsMeasuredInEveryRoundAndJudged) {
  const auto rows = hold_contest({tiny_row()}, short_contest({"cellproof-cpu", "openblas-per-step"}));
  ASSERT_EQ(rows.size(), 1U);
  ASSERT_EQ(rows[0].subjects.size(), 2U);
  for (const auto& c : rows[0].subjects) {
    EXPECT_EQ(c.missing, "");
    EXPECT_EQ(c.rounds.size(), 2U) << c.name;
    EXPECT_EQ(c.verdict, "CONFORMS") << c.name << ": " << c.remark;
  }
  EXPECT_EQ(rows[0].subjects[0].ratio->median, 1);
  EXPECT_FALSE(rows[0].subjects[0].difference);
  EXPECT_LT(rows[0].subjects[1].difference.value_or(1), 1e-6);
  ASSERT_TRUE(rows[0].limit) << rows[0].limit_missing;
  EXPECT_THAT(rows[0].limit->formula, HasSubstr("multiply-adds"));
  EXPECT_TRUE(all_is_well(rows));
  EXPECT_TRUE(anybody_ran(rows));
}

TEST(Contest, SeveralThreadsAreToldHowFastTheyCanMeet) {
  ContestOptions options = short_contest({"cellproof-cpu"});
  options.threads = {1, 2};
  const auto rows = hold_contest({tiny_row()}, options);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_FALSE(rows[0].meeting);
  ASSERT_TRUE(rows[1].meeting) << rows[1].limit_missing;
  EXPECT_GT(rows[1].meeting->median, 1e-9);
  EXPECT_LT(rows[1].meeting->median, 1);
}

TEST(Contest, WhoCannotComputeARowIsNamedAndFailsNothing) {
  Row row = tiny_row();
  row.c.attributes.activations = {{"Relu", "Tanh", "Tanh"}};
  const auto rows = hold_contest({row}, short_contest({"cellproof-cpu", "openblas-per-step"}));
  EXPECT_THAT(rows.at(0).subjects.at(1).missing, HasSubstr("attributes"));
  EXPECT_THAT(rows.at(0).limit_missing, HasSubstr("activations"));
  EXPECT_TRUE(all_is_well(rows));
}

TEST(Contest, AnEngineThatIsNotInstalledIsNamed) {
  const char* const before = std::getenv("XDG_DATA_HOME");
  const std::string data = before == nullptr ? "" : before;
  setenv("XDG_DATA_HOME", "/nonexistent", 1);
  const auto rows = hold_contest({tiny_row()}, short_contest({"cellproof-cpu", "openvino", "openvino-bf16"}));
  before == nullptr ? unsetenv("XDG_DATA_HOME") : setenv("XDG_DATA_HOME", data.c_str(), 1);
  for (const std::size_t place : {1, 2})
    EXPECT_THAT(rows.at(0).subjects.at(place).missing, HasSubstr("is not installed: `cellproof install openvino`"));
  EXPECT_TRUE(all_is_well(rows));
}

/// A folder whose subject program is a script.
class BrokenContest : public testing::Test {
 protected:
  void SetUp() override { setenv("CELLPROOF_WORKERS", folder_.path().c_str(), 1); }
  void TearDown() override { unsetenv("CELLPROOF_WORKERS"); }
  void subject_is(const std::string& script) const {
    const fs::path program = folder_ / "cellproof-bench-subject";
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
  }

  TemporaryFolder folder_;
};

TEST_F(BrokenContest, ACrashIsNamedAndFailsTheContest) {
  subject_is("echo out of luck; kill -SEGV $$");
  const auto rows = hold_contest({tiny_row()}, short_contest({"cellproof-cpu"}));
  const auto& c = rows.at(0).subjects.at(0);
  EXPECT_TRUE(c.failed);
  EXPECT_THAT(c.remark, HasSubstr("SIGSEGV"));
  EXPECT_THAT(c.remark, HasSubstr("out of luck"));
  EXPECT_FALSE(all_is_well(rows));
  EXPECT_FALSE(anybody_ran(rows));
}

TEST_F(BrokenContest, WhoComputesSomethingElseFailsTheContest) {
  subject_is("exec '" CELLPROOF_BINARY_DIR "/bin/cellproof-bench-subject' \"$1\" \"$2 seed=7\" \"$3\"");
  const auto rows = hold_contest({tiny_row()}, short_contest({"cellproof-cpu"}));
  const auto& c = rows.at(0).subjects.at(0);
  EXPECT_TRUE(c.failed);
  EXPECT_EQ(c.verdict, "DIVERGES");
  EXPECT_NE(c.remark, "");
  EXPECT_EQ(c.rounds.size(), 2U) << "it is measured all the same";
  EXPECT_FALSE(all_is_well(rows));
}

TEST_F(BrokenContest, AnswersThatAreNoneFailTheContest) {
  subject_is("echo this is no frame >&4; sleep 1");
  const auto rows = hold_contest({tiny_row()}, short_contest({"cellproof-cpu"}));
  EXPECT_TRUE(rows.at(0).subjects.at(0).failed);
}

TEST_F(BrokenContest, AProgramThatIsMissingFailsTheContest) {
  const auto rows = hold_contest({tiny_row()}, short_contest({"cellproof-cpu"}));
  EXPECT_TRUE(rows.at(0).subjects.at(0).failed);
  EXPECT_THAT(rows.at(0).subjects.at(0).remark, HasSubstr("cannot start"));
}

}  // namespace
}  // namespace cellproof::lab::bench
