#include "oracle/quantized/product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "oracle/faulty_step/faulty_quantisation.hpp"
#include "oracle/quantized/testing/over.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;
using testing::over;
using Set = Enclosure<double>;

constexpr double u = 0x1p-24;

QuantizedMatrix matrix(int depth, int rows, std::vector<double> integers, std::vector<double> scales) {
  return {depth, rows, std::move(integers), std::move(scales), {}};
}

std::vector<Set> products(const QuantizedMatrix& m, const Quantiser<double>& q, std::initializer_list<double> values) {
  std::vector<Digit> digits;
  for (const double v : values) digits.push_back(q.digit(Set::point(v)));
  std::vector<Set> result;
  QuantizedProduct<double>(m, f32).multiply(digits, q, result);
  return result;
}

TEST(QuantizedMatrix, KnowsHowMuchEachRowCanAddUpTo) {
  QuantizedMatrix m = matrix(3, 2, {7, -4, -5, 100, 0, -1}, {0.5, 0.25});
  m.summarise();
  EXPECT_EQ(m.magnitudes, (std::vector<double>{12, 105}));
}

TEST(QuantizedProduct, AddsIntegersExactlyAndScalesByRow) {
  // Range -100 to 155: scale 1. Row 0: 2 * 7 - 3 * 5 = -1, row 1: 2 * -4 - 3 * 100 = -308.
  const auto p = products(matrix(2, 2, {7, -4, 5, 100}, {0.5, 0.25}), over({-100, 155}), {2, -3});
  EXPECT_EQ(p[0].centre, -0.5);
  EXPECT_EQ(p[1].centre, -77);
  for (const Set& s : p) EXPECT_LE(s.radius(), 6 * u * std::abs(s.centre)) << "scale 3 roundings, products 2";
  for (const Set& s : p) EXPECT_GE(s.radius(), 4 * u * std::abs(s.centre));
}

TEST(QuantizedProduct, OpensByTheWholeWeightAtATie) {
  // 2.5 may be 2 or 3; 7 stands beside it.
  const auto p = products(matrix(2, 2, {10, -10, 1, 1}, {1, 1}), over({0, 255}), {2.5, 7});
  EXPECT_EQ(p[0].centre, 27);
  EXPECT_NEAR(p[0].lo, 27, 1e-4);
  EXPECT_NEAR(p[0].hi, 37, 1e-4);
  EXPECT_NEAR(p[1].lo, -23, 1e-4);
  EXPECT_NEAR(p[1].hi, -13, 1e-4);
}

TEST(QuantizedProduct, IsExactlyZeroWhereTheSumIs) {
  const auto p = products(matrix(2, 1, {3, 1}, {0.1}), over({-100, 155}), {2, -6});
  EXPECT_TRUE(p[0].is_point());
  EXPECT_EQ(p[0].centre, 0);
}

TEST(QuantizedProduct, LosesWhatPairsOfSignedBytesHaveNoRoomForUnderTheSwitch) {
  // Range -5 to 250: scale 1, zero point 5. The codes are 255, 250, 5: a pair, and one alone. Zero points of
  // weights: 2.
  QuantizedMatrix m = matrix(3, 2, {125, 8, 125, 8, 125, 8}, {1, 1});
  m.zero_points = {2, 2};
  const auto sums = [&](bool is_signed) {
    m.has_signed_codes = is_signed;
    const Quantiser<double> q = over({-5, 250});
    std::vector<Digit> digits;
    for (const double v : {250.0, 245.0, 0.0}) digits.push_back(q.digit(Set::point(v)));
    std::vector<Set> result;
    faulty_product_of<double>(m, f32, {.pairs_saturate = true})->multiply(digits, q, result);
    return std::pair{result[0].centre, result[1].centre};
  };
  constexpr double exact = 125 * 250 + 125 * 245, lost = 127 * 255 + 127 * 250 - 32767;
  EXPECT_EQ(sums(true), (std::pair{exact - lost, 8.0 * 250 + 8 * 245}));
  EXPECT_EQ(sums(false).first, exact) << "bytes without sign are multiplied otherwise";
}

