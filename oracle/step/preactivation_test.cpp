#include "oracle/step/preactivation.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cellproof::oracle
