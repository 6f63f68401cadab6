#include "oracle/step/arithmetic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace cellproof::oracle {
namespace {

constexpr double Arithmetic::*errors[] = {
    &Arithmetic::u_storage,       &Arithmetic::u_accumulate,   &Arithmetic::u_elementwise,
    &Arithmetic::u_operand,       &Arithmetic::u_input,        &Arithmetic::u_attribute,
    &Arithmetic::eta_storage,     &Arithmetic::eta_accumulate, &Arithmetic::eta_elementwise,
    &Arithmetic::eta_operand,     &Arithmetic::eta_input,      &Arithmetic::activation_relative,
    &Arithmetic::activation_floor};
constexpr double Arithmetic::*limits[] = {&Arithmetic::largest_accumulated, &Arithmetic::largest_elementwise,
                                          &Arithmetic::largest_stored, &Arithmetic::largest_operand,
                                          &Arithmetic::largest_input};

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
  EXPECT_EQ(both.activation_floor, 14);
  EXPECT_EQ(both.largest_stored, 1600);
  EXPECT_EQ(both.exact_bits, 5);
  EXPECT_EQ(both.exact_grid, -10);
  EXPECT_TRUE(both.stored_intermediates && both.flushed_subnormals);
  EXPECT_FALSE(both.nearest_output);
  for (const auto error : errors) EXPECT_GE(both.*error, std::max(a.*error, b.*error));
  for (const auto limit : limits) EXPECT_EQ(both.*limit, a.*limit);
}

TEST(Arithmetic, LosesWhatUnderflowsOnItsWayIn) {
  const Arithmetic plain = arithmetic_of(ContractId::F32, ElementType::Float);
  EXPECT_EQ(plain.lost_as_operand(0x1p-140), 0);
  EXPECT_EQ(plain.radius_of_input(1e30), 0);
  const Arithmetic flushing = arithmetic_of(ContractId::F32Ftz, ElementType::Float);
  EXPECT_EQ(flushing.lost_as_operand(0x1p-127), 0x1p-126);
  EXPECT_EQ(flushing.lost_as_operand(0x1p-126), 0);
  EXPECT_EQ(flushing.lost_as_operand(0), 0);
  EXPECT_EQ(flushing.radius_of_input(-0x1p-127), 0x1p-126);
  const Arithmetic by_half = arithmetic_of(ContractId::F32ByF16, ElementType::Float);
  EXPECT_EQ(by_half.u_operand, 0x1p-11);
  EXPECT_EQ(by_half.lost_as_operand(0x1p-15), 0x1p-24);
  EXPECT_EQ(by_half.lost_as_operand(0x1p-14), 0);
  EXPECT_EQ(by_half.radius_of_input(0x1p-15), 0) << "states and biases are no factors";
  EXPECT_LT(by_half.largest_operand, 65504);
  // The largest floats round to infinity in 11 bits, and the smallest to 0.
  const Arithmetic by_tf32 = arithmetic_of(ContractId::Tf32, ElementType::Float);
  EXPECT_LT(by_tf32.largest_operand, 0x1.ffep127);
  EXPECT_EQ(by_tf32.lost_as_operand(0x1p-140), 0x1p-136);
  EXPECT_EQ(by_tf32.lost_as_operand(0x1p-126), 0);
  const Arithmetic in_half = arithmetic_of(ContractId::F32InF16, ElementType::Float);
  EXPECT_EQ(in_half.u_storage, 0x1p-11);
  EXPECT_EQ(in_half.u_accumulate, 0x1p-24);
  EXPECT_EQ(in_half.radius_of_input(1), 0x1p-11);
  EXPECT_EQ(in_half.radius_of_input(70000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(arithmetic_of(ContractId::F32InBf16, ElementType::Float).u_elementwise, 0x1p-8);
  // A binary16 that is computed in float may lose its own subnormals and those of float.
  EXPECT_EQ(arithmetic_of(ContractId::F32InsideFtz, ElementType::Float16).lost_as_input(0x1p-15), 0x1p-14);
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
