#include "oracle/step/preactivation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/step/grid.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

using testing::f32;

SumErrors errors_of(const Addends<double>& a) {
  return {a.terms, f32.u_accumulate};
}

TEST(LowestBit, IsTheGridOfANumber) {
  EXPECT_EQ(lowest_bit(1.0), 0);
  EXPECT_EQ(lowest_bit(0.75), -2);
  EXPECT_EQ(lowest_bit(-96.0), 5);
  EXPECT_EQ(lowest_bit(0.0), any_grid);
  EXPECT_EQ(lowest_bit(5e-324), -1074);
  EXPECT_EQ(lowest_bit(std::numeric_limits<double>::infinity()), no_grid);
}

TEST(Preactivation, OfShortDyadicsIsAPoint) {
  Addends<double> a;
  a.x = 1.25;
  a.h = -0.5;
  a.magnitude = 3;
  a.terms = 8;
  a.grid = -2;
  EXPECT_TRUE(preactivation(a, errors_of(a), Tier::Certified, f32).is_point());
  a.grid = -40;  // 3 with steps of 2^-40 does not fit into 24 bits
  EXPECT_FALSE(preactivation(a, errors_of(a), Tier::Certified, f32).is_point());
  a.grid = -2;
  a.spread = 1e-9;  // the state behind the observed element is not known exactly
  EXPECT_FALSE(preactivation(a, errors_of(a), Tier::Certified, f32).is_point());
}

TEST(Preactivation, RunningBoundIsNeverWiderThanTheCertifiedOne) {
  Addends<double> a;
  a.grid = -60;
  for (const int terms : {6, 60, 600}) {
    a.terms = terms;
    a.magnitude = a.walk = terms;
    a.squares = terms;
    a.x = 0.125;
    EXPECT_LE(preactivation(a, errors_of(a), Tier::Running, f32).radius(),
              preactivation(a, errors_of(a), Tier::Certified, f32).radius());
  }
}

TEST(Preactivation, StructuredSumsStayBelowHalfOfTheRunningBound) {
  // n equal terms round with equal sign inside a binade: the case in which a statistical bound fails.
  for (const int n : {16, 64, 1024, 16384}) {
    const float term = 0.1F;
    float sum = 0;
    Addends<double> a;
    for (int k = 0; k < n; ++k) {
      sum += term;
      a.x += term;
      a.magnitude += term;
      a.walk += std::abs(a.x);
      a.squares += double{term} * term;
    }
    a.terms = n;
    a.grid = -60;
    const double error = std::abs(double{sum} - a.x);
    EXPECT_LE(error, 0.5 * preactivation(a, errors_of(a), Tier::Running, f32).radius()) << n;
  }
}

TEST(Preactivation, MayOverflowInSixteenBitsEvenWhereTermsCancel) {
  const Arithmetic narrow = arithmetic_of(ContractId::Accumulate16, ElementType::Float16);
  Addends<double> a;
  a.x = -50000;
  a.h = 50001;
  a.magnitude = 100001;
  a.terms = 8;
  EXPECT_TRUE(preactivation(a, errors_of(a), Tier::Certified, narrow).has(may_have_overflowed));
  EXPECT_FALSE(preactivation(a, errors_of(a), Tier::Certified, f32).has(may_have_overflowed));
}

TEST(Preactivation, MayOverflowInAPartThatIsStored) {
  Addends<double> in;
  in.x = 1e5;  // more than binary16 holds, and taken back by the other part
  in.h = -1e5;
  in.magnitude = in.walk = 2e5;
  in.terms = 4;
  in.grid = no_grid;
  const auto set = [&](ContractId id) {
    const Arithmetic m = arithmetic_of(id, ElementType::Float16);
    return preactivation(in, {in.terms, m.u_accumulate}, Tier::Certified, m);
  };
  EXPECT_FALSE(set(ContractId::F32Inside).has(may_have_overflowed));
  EXPECT_TRUE(set(ContractId::F32InsideStored).has(may_have_overflowed));
}

// A sum of 2 - 1 + 0.5 - 0.25 + 1 under arithmetic so coarse that every term of its bound shows.
struct CoarseSum {
  Arithmetic m;
  Addends<double> a;
  double total = 4 + 0.5 + 0.75 + 1 + 0.125;

