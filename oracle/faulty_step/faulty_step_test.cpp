#include "oracle/faulty_step/faulty_step.hpp"

#include <gtest/gtest.h>

#include <typeinfo>

#include "oracle/faulty_step/with_bits.hpp"
#include "oracle/step/step_of.hpp"
#include "oracle/testing/numbers.hpp"

namespace cellproof::oracle {
namespace {

FaultyCell cell_of_one(Operator op) {
  FaultyCell cell;
  cell.op = op;
  cell.inputs = cell.hidden = cell.units = 1;
  cell.gates = cell.rows = 4;
  cell.terms = 4;
  cell.W = cell.R = cell.Rb = cell.Wb = {0, 0, 0, 0};
  cell.activation = {Activation{ActivationKind::Sigmoid, 0, 0, true}, Activation{ActivationKind::Tanh, 0, 0, true},
                     Activation{ActivationKind::Tanh, 0, 0, true}};
  cell.summarise_weights();
  return cell;
}

TEST(FaultyStep, IsTheSpecificationsWhereNoSwitchIsSet) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    FaultyCell cell = cell_of_one(op);
    const auto right = step_of<double>(cell, testing::f32, Tier::Certified);
    const auto none = faulty_step_of<double>(cell, testing::f32, Tier::Certified);
    cell.switches.gates[1].complemented = true;
    const auto wrong = faulty_step_of<double>(cell, testing::f32, Tier::Certified);
    const Step<double>&r = *right, &n = *none, &w = *wrong;
    EXPECT_EQ(typeid(r), typeid(n));
    EXPECT_NE(typeid(r), typeid(w));
  }
}

TEST(WithBits, RoundsHalfToEven) {
  EXPECT_EQ(with_bits(1 + 0x1p-8, 8), 1);
  EXPECT_EQ(with_bits(1 + 3 * 0x1p-8, 8), 1 + 0x1p-6);
  EXPECT_EQ(with_bits(0.1, 0), 0.1);
  EXPECT_EQ(with_bits(testing::infinity, 8), testing::infinity);
  const auto kept = kept_with(Enclosure<double>{1 + 0x1p-8, 1 - 0x1p-10, 1 + 3 * 0x1p-8, is_branched}, 8);
  EXPECT_EQ(kept.lo, 1);
  EXPECT_EQ(kept.hi, 1 + 0x1p-6);
  EXPECT_EQ(kept.flags, is_branched);
}

}  // namespace
}  // namespace cellproof::oracle
