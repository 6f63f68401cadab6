#include "oracle/contract.hpp"

#include <gtest/gtest.h>

namespace cellproof::oracle {
namespace {

using enum ContractId;

TEST(Contract, HasARecordForEveryId) {
  for (const ContractId id : all_contracts()) EXPECT_EQ(contract(id).id, id) << name(id);
}

TEST(Contract, IsAsWideAsItself) {
  for (const ContractId id : all_contracts()) EXPECT_TRUE(at_least_as_wide(id, id)) << name(id);
}

TEST(Contract, WiderMeansEverySwitchAtLeastAsPermissive) {
  EXPECT_TRUE(at_least_as_wide(F32, F32Strict));
  EXPECT_FALSE(at_least_as_wide(F32Strict, F32));
  EXPECT_TRUE(at_least_as_wide(Tf32, F32));
  EXPECT_FALSE(at_least_as_wide(Tf32, F32Ftz));  // neither forgives what the other does
  EXPECT_FALSE(at_least_as_wide(F32Ftz, Tf32));
  EXPECT_TRUE(at_least_as_wide(Accumulate16, Elementwise16));
  EXPECT_FALSE(at_least_as_wide(Elementwise16, Accumulate16));
  EXPECT_TRUE(at_least_as_wide(F64ViaF32, F64));
  EXPECT_FALSE(at_least_as_wide(F32, F64));  // contracts of different types do not compare
}

TEST(Contract, LadderGoesFromStrictToWide) {
  EXPECT_EQ(wider_contracts(F32, ElementType::Float), (std::vector{F32Ftz, F32FastActivations, Tf32}));
  EXPECT_EQ(wider_contracts(F32Inside, ElementType::BFloat16),
            (std::vector{F32InsideStored, Elementwise16, Accumulate16}));
  EXPECT_EQ(wider_contracts(F64, ElementType::Double), (std::vector{F64ViaF32}));
}

TEST(Contract, OfATypeIsItsDefaultOne) {
  for (const ElementType type :
       {ElementType::Float, ElementType::Float16, ElementType::BFloat16, ElementType::Double}) {
    EXPECT_TRUE(applies_to(default_contract(type), type));
  }
  EXPECT_FALSE(applies_to(F32, ElementType::Float16));
}

}  // namespace
}  // namespace cellproof::oracle
