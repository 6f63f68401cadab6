#include "lab/bench/statistics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace cellproof::lab::bench {
namespace {

TEST(Statistics, TheMedianOfAnOddSampleIsItsMiddle) {
  EXPECT_DOUBLE_EQ(quantile_of({5, 1, 9}, 0.5), 5);
  EXPECT_DOUBLE_EQ(quantile_of({7}, 0.25), 7);
}

TEST(Statistics, BetweenTwoElementsAQuantileIsBetweenThem) {
  EXPECT_DOUBLE_EQ(quantile_of({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile_of({10, 20}, 0.25), 12.5);
}

TEST(Statistics, QuartersEncloseTheMedian) {
  const Spread spread = spread_of({9, 1, 2, 8, 5, 4, 6, 3, 7});
  EXPECT_DOUBLE_EQ(spread.median, 5);
  EXPECT_DOUBLE_EQ(spread.lower, 3);
  EXPECT_DOUBLE_EQ(spread.upper, 7);
}

TEST(Statistics, AMachineThatSlowsDownForOneRoundDoesNotMoveTheRatio) {
  const std::vector<double> ours{1, 1, 10, 1, 1}, theirs{2, 2, 20, 2, 2};
  const Spread ratio = spread_of_ratios(theirs, ours);
  EXPECT_DOUBLE_EQ(ratio.median, 2);
  EXPECT_DOUBLE_EQ(ratio.lower, 2);
  EXPECT_DOUBLE_EQ(ratio.upper, 2);
}

TEST(Statistics, NothingMeasuredHasNoMiddle) {
  EXPECT_THROW(spread_of({}), std::invalid_argument);
  const std::vector<double> two{1, 2}, one{1};
  EXPECT_THROW(spread_of_ratios(two, one), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof::lab::bench
