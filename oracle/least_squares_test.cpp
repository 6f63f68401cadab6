#include "oracle/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cellproof::oracle {
namespace {

TEST(LeastSquares, FindsWhatACurveWasMadeOf) {
  const auto off_the_curve = [](const std::vector<double>& x) {
    std::vector<double> off;
    for (int t = 0; t < 8; ++t) off.push_back(x[0] * std::exp(-x[1] * t) - 3 * std::exp(-0.5 * t));
    return off;
  };
  const LeastSquares found = least_squares(off_the_curve, {1, 0.1});
  EXPECT_NEAR(found.unknowns[0], 3, 1e-6);
  EXPECT_NEAR(found.unknowns[1], 0.5, 1e-6);
  EXPECT_LT(found.fit, 1e-8);
  EXPECT_LT(found.largest_error, 1e-5) << "four points each show both";
}

TEST(LeastSquares, SaysHowFarOffItStaysWhereNothingFits) {
  const LeastSquares found = least_squares(
      [](const std::vector<double>& x) {
        return std::vector<double>{x[0] - 1, x[0] + 1};
      },
      {5});
  EXPECT_NEAR(found.unknowns[0], 0, 1e-6);
  EXPECT_NEAR(found.fit, 1, 1e-9);
}

/// An unknown that one residual alone depends on is shown once, and one that none depends on never.
TEST(LeastSquares, TakesNothingForShownThatHalfOfTheResidualsDoNotShow) {
  const auto shown_once = [](const std::vector<double>& x) { return std::vector<double>{x[0] - 2, 0, 0, 0}; };
  EXPECT_EQ(least_squares(shown_once, {0}).largest_error, std::numeric_limits<double>::infinity());
  const auto never_shown = [](const std::vector<double>& x) {
    return std::vector<double>{x[0] - 2, x[0] - 2, x[0] - 2, x[0] - 2};
  };
  EXPECT_EQ(least_squares(never_shown, {0, 0}).largest_error, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace cellproof::oracle
