#include "lab/bench/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <stdexcept>

#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::lab::bench {
namespace {

TEST(Rows, EveryRowHasANameOfItsOwnAndACaseThatSurvivesItsText) {
  std::set<std::string> names;
  for (const auto* list : {&engine_rows(), &judge_rows()}) {
    for (const Row& row : *list) {
      EXPECT_TRUE(names.insert(row.group + "/" + row.name).second) << row.name;
      EXPECT_EQ(parse_case(to_text(row.c)), row.c) << row.name;
    }
  }
}

TEST(Rows, EverySmallRowIsAValidProblem) {
  for (const Row& row : engine_rows()) {
    if (row.c.H > 128) continue;
    EXPECT_EQ(expectation_of(make_problem(row.c)).kind, Expectation::Kind::Accept) << row.name;
  }
}

TEST(Rows, RaggedLengthsAreHalfOfTheStepsInTheMean) {
  for (const Row& row : rows_named(engine_rows(), {"ragged"})) {
    const Problem problem = make_problem(row.c);
    const Tensor& lengths = *problem.input(input::sequence_lens);
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < lengths.size(); ++n) sum += lengths.integer(n);
    EXPECT_NEAR(static_cast<double>(sum) / static_cast<double>(row.c.N), static_cast<double>(row.c.T) / 2, 1)
        << row.name;
  }
}

TEST(Rows, OfSixteenBitsHaveARowInFloatToCompareWith) {
  int compared = 0;
  for (const Row& row : rows_named(engine_rows(), {"16-bit"})) {
    std::string in_float = row.name;
    const std::string type = "-" + std::string(onnx_name(row.c.type));
    ASSERT_NE(in_float.find(type), std::string::npos) << row.name;
    in_float.erase(in_float.find(type), type.size());
    EXPECT_EQ(rows_named(engine_rows(), {in_float}).size(), 1U) << row.name;
    ++compared;
  }
  EXPECT_EQ(compared, 12);
}

TEST(Rows, WithStatesHaveThem) {
  const auto rows = rows_named(engine_rows(), {"lstm-T1-N1-I128-H128-states"});
  ASSERT_EQ(rows.size(), 1U);
  const Problem problem = make_problem(rows[0].c);
  EXPECT_NE(problem.input(input::initial_h), nullptr);
  EXPECT_NE(problem.input(input::initial_c), nullptr);
}

TEST(Rows, AreChosenByNameOrByGroup) {
  EXPECT_EQ(rows_named(engine_rows(), {}).size(), engine_rows().size());
  EXPECT_EQ(rows_named(engine_rows(), {"quantised"}).size(), 12U);
  const auto one = rows_named(engine_rows(), {"lstm-T1-N1-I64-H64"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].c.H, 64);
  try {
    rows_named(engine_rows(), {"nonsense"});
    FAIL() << "a row that is not there was found";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("nonsense"));
  }
}

}  // namespace
}  // namespace cellproof::lab::bench
