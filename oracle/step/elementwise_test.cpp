#include "oracle/step/elementwise.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::infinity;
using Set = Enclosure<double>;

/// So coarse that every term of a bound shows.
Arithmetic coarse() {
  Arithmetic m;
  m.u_elementwise = 0x1p-3;
  m.u_storage = 0x1p-2;
  m.eta_elementwise = 0x1p-10;
  m.eta_storage = 0x1p-8;
  m.largest_elementwise = 1000;
  m.largest_stored = 100;
  return m;
}

// Roundings of intermediates of 4 and a result of 2, and two that underflow.
constexpr double error = 0x1p-3 * (4 + 2) * (1 + 4 * 0x1p-3) + 2 * 0x1p-10;

TEST(Elementwise, MissesByItsRoundings) {
  const Set result = elementwise(Set{1, 0.5, 2, is_grazing}, 4, true, false, coarse());
  EXPECT_EQ(result.centre, 1);
  EXPECT_NEAR(result.lo, 0.5 - error, 1e-13);
  EXPECT_NEAR(result.hi, 2 + error, 1e-13);
  EXPECT_EQ(result.flags, is_grazing);
}

TEST(Elementwise, MissesByItsStorageBesidesWhereItMayBeStored) {
  Arithmetic m = coarse();
  m.stored_intermediates = true;
  const double stored = error + 0x1p-2 * (2 + error) * (1 + 0x1p-2) + 0x1p-8;
  EXPECT_NEAR(elementwise(Set{1, 0.5, 2, 0}, 4, true, false, m).hi, 2 + stored, 1e-13);
  EXPECT_NEAR(elementwise(Set{1, 0.5, 2, 0}, 4, true, false, m).lo, 0.5 - stored, 1e-13);
  EXPECT_NEAR(elementwise(Set{1, 0.5, 2, 0}, 4, false, false, m).hi, 2 + error, 1e-13);
}

TEST(Elementwise, IsItselfWhereItIsExact) {
  const Set result = elementwise(Set::point(3), 4, true, true, coarse());
  EXPECT_TRUE(result.is_point());
  EXPECT_EQ(result.lo, 3);
}

TEST(Elementwise, MayOverflowBeyondTheLargestNumber) {
  const auto flags = [](const Set& value, double intermediates, bool exact) {
    return elementwise(value, intermediates, false, exact, coarse()).flags;
  };
  for (const bool exact : {false, true}) {
    EXPECT_EQ(flags(Set::point(1000), 0, exact), 0);
    EXPECT_EQ(flags(Set::point(-1001), 0, exact), may_have_overflowed);
    EXPECT_EQ(flags(Set::point(1), 1000, exact), 0);
    EXPECT_EQ(flags(Set::point(1), 1001, exact), may_have_overflowed);
    EXPECT_EQ(flags(Set::point(infinity), 2000, exact), 0);
  }
  Arithmetic m = coarse();
  m.stored_intermediates = true;
  EXPECT_EQ(elementwise(Set::point(100), 0, false, true, m).flags, 0);
  EXPECT_EQ(elementwise(Set::point(101), 0, false, true, m).flags, may_have_overflowed);
}

TEST(SumOfParts, IsOpenWhereAFinitePartMayOverflowBesideAnInfinity) {
  const Set up = Set::point(infinity);
  for (const double size : {1000.0, -1000.0}) {
    EXPECT_TRUE(sum_of_parts(up, Set::point(size), coarse()).is_point());
    for (const Set& open :
         {sum_of_parts(up, Set::point(size * 2), coarse()), sum_of_parts(Set::point(size * 2), up, coarse())}) {
      EXPECT_EQ(open.lo, -infinity);
      EXPECT_EQ(open.hi, infinity);
      EXPECT_TRUE(open.has(may_have_overflowed) && open.has(may_be_nan));
    }
  }
  EXPECT_EQ(sum_of_parts(Set::point(2000), Set::point(3000), coarse()).lo, 5000);
  EXPECT_EQ(sum_of_parts(Set::point(2000), Set::point(3000), coarse()).flags, 0);
}

TEST(BlendOfParts, IsOpenWhereAFinitePartMayOverflowBesideAnInfinity) {
  const auto blended = [](double z, double a, double b) {
    return blend_of_parts(Set::point(z), Set::point(a), Set::point(b), coarse());
  };
  EXPECT_FALSE(blended(0.5, infinity, 2000).has(may_have_overflowed));
  EXPECT_TRUE(blended(0.5, infinity, 2002).has(may_have_overflowed));
  EXPECT_FALSE(blended(0.25, 1333, infinity).has(may_have_overflowed));
  EXPECT_TRUE(blended(0.25, 1334, infinity).has(may_have_overflowed));
  EXPECT_EQ(blended(0.25, 4000, 8000).lo, 5000);
  EXPECT_EQ(blended(0.25, 4000, 8000).flags, 0);
}

}  // namespace
}  // namespace cellproof::oracle