  CoarseSum() {
    m.u_operand = 0x1p-4;
    m.u_input = 0x1p-5;
    m.u_storage = 0x1p-3;
    m.eta_accumulate = 0x1p-10;
    m.eta_storage = 0x1p-9;
    m.largest_accumulated = m.largest_elementwise = m.largest_stored = 100;
    a.x = 2;
    a.h = -1;
    a.Wb = 0.5;
    a.Rb = -0.25;
    a.peephole = 1;
    a.magnitude = 4;
    a.spread = 0.5;
    a.peephole_radius = 0.125;
    a.walk = 3;
    a.squares = 0.5;
    a.terms = 3;
    a.grid = no_grid;
  }
  SumErrors errors() const { return {3, 0x1p-6}; }
  double gamma() const { return 3 * 0x1p-6 / (1 - 3 * 0x1p-6); }
  /// Products of operands and inputs that are rounded.
  double before() const { return (2 + 0x1p-4) * 0x1p-4 * 4.5 + 0x1p-5 * 0.75 + 2 * 0x1p-5 * 1; }
  /// Errors from what is not known, and from what underflows.
  double after() const { return 0.5 + 0.125 + 3 * 0x1p-10; }

  void expect_error(double error, Tier tier = Tier::Certified) const {
    const Enclosure<double> set = preactivation(a, errors(), tier, m);
    EXPECT_EQ(set.centre, 2.25);
    EXPECT_NEAR(set.hi - set.centre, error, 1e-12);
    EXPECT_NEAR(set.centre - set.lo, error, 1e-12);
    EXPECT_EQ(set.flags, 0);
  }
};

TEST(Preactivation, MissesByAllThatIsRoundedAndNotKnown) {
  const CoarseSum sum;
  sum.expect_error(sum.gamma() * sum.total + sum.before() + sum.after());
}

TEST(Preactivation, MissesByItsStorageBesides) {
  CoarseSum sum;
  sum.m.stored_intermediates = true;
  const double added = sum.gamma() * sum.total + sum.before();
  const double stored = 0x1p-3 * (2 + 1 + 2.25 + 0.75 + 3 * 0.5 + 3 * added) * (1 + 4 * 0x1p-3) + 3 * 0x1p-9;
  sum.expect_error(added + stored + sum.after());
}

TEST(Preactivation, MissesByWhatItsFactorsLoseBesides) {
  CoarseSum sum;
  sum.a.lost = 0.375;
  sum.expect_error(sum.gamma() * sum.total + sum.before() + sum.after() + 0.375);
}

TEST(Preactivation, MayOverflowWhereAFactorDoes) {
  CoarseSum sum;
  sum.a.overflows = true;
  const auto set = preactivation(sum.a, sum.errors(), Tier::Certified, sum.m);
  EXPECT_TRUE(set.has(may_have_overflowed));
}

TEST(Preactivation, FollowsThePartialSumsWhereTheyAreShort) {
  CoarseSum sum;
  const double squares = 0.5 + 0.25 + 0.0625 + 1, apart = 0.75 + 1;
  sum.expect_error(running_error(3, squares, 2.25, sum.total, apart, sum.errors()) + sum.before() + sum.after(),
                   Tier::Running);
  sum.a.walk = 1000;
  sum.expect_error(sum.gamma() * sum.total + sum.before() + sum.after(), Tier::Running);
}

TEST(Preactivation, MayOverflow) {
  const auto flags = [](const CoarseSum& sum) {
    return preactivation(sum.a, sum.errors(), Tier::Certified, sum.m).flags;
  };
  CoarseSum sum;
  sum.m.largest_accumulated = sum.total * (1 + sum.gamma());  // partial sums may be larger than exact ones
  EXPECT_EQ(flags(sum), 0);
  sum.m.largest_accumulated -= 0.01;
  EXPECT_EQ(flags(sum), may_have_overflowed);
  CoarseSum stored;
  stored.m.largest_stored = 0;
  EXPECT_EQ(flags(stored), 0);
  stored.m.stored_intermediates = true;
  EXPECT_EQ(flags(stored), may_have_overflowed);
  const double error = preactivation(stored.a, stored.errors(), Tier::Certified, stored.m).radius();
  stored.m.largest_stored = 2 + 0.75 + error + 0.01;
  EXPECT_EQ(flags(stored), 0);
  stored.m.largest_stored -= 0.02;
  EXPECT_EQ(flags(stored), may_have_overflowed);
  stored.a.x = 1;
  stored.a.h = -2;  // with what is not known of it
  stored.m.largest_stored =
      2 + 0.75 + 0.5 + preactivation(stored.a, stored.errors(), Tier::Certified, stored.m).radius();
  EXPECT_EQ(flags(stored), 0);
  stored.m.largest_stored -= 0.02;
  EXPECT_EQ(flags(stored), may_have_overflowed);
}

// All orders of 60 - 4 with half a unit unknown, where 50 is the largest number.
struct LargeSum : CoarseSum {
  double sign;

  explicit LargeSum(double sign_of_sum = 1) : sign(sign_of_sum) {
    m = {};
    m.largest_accumulated = m.largest_elementwise = m.largest_stored = 50;
    a = {};
    a.x = sign * 60;
    a.h = sign * -4;
    a.magnitude = a.walk = 64;
    a.spread = 0.5;
    a.terms = 2;
    a.grid = no_grid;
    a.whole = true;
  }
  Enclosure<double> set() const { return preactivation(a, {2, 0x1p-20}, Tier::Certified, m); }
};

