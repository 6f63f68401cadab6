#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "oracle/step/activation.hpp"
#include "oracle/step/observation.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;
using testing::infinity;
using Set = Enclosure<double>;
constexpr double u = 0x1p-24;

Image<double> of(ActivationKind kind, const Set& x, double alpha = 0, double beta = 0) {
  return image(Activation{kind, alpha, beta, true}, x, f32);
}

TEST(Image, OfTanhNearZeroHasAnAbsoluteFloor) {
  // (1 - e) / (1 + e) with e = exp(-2e-9) rounded to 1 is 0: an error of 1e-9, far more than 4 ulps of 1e-9.
  EXPECT_TRUE(of(ActivationKind::Tanh, Set::point(1e-9)).whole().contains(0));
  EXPECT_LT(of(ActivationKind::Tanh, Set::point(1e-9)).whole().radius(), 8 * u);
}

TEST(Image, OfSigmoidFarOutHasAnAbsoluteFloor) {
  // A clamped rational kernel gives -6e-8 where the function is 1e-9.
  EXPECT_TRUE(of(ActivationKind::Sigmoid, Set::point(-20.0)).whole().contains(-6e-8));
}

TEST(Image, OfAShortArgumentHoldsTheValuesAtItsEndsAndLittleMore) {
  const Arithmetic f64 = arithmetic_of(ContractId::F64, ElementType::Double);
  const std::pair<ActivationKind, double (*)(double)> functions[] = {
      {ActivationKind::Tanh, [](double x) { return std::tanh(x); }},
      {ActivationKind::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {ActivationKind::Softplus, [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }}};
  for (const auto& [kind, f] : functions) {
    for (double x = -40; x <= 40; x += 0.37) {
      for (const double r : {0x1p-6, 0x1p-7, 1e-4, 1e-9}) {
        const Set argument{x, x - r, x + r / 3, 0};
        const Set y = image(Activation{kind, 0, 0, true}, argument, f64).whole();
        const double low = f(argument.lo), high = f(argument.hi);
        EXPECT_TRUE(y.contains(low) && y.contains(high)) << static_cast<int>(kind) << " at " << x << " within " << r;
        EXPECT_LE(y.hi - y.lo, (high - low) * (1 + 8 * r) + 1e-13 * std::max(1.0, std::abs(x)));
      }
    }
  }
}

TEST(Image, OfIdentityBranchesIsExact) {
  for (const auto kind : {ActivationKind::Relu, ActivationKind::Elu, ActivationKind::LeakyRelu}) {
    const Set y = of(kind, Set::point(0.7), 1).whole();
    EXPECT_TRUE(y.is_point());
    EXPECT_EQ(y.centre, 0.7);
  }
}

TEST(Image, HasTwoPartsWhereThresholdedReluJumps) {
  const Image<double> jump = of(ActivationKind::ThresholdedRelu, Set::around(0.3, 1e-7), 0.3);
  ASSERT_EQ(jump.count, 2);
  EXPECT_TRUE(jump.parts[0].has(is_branched));
  EXPECT_EQ(of(ActivationKind::ThresholdedRelu, Set::around(0.4, 1e-7), 0.3).count, 1);
  EXPECT_EQ(of(ActivationKind::ThresholdedRelu, Set::around(0.2, 1e-7), 0.3).whole().hi, 0);
}

TEST(Image, OfThresholdedReluDoesNotJumpWhereItsAlphaIsZero) {
  for (const double centre : {-1e-8, 0.0, 1e-8}) {
    const Image<double> y = of(ActivationKind::ThresholdedRelu, Set::around(centre, 1e-7), 0);
    ASSERT_EQ(y.count, 1);
    EXPECT_FALSE(y.parts[0].has(is_branched));
    EXPECT_EQ(y.parts[0].lo, 0);
    EXPECT_EQ(y.parts[0].hi, centre + 1e-7);
  }
}

TEST(Image, OfThresholdedReluAtEqualityIsWhatTheReadingSays) {
  Activation a{ActivationKind::ThresholdedRelu, 0.5, 0, true};
  EXPECT_EQ(image(a, Set::point(0.5), f32).whole().centre, 0.5);
  a.keeps_equal = false;
  EXPECT_EQ(image(a, Set::point(0.5), f32).whole().centre, 0);
}

TEST(Image, KeepsNanExceptThroughComparisons) {
  for (const auto kind :
       {ActivationKind::Tanh, ActivationKind::Sigmoid, ActivationKind::Affine, ActivationKind::Softplus,
        ActivationKind::Elu, ActivationKind::LeakyRelu, ActivationKind::Softsign}) {
    const Set y = of(kind, Set::nan(), 1).whole();
    EXPECT_TRUE(y.empty() && y.has(may_be_nan)) << static_cast<int>(kind);
    EXPECT_FALSE(y.has(is_unspecified));
  }
  const Set relu = of(ActivationKind::Relu, Set::nan()).whole();
  EXPECT_TRUE(relu.contains(0) && relu.has(may_be_nan) && relu.has(is_unspecified));
}

TEST(Image, OfInfinityIsTheLimit) {
  EXPECT_NEAR(of(ActivationKind::Tanh, Set::point(-infinity)).whole().centre, -1, 0);
  EXPECT_NEAR(of(ActivationKind::Sigmoid, Set::point(-infinity)).whole().centre, 0, 0);
  EXPECT_EQ(of(ActivationKind::HardSigmoid, Set::point(infinity), 0.2, 0.5).whole().lo, 1);
  EXPECT_EQ(of(ActivationKind::Softplus, Set::point(infinity)).whole().centre, infinity);
  EXPECT_TRUE(of(ActivationKind::Softsign, Set::point(infinity)).whole().has(is_unspecified));  // inf / inf as written
}

TEST(Image, OfInfinityMayBeNanWhereAParameterMayBeFlushed) {
  const Set up_to_infinity{1, 0, infinity, 0};
  const Arithmetic flushing = arithmetic_of(ContractId::F32Ftz, ElementType::Float);
  for (const float alpha : {1e-40F, -1e-40F, 0.0F, 1.0F}) {
    const Activation line{ActivationKind::Affine, alpha, 0, true};
    const bool may_be_zero = std::abs(alpha) < 0.5F;
    EXPECT_EQ(image(line, up_to_infinity, flushing).whole().has(may_be_nan), may_be_zero) << alpha;
    EXPECT_EQ(image(line, up_to_infinity, f32).whole().has(may_be_nan), alpha == 0) << alpha;
  }
}

TEST(Image, OfInfinityIsNanWhereASlopeMayBeFlushedAndANumberWhereItMayNot) {
  const Arithmetic flushing = arithmetic_of(ContractId::F32Ftz, ElementType::Float);
  const Activation leaky{ActivationKind::LeakyRelu, 1e-40F, 0, true};
  EXPECT_TRUE(image(leaky, Set::point(-infinity), flushing).whole().has(may_be_nan));
  EXPECT_FALSE(image(leaky, Set::point(-infinity), f32).whole().has(may_be_nan));
}

TEST(Image, OfInfinityThroughAFormulaThatGivesNanThereHasEndsThatAreNumbers) {
  for (const ActivationKind kind : {ActivationKind::Softsign, ActivationKind::Affine, ActivationKind::LeakyRelu,
                                    ActivationKind::HardSigmoid, ActivationKind::Elu, ActivationKind::ScaledTanh}) {
    for (const Set& x :
         {Set::point(infinity), Set::point(-infinity), Set{0, -infinity, 1, 0}, Set{1, 0, infinity, 0}}) {
      const Set y = of(kind, x).parts[0];
      for (const double end : {y.lo, y.centre, y.hi}) EXPECT_FALSE(std::isnan(end)) << static_cast<int>(kind);
    }
  }
}

TEST(Image, OfWhatReachesAnInfinityIsKnownWhereItIsBounded) {
  const auto flags = [](ActivationKind kind, std::uint8_t more = 0) {
    const Set reaching{5e38, 4e38, 6e38, static_cast<std::uint8_t>(reaches_infinity | more)};
    return of(kind, reaching, 0.5, 0.5).whole().flags;
  };
  for (const ActivationKind kind : {ActivationKind::Tanh, ActivationKind::Sigmoid, ActivationKind::HardSigmoid})
    EXPECT_TRUE(is_ordinary(flags(kind)));
  for (const ActivationKind kind : {ActivationKind::Relu, ActivationKind::Affine, ActivationKind::ThresholdedRelu})
    EXPECT_EQ(flags(kind), may_have_overflowed);
  EXPECT_EQ(flags(ActivationKind::Softsign), may_have_overflowed);  // infinity / infinity
  // Of what an overflow may be behind nothing is known, bounded or not.
  for (const ActivationKind kind : {ActivationKind::Tanh, ActivationKind::Relu})
    EXPECT_EQ(flags(kind, may_have_overflowed), may_have_overflowed);
}

TEST(Match, OfAZeroWidthSetHasAFiniteRatioInside) {
  const Arithmetic inside = arithmetic_of(ContractId::F32Inside, ElementType::Float16);
  EXPECT_EQ(match(Set::point(0.5), 0.5, inside).ratio, 0);
  EXPECT_TRUE(match(Set::point(0.5), 0.5, inside).inside);
  const Match off = match(Set::point(0.5), 0.5 + 0x1p-11, inside);
  EXPECT_FALSE(off.inside);
  EXPECT_GT(off.ratio, 1);
  EXPECT_TRUE(std::isfinite(off.ratio));
}

TEST(Match, RoundsOnceToNearestInSixteenBits) {
  const Arithmetic inside = arithmetic_of(ContractId::F32Inside, ElementType::Float16);
  const Set wide = Set::around(1 + 0x1p-11 - 0x1p-20, 0x1p-22);  // just below the tie between 1 and 1 + 2^-10
  EXPECT_TRUE(match(wide, 1.0, inside).inside);
  EXPECT_FALSE(match(wide, 1.0 + 0x1p-10, inside).inside);
}

TEST(Match, AdmitsInfinityOnlyBeyondTheLargestNumber) {
  const Arithmetic inside = arithmetic_of(ContractId::F32Inside, ElementType::Float16);
  EXPECT_TRUE(match(Set::around(70000, 1), infinity, inside).inside);
  EXPECT_FALSE(match(Set::around(60000, 1), infinity, inside).inside);
  EXPECT_FALSE(match(Set::around(60000, 1), std::nan(""), inside).inside);
}

TEST(FedBack, CoversTheRoundedAndTheUnroundedState) {
  const Arithmetic inside = arithmetic_of(ContractId::F32Inside, ElementType::Float16);
  const double wide = 1 + 0x1p-12;
  const Set state = fed_back(Set::around(wide, 0x1p-30), inside);
  EXPECT_TRUE(state.contains(1.0));
  EXPECT_TRUE(state.contains(wide));
}

}  // namespace
}  // namespace cellproof::oracle
