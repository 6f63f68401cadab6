#include "reference/real.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/bin_float_real.hpp"
#include "reference/mpfr_real.hpp"

namespace cellproof::reference {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

Mpfr50 to_mpfr(const BinFloat50& x) {
  return Mpfr50(x.str(60, std::ios_base::scientific));
}

void expect_close(const BinFloat50& ours, const Mpfr50& theirs, double x) {
  const Mpfr50 error = abs(to_mpfr(ours) - theirs);
  // e^x multiplies the relative error of its argument by x: no 50-digit evaluation does better.
  EXPECT_LE(error, abs(theirs) * Mpfr50("1e-49") * std::max(1.0, std::abs(x))) << "x = " << x;
}

TEST(BinFloat50Functions, HaveTheRelativeAccuracyOfTheTypeEverywhere) {
  using F = Functions<BinFloat50>;
  using G = Functions<Mpfr50>;
  for (double magnitude = 5e-324; magnitude < 1e6; magnitude *= 7.3) {
    for (double x : {magnitude, -magnitude}) {
      expect_close(F::exp(x), G::exp(x), x);
      expect_close(F::expm1(x), G::expm1(x), x);
    }
    if (magnitude <= 1) expect_close(F::log1p(magnitude), G::log1p(magnitude), magnitude);
  }
  for (double x : {-0.5, -0.499, 0.499, 0.5, 1.0}) expect_close(F::expm1(x), G::expm1(x), x);
  expect_close(F::log1p(1), G::log1p(1), 1);
}

template <class Real>
class NumberType : public ::testing::Test {};
using RealTypes = ::testing::Types<double, BinFloat50, Mpfr50>;
TYPED_TEST_SUITE(NumberType, RealTypes);

TYPED_TEST(NumberType, TreatsInfinityAndNanAsIeeeDoes) {
  using F = Functions<TypeParam>;
  const TypeParam inf(std::numeric_limits<double>::infinity()), zero(0), one(1), not_a_number(nan);
  EXPECT_TRUE(F::is_nan(inf - inf));
  EXPECT_TRUE(F::is_nan(inf * zero));
  EXPECT_TRUE(F::is_nan(not_a_number + one));
  EXPECT_TRUE(F::is_nan(not_a_number * zero));
  EXPECT_TRUE(F::is_infinite(inf + one));
  EXPECT_TRUE(F::is_negative(-inf));
  EXPECT_EQ(one / inf, zero);
  EXPECT_FALSE(not_a_number < one);
  EXPECT_FALSE(not_a_number >= one);
  EXPECT_FALSE(not_a_number == not_a_number);
  EXPECT_EQ(F::exp(-inf), zero);
  EXPECT_TRUE(F::is_infinite(F::exp(inf)));
  EXPECT_EQ(F::expm1(-inf), -one);
  EXPECT_TRUE(F::is_nan(F::expm1(not_a_number)));
  EXPECT_TRUE(F::is_nan(F::log1p(not_a_number)));
  EXPECT_EQ(F::log1p(zero), zero);
  EXPECT_EQ(F::expm1(zero), zero);
}

}  // namespace
}  // namespace cellproof::reference
