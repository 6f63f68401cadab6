#include "oracle/step/arithmetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace cellproof::oracle {
namespace {

constexpr double Arithmetic::*errors[] = {
    &Arithmetic::u_storage,           &Arithmetic::u_accumulate,    &Arithmetic::u_elementwise,
    &Arithmetic::u_operand,           &Arithmetic::u_input,         &Arithmetic::u_attribute,
    &Arithmetic::eta_storage,         &Arithmetic::eta_accumulate,  &Arithmetic::eta_elementwise,
    &Arithmetic::activation_relative, &Arithmetic::activation_floor};
constexpr double Arithmetic::*limits[] = {&Arithmetic::largest_accumulated, &Arithmetic::largest_elementwise,
                                          &Arithmetic::largest_stored};

/// Each of its numbers is another one.
Arithmetic counting_from(double first) {
  Arithmetic a;
  for (const auto error : errors) a.*error = first++;
  for (const auto limit : limits) a.*limit = 100 * first++;
  a.exact_bits = 8;
  a.exact_grid = -20;
  return a;
}

TEST(Arithmetic, OfAContractIsItsRow) {
  const Arithmetic f16 = arithmetic_of(ContractId::Elementwise16, ElementType::Float16);
  EXPECT_EQ(f16.u_storage, 0x1p-11);
  EXPECT_EQ(f16.u_accumulate, 0x1p-24);
  EXPECT_EQ(f16.u_elementwise, 0x1p-11);
  EXPECT_EQ(f16.u_attribute, 0x1p-11);
  EXPECT_EQ(f16.u_input, 0);
  EXPECT_EQ(f16.activation_relative, 2 * 0x1p-11);
  EXPECT_EQ(f16.activation_floor, 0x1p-11);
  EXPECT_EQ(f16.eta_storage, 0x1p-24);
  EXPECT_EQ(f16.largest_stored, 65504 * (1 - 0x1p-9));
  EXPECT_TRUE(f16.stored_intermediates);
  EXPECT_EQ(f16.exact_bits, 0);

  const Arithmetic via = arithmetic_of(ContractId::F64ViaF32, ElementType::Double);
  EXPECT_EQ(via.u_storage, 0x1p-53);
  EXPECT_EQ(via.u_input, 0x1p-24);
  EXPECT_EQ(via.u_operand, 0x1p-24);
  EXPECT_EQ(via.u_attribute, 0x1p-24);
  EXPECT_EQ(via.eta_storage, 0x1p-149);
  EXPECT_EQ(via.activation_relative, 8 * 0x1p-24);

  const Arithmetic plain = arithmetic_of(ContractId::F32, ElementType::Float);
  EXPECT_EQ(plain.exact_bits, 24);
  EXPECT_EQ(plain.exact_grid, float_format(ElementType::Float).min_exponent - 23);
  EXPECT_EQ(plain.u_attribute, 0);
  EXPECT_EQ(plain.activation_relative, 8 * 0x1p-24);
  EXPECT_EQ(plain.activation_floor, 4 * 0x1p-24);
  const Arithmetic flushing = arithmetic_of(ContractId::F32Ftz, ElementType::Float);
  EXPECT_EQ(flushing.eta_accumulate, 0x1p-126);
  EXPECT_EQ(flushing.exact_bits, 0);
  EXPECT_TRUE(arithmetic_of(ContractId::F32Inside, ElementType::Float16).nearest_output);
}

TEST(Arithmetic, OfEitherIsTheMorePermissive) {
  Arithmetic a = counting_from(1), b = counting_from(2);
  a.u_storage = 50;
  b.exact_bits = 5;
  b.exact_grid = -10;
  a.stored_intermediates = b.flushed_subnormals = a.nearest_output = true;
  const Arithmetic both = either_of(a, b);
  EXPECT_EQ(both.u_storage, 50);
  EXPECT_EQ(both.activation_floor, 12);
  EXPECT_EQ(both.largest_stored, 1400);
  EXPECT_EQ(both.exact_bits, 5);
  EXPECT_EQ(both.exact_grid, -10);
  EXPECT_TRUE(both.stored_intermediates && both.flushed_subnormals);
  EXPECT_FALSE(both.nearest_output);
  for (const auto error : errors) EXPECT_GE(both.*error, std::max(a.*error, b.*error));
  for (const auto limit : limits) EXPECT_EQ(both.*limit, a.*limit);
}

TEST(Arithmetic, DoubledAllowsTwiceTheErrorsAndHalfTheRoom) {
  const Arithmetic once = counting_from(1), twice = doubled(once);
  for (const auto error : errors) EXPECT_EQ(twice.*error, 2 * once.*error);
  for (const auto limit : limits) EXPECT_EQ(twice.*limit, once.*limit / 2);
  EXPECT_EQ(twice.exact_bits, 0);
}

TEST(Arithmetic, ThatIsExactRoundsNothing) {
  const Arithmetic exact = exact_arithmetic(ElementType::Float);
  for (const auto error : errors) EXPECT_LE(exact.*error, 0x1p-1074);
  EXPECT_EQ(exact.eta_storage, 0x1p-1074);
  EXPECT_EQ(exact.exact_bits, 0);
  EXPECT_FALSE(exact.may_overflow(1e308));
  EXPECT_EQ(exact.storage.precision, 24);
}

TEST(Arithmetic, OverflowsWhereItsResultsAreHeld) {
  Arithmetic m;
  m.largest_elementwise = 10;
  m.largest_stored = 5;
  EXPECT_FALSE(m.may_overflow(10));
  EXPECT_TRUE(m.may_overflow(11));
  EXPECT_TRUE(m.may_overflow(std::numeric_limits<double>::quiet_NaN()));
  m.stored_intermediates = true;
  EXPECT_FALSE(m.may_overflow(5));
  EXPECT_TRUE(m.may_overflow(6));
}

}  // namespace
}  // namespace cellproof::oracle
