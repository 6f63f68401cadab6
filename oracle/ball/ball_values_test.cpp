// Balls of numbers that are known by hand: roundings, order, bits, sums.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oracle/ball/ball.hpp"
#include "oracle/ball/dots.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/testing/numbers.hpp"
#include "spec/float_conversion.hpp"

namespace cellproof::oracle {
namespace {

using testing::infinity;

TEST(BallRounding, ToOddLeavesTheSecondRoundingRight) {
  const WorkingPrecision precision(256);
  // Just above and just below a tie between two float16 numbers, by less than a double can hold.
  const double tie = 1 + 0x1p-11;
  EXPECT_EQ(round_to(ElementType::Float16, to_odd(Ball(tie))), 1);
  EXPECT_EQ(round_to(ElementType::Float16, to_odd(Ball(tie) + Ball(0x1p-100))), 1 + 0x1p-10);
  EXPECT_EQ(round_to(ElementType::Float16, to_odd(Ball(tie) - Ball(0x1p-100))), 1);
  const double other = 1 + 3 * 0x1p-11;
  EXPECT_EQ(round_to(ElementType::Float16, to_odd(Ball(other) - Ball(0x1p-100))), 1 + 0x1p-10);
  EXPECT_EQ(round_to(ElementType::Float16, to_odd(-Ball(other) + Ball(0x1p-100))), -1 - 0x1p-10);
}

TEST(BallRounding, ToADoubleIsCorrectAmongSubnormals) {
  const WorkingPrecision precision(256);
  EXPECT_EQ(static_cast<double>(Ball(0x1p-1074) * Ball(1.5) + Ball(0x1p-600) * Ball(0x1p-600)), 0x1p-1073);
  EXPECT_EQ(static_cast<double>(Ball(0x1p-1074) * Ball(0.5)), 0);
  EXPECT_EQ(static_cast<double>(Ball(0x1p-1074) * Ball(0.5) + Ball(0x1p-700) * Ball(0x1p-600)), 0x1p-1074);
  EXPECT_EQ(upper(Ball(0x1p-1074) * Ball(0x1p-500)), 0x1p-1074);
  EXPECT_EQ(lower(Ball(0x1p-1074) * Ball(0x1p-500)), 0);
}

TEST(BallMinMax, HoldBothWhereTheOrderIsNotSure) {
  const WorkingPrecision precision(128);
  Ball wide = 1;
  mag_set_d(arb_radref(wide.arb()), 0.5);
  EXPECT_LE(lower(min(wide, Ball(1.25))), 0.5);
  EXPECT_LE(lower(max(wide, Ball(1.25))), 1.25);
  EXPECT_GE(upper(max(wide, Ball(1.25))), 1.5);
  EXPECT_EQ(max(wide, Ball(2)), 2);
  EXPECT_FALSE(surely_less(by_sign(wide - 1, 7, 3), 7));
  EXPECT_FALSE(surely_less(3, by_sign(wide - 1, 7, 3)));
}

TEST(BallBits, AreThoseOfExactNumbersOnly) {
  EXPECT_EQ(lowest_bit(Ball(0.75)), -2);
  EXPECT_EQ(lowest_bit(Ball(0)), any_grid);
  EXPECT_EQ(lowest_bit(Ball(infinity)), no_grid);
  EXPECT_EQ(lowest_bit(tanh(Ball(1))), no_grid);
  EXPECT_EQ(with_bits(Ball(1) + Ball(0x1p-60), 8), 1);
  EXPECT_EQ(with_bits(Ball(1 + 0x1p-8), 8), 1);  // a tie goes to even
  EXPECT_EQ(with_bits(Ball(1 + 3 * 0x1p-8), 8), 1 + 0x1p-6);
}

TEST(BallMatrix, SumsProductsOfDoublesOfOneScaleExactly) {
  const WorkingPrecision precision(128);
  // Two columns of two rows; 0.1 * 0.3 takes 106 bits.
  BallMatrix matrix({0.1, 2, 0.7, -3}, 2, 2);
  const std::vector<Ball> v{0.3, 0.5};
  std::vector<Ball> sums{0, 1};
  matrix.add_products(0, 2, v.data(), sums);
  EXPECT_EQ(sums[0], Ball(0.1) * Ball(0.3) + Ball(0.7) * Ball(0.5));
  EXPECT_EQ(sums[1], 2 * Ball(0.3) - 1.5 + 1);
  for (const Ball& sum : sums) EXPECT_TRUE(sum.is_exact());
}

TEST(WorkingPrecision, IsPutBack) {
  EXPECT_EQ(WorkingPrecision::bits(), 128);
  {
    const WorkingPrecision outer(256);
    { const WorkingPrecision inner(512); }
    EXPECT_EQ(WorkingPrecision::bits(), 256);
  }
  EXPECT_EQ(WorkingPrecision::bits(), 128);
}

}  // namespace
}  // namespace cellproof::oracle
