#include "lab/calibration/calibrate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/calibration/random_case.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::lab {
namespace {

TEST(Calibrate, FiveHundredHonestFindingsAnOperatorRaiseNoAlarm) {
  const HonestCalibration result = calibrate_honest(500, 2);
  for (const FalseAlarm& alarm : result.alarms) {
    ADD_FAILURE() << name(alarm.verdict) << " on " << alarm.style << ": " << alarm.message << "\n" << alarm.case_line;
  }
  std::int64_t conforms = 0;
  std::int64_t undecided = 0;
  for (const HonestRow& row : result.rows) {
    conforms += row.conforms;
    undecided += row.undecided;
  }
  EXPECT_EQ(conforms + undecided, 2000);
  EXPECT_LT(undecided, 40) << "an oracle that decides nothing raises no alarm either";
  EXPECT_EQ(result.rows.size(), 13U) << "three operators in four types, and the quantised one in float";
}

TEST(Calibrate, NoEngineThatDeclaresItsArithmeticIsAccused) {
  std::int64_t admitted = 0, undecided = 0;
  for (const DeclaredRow& row : calibrate_declared(6)) {
    for (const FalseAlarm& alarm : row.first_alarms)
      ADD_FAILURE() << name(alarm.verdict) << " on " << alarm.style << ": " << alarm.message << "\n" << alarm.case_line;
    EXPECT_GT(2 * row.admitted, row.undecided) << row.style;
    admitted += row.admitted;
    undecided += row.undecided;
  }
  EXPECT_GT(admitted, 2 * undecided);
}

TEST(Calibrate, ADamagedElementIsNamedNineteenTimesInTwenty) {
  std::int64_t tried = 0, named = 0;
  for (const DamagedRow& row : calibrate_damaged(80)) {
    tried += row.tried;
    named += row.diverges + row.suspect;
  }
  EXPECT_EQ(tried, 240);
  EXPECT_GE(20 * named, 19 * tried);
}

TEST(Calibrate, EverySeededFaultIsFoundAndMostWithoutY) {
  const std::vector<MutantRow> rows = calibrate_mutants(2);
  EXPECT_THAT(mutants_never_found(rows), testing::IsEmpty());
  EXPECT_GE(rows.size(), 30U);
  std::int64_t tried = 0, missed = 0;
  for (const MutantRow& row : rows) {
    tried += row.tried_without_Y;
    missed += static_cast<std::int64_t>(row.missed_without_Y.size());
  }
  EXPECT_GE(tried, 200);
  EXPECT_LE(50 * missed, tried) << missed << " of " << tried << " were not found by last states alone";
}

TEST(RandomCase, IsAFunctionOfItsNumberAndAlwaysValid) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM}) {
    for (std::uint64_t index = 0; index < 40; ++index) {
      const Case c = random_case(op, index);
      EXPECT_EQ(to_text(c), to_text(random_case(op, index)));
      EXPECT_EQ(expectation_of(make_problem(c)).kind, Expectation::Kind::Accept) << to_text(c);
    }
  }
}

}  // namespace
}  // namespace cellproof::lab