TEST(QuantizedProduct, RoundsSumsAbove2To24OnceMore) {
  const int depth = 300;  // 300 * 255 * 255 = 19507500, above 2^24
  const QuantizedMatrix m = matrix(depth, 1, std::vector<double>(depth, 255), {1});
  std::vector<Digit> digits(depth, Digit{255, 255, 255, false});
  std::vector<Set> large, small;
  QuantizedProduct<double>(m, f32).multiply(digits, over({0, 255}), large);
  digits.resize(250);
  QuantizedProduct<double>(m, f32).multiply(digits, over({0, 255}), small);
  EXPECT_NEAR(large[0].radius() / large[0].centre - small[0].radius() / small[0].centre, u, 0.01 * u);
}

TEST(QuantizedProduct, AllowsForScalesWhoseProductUnderflows) {
  const auto scale = static_cast<float>(0x1p-70), weight_scale = static_cast<float>(1.37 * 0x1p-76);
  const Quantiser<double> q = over({0, 255 * 0x1p-70});
  const auto p = products(matrix(1, 1, {100}, {static_cast<double>(weight_scale)}), q, {7 * 0x1p-70});
  const float scales_first = 700 * (scale * weight_scale), sum_first = 700 * scale * weight_scale;
  ASSERT_NE(scales_first, sum_first);
  EXPECT_TRUE(p[0].contains(static_cast<double>(scales_first)));
  EXPECT_TRUE(p[0].contains(static_cast<double>(sum_first)));
}

TEST(QuantizedProduct, ProvesNothingOfASumThatInt32DoesNotHold) {
  const std::vector<Digit> digits{{250, 250, 250, false}};
  std::vector<Set> result;
  QuantizedProduct<double>(matrix(1, 2, {8e6, 9e6}, {1, 1}), f32).multiply(digits, over({0, 255}), result);
  EXPECT_FALSE(result[0].has(may_have_overflowed)) << "2.0e9";
  EXPECT_TRUE(result[1].has(may_have_overflowed)) << "2.25e9";
}

TEST(QuantizedProduct, SaysNothingAfterAnOverflow) {
  EXPECT_FALSE(products(matrix(1, 1, {1}, {3e38}), over({0, 25500}), {7})[0].is_finite()) << "scale times scale";
  EXPECT_TRUE(products(matrix(1, 1, {100}, {3e37}), over({0, 255}), {7})[0].has(may_have_overflowed));
  EXPECT_FALSE(products(matrix(1, 1, {1}, {NAN}), over({0, 255}), {7})[0].is_finite());
}

TEST(QuantizedProduct, MayOverflowOnItsWayWhereTheSumMeetsOneScaleFirst) {
  const auto of_x = products(matrix(1, 1, {250}, {1e-10}), over({0, 255e35}), {250e35});
  EXPECT_TRUE(of_x[0].has(may_have_overflowed)) << "62500 times 1e35, then 1e-10";
  const auto of_weights = products(matrix(1, 1, {250}, {1e35}), over({0, 255e-10}), {250e-10});
  EXPECT_TRUE(of_weights[0].has(may_have_overflowed)) << "62500 times 1e35, then 1e-10";
  EXPECT_FALSE(products(matrix(1, 1, {1}, {1e-10}), over({0, 255e35}), {1e35})[0].has(may_have_overflowed));
}

TEST(QuantizedProduct, OfBallsLiesWithinThatOfDoubleAndIsNearlyAsWide) {
  const WorkingPrecision precision(128);
  const QuantizedMatrix m = matrix(2, 3, {10, -10, 0, 1, 1, 0}, {0.1, 1e-30, 3});
  const std::vector<Digit> digits{{2, 2, 3, false}, {-7, -7, -7, false}};
  std::vector<Set> rough;
  std::vector<Enclosure<Ball>> fine;
  QuantizedProduct<double>(m, f32).multiply(digits, over({-1, 0.3}), rough);
  QuantizedProduct<Ball>(m, f32).multiply(digits, over<Ball>({-1, 0.3}), fine);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_GE(lower(fine[r].lo), rough[r].lo) << r;
    EXPECT_LE(upper(fine[r].hi), rough[r].hi) << r;
    EXPECT_NEAR(fine[r].radius(), rough[r].radius(), 1e-6 * rough[r].radius()) << r;
  }
  EXPECT_TRUE(fine[2].is_point());
}

}  // namespace
}  // namespace cellproof::oracle
