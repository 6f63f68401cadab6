// Operations on sets that hold infinities, NaN, and jumps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "oracle/element_evaluation.hpp"
#include "oracle/step/activation.hpp"
#include "oracle/step/observation.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

TEST(SpecialSet, SoftsignOfInfinityIsItsLimitOrNan) {
  const Activation softsign{ActivationKind::Softsign, 0, 0, true};
  EXPECT_EQ(value_of(softsign, testing::infinity), 1);
  EXPECT_EQ(value_of(softsign, -testing::infinity), -1);
  const auto set = image(softsign, Enclosure<double>::point(testing::infinity), testing::f32).whole();
  EXPECT_TRUE(set.contains(1));
  EXPECT_TRUE(set.has(may_be_nan));
  EXPECT_TRUE(set.has(is_unspecified));
}

TEST(SpecialSet, ZeroTimesInfinityInAFunctionIsNanOrWhatTheRestOfTheFormulaSays) {
  const auto of_infinity = [](ActivationKind kind, double alpha, double beta) {
    return image(Activation{kind, alpha, beta, true}, Enclosure<double>::point(testing::infinity), testing::f32)
        .whole();
  };
  for (const auto& set : {of_infinity(ActivationKind::Affine, 0, 1), of_infinity(ActivationKind::HardSigmoid, 0, 0.5),
                          of_infinity(ActivationKind::ScaledTanh, 1, 0)}) {
    EXPECT_TRUE(set.has(may_be_nan));
    EXPECT_TRUE(set.has(is_unspecified));
  }
}

TEST(SpecialSet, AProductReachesTheProductsOfItsEndsAndNoFurther) {
  using Set = Enclosure<double>;
  const std::vector<Set> sets{
      {-2, -3, -2, 0}, {1, -2, 5, 0}, {-1, -5, 2, 0}, {2, 2, 3, 0}, {3, 2, testing::infinity, 0}};
  for (const Set& a : sets) {
    for (const Set& b : sets) {
      const Set product = special_product(a, b);
      if (product.has(may_be_nan)) continue;  // an infinite end and one that may be 0
      const auto [least, most] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
      EXPECT_EQ(product.lo, least) << a.lo << " to " << a.hi << " times " << b.lo << " to " << b.hi;
      EXPECT_EQ(product.hi, most) << a.lo << " to " << a.hi << " times " << b.lo << " to " << b.hi;
    }
  }
}

TEST(SpecialSet, WhatMayHaveOverflowedOrMayBeNanVerifiesNothing) {
  const auto class_of = [](const Enclosure<double>& set, double observed) {
    return element_of(set, match(set, observed, testing::f32), observed, testing::f32).cls;
  };
  using Set = Enclosure<double>;
  EXPECT_EQ(class_of(Set::point(1), 1), ElementClass::Exact);
  EXPECT_EQ(class_of(Set::anything(1, 0), 1), ElementClass::Unverifiable);
  EXPECT_EQ(class_of(Set::point(1).with(may_have_overflowed), 1), ElementClass::Rounding);
  EXPECT_EQ(class_of(Set::point(1).with(may_have_overflowed), 2), ElementClass::Unverifiable);
  EXPECT_EQ(class_of(Set::nan(), std::nan("")), ElementClass::Exact);
  EXPECT_EQ(class_of(Set::point(1).with(may_be_nan), std::nan("")), ElementClass::Unverifiable);
}

TEST(SpecialSet, AnElementThatMayLieOnEitherSideOfAJumpVerifiesNothing) {
  Enclosure<double> kept{0.5, 0.5, 0.5, 0};
  const auto cls = [&] { return element_of(kept, match(kept, 0.5, testing::f32), 0.5, testing::f32).cls; };
  EXPECT_EQ(cls(), ElementClass::Exact);
  kept.flags = is_branched;
  EXPECT_EQ(cls(), ElementClass::Unresolved);
}

}  // namespace
}  // namespace cellproof::oracle