TEST(Preactivation, ReachesTheInfinityOfItsSignAlone) {
  for (const double sign : {1, -1}) {
    const Enclosure<double> set = LargeSum(sign).set();
    EXPECT_EQ(set.flags, reaches_infinity);
    EXPECT_NEAR(set.radius(), 0.5, 1e-3);
    const Enclosure<double> whole = set.to_infinity();
    EXPECT_EQ(whole.flags, 0);
    EXPECT_EQ(sign > 0 ? whole.lo : whole.hi, sign > 0 ? set.lo : set.hi);
    EXPECT_EQ(sign > 0 ? whole.hi : -whole.lo, std::numeric_limits<double>::infinity());
  }
}

TEST(Preactivation, MayOverflowWhereItsOtherSideMay) {
  // 4 and the unknown half, which its error holds once more, and a little for roundings.
  LargeSum sum;
  sum.m.largest_accumulated = 5.01;
  EXPECT_EQ(sum.set().flags, reaches_infinity);
  sum.m.largest_accumulated = 5;
  EXPECT_EQ(sum.set().flags, may_have_overflowed);
}

TEST(Preactivation, MayOverflowWhereItIsAPartOrAmongFormatsThatOverflow) {
  LargeSum part, factor, stored;
  part.a.whole = false;
  factor.a.overflows = true;
  stored.m.stored_intermediates = true;
  for (const LargeSum& sum : {part, factor, stored}) EXPECT_EQ(sum.set().flags, may_have_overflowed);
}

TEST(Preactivation, MayOverflowWhereItsSignIsOpen) {
  LargeSum sum;
  sum.a.x = 32.25;
  sum.a.h = -31.75;  // 0.5, less the half that is not known
  EXPECT_EQ(sum.set().flags, may_have_overflowed);
}

TEST(RunningError, IsThatOfTheLongerWalk) {
  const SumErrors errors(4, 0x1p-6);
  const double of_one = 0x1p-6 * (1 + 4 * 0x1p-6);
  const double random = 0.4 * 4 * 2 * std::sqrt(3.0 / 4 - 0.25) + 0.5 * 4 * 2;
  for (const double sign : {1, -1}) {
    EXPECT_NEAR(running_error(1, 3, sign * 2, 5, 1, errors), of_one * (random + 5 + 2 + 4), 1e-14);
    EXPECT_NEAR(running_error(10, 3, sign * 2, 5, 1, errors), of_one * (10 + 5 + 2 + 4), 1e-14);
  }
  EXPECT_NEAR(running_error(0, 0, 2, 0, 0, errors), of_one * (4 + 4), 1e-14);  // rounding has left no scatter
}

TEST(SumErrors, AreHighamsEvenWhereTheyAreLarge) {
  EXPECT_EQ(SumErrors(8, 0x1p-8).gamma, 0x1p-5 / (1 - 0x1p-5));
  EXPECT_NEAR(SumErrors(600, 0x1p-10).gamma, std::pow(1 + 0x1p-10, 600) - 1, 1e-12);
  EXPECT_EQ(SumErrors(8, 0x1p-8).share, 0.125);
}

TEST(NeverRounded, IsWhatHasRoomOnItsGrid) {
  Arithmetic m;
  EXPECT_FALSE(never_rounded(0, 1, m));
  m.exact_bits = 4;
  m.exact_grid = -3;
  m.largest_accumulated = 100;
  m.largest_elementwise = 50;
  EXPECT_TRUE(never_rounded(-3, 2, m));
  EXPECT_FALSE(never_rounded(-3, 2.125, m));
  EXPECT_FALSE(never_rounded(-4, 0.5, m));
  EXPECT_TRUE(never_rounded(2, 50, m));
  EXPECT_FALSE(never_rounded(2, 51, m));
  EXPECT_TRUE(never_rounded(any_grid, 1e30, m));
  m.largest_accumulated = 40;
  EXPECT_FALSE(never_rounded(2, 41, m));
}

TEST(ProductGrid, IsTheSumUnlessOneIsZeroOrUnknown) {
  EXPECT_EQ(product_grid(-3, 5), 2);
  EXPECT_EQ(product_grid(any_grid, -3), any_grid);
  EXPECT_EQ(product_grid(-3, any_grid), any_grid);
  EXPECT_EQ(product_grid(no_grid, any_grid), any_grid);
  EXPECT_EQ(product_grid(no_grid, -3), no_grid);
  EXPECT_EQ(product_grid(-3, no_grid), no_grid);
}

}  // namespace
}  // namespace cellproof::oracle
