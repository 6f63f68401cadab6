#include "lab/mutation/reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "spec/case_text.hpp"

namespace cellproof::lab {
namespace {

std::int64_t median(std::vector<MutantReduction> list, const auto& number_of) {
  std::ranges::sort(list, {}, number_of);
  return number_of(list.at((list.size() - 1) / 2));
}

TEST(MutantReductions, LeaveFewNumbersForFewCalls) {
  // A slice of the suite: all of it takes minutes, and is what `cellproof lab mutants reduce` is for.
  std::vector<corpus::SuiteCase> cases = corpus::load_suite("smoke").cases;
  std::erase_if(cases, [](const corpus::SuiteCase& made) { return made.c.version.op != Operator::RNN; });
  const std::vector<MutantReduction> list = reduce_mutants(cases);
  ASSERT_GE(list.size(), 80U);
  EXPECT_LE(median(list, [](const MutantReduction& row) { return row.left.all; }), 12);
  EXPECT_LE(median(list, [](const MutantReduction& row) { return row.calls; }), 100);
  for (const MutantReduction& row : list) {
    EXPECT_LE(row.calls, 200) << row.id;
    EXPECT_LE(row.left.not_zero, row.start.all) << row.id;
    EXPECT_NO_THROW(parse_case(row.case_line)) << row.case_line;
  }
}

}  // namespace
}  // namespace cellproof::lab
