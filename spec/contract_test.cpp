#include "spec/contract.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cellproof {
namespace {

TEST(Contract, EveryNameLeadsBack) {
  ASSERT_EQ(all_contracts().size(), 32u);
  for (const ContractId id : all_contracts()) EXPECT_EQ(contract_named(name(id)), id);
  EXPECT_EQ(name(ContractId::F32FastActivations), "f32-fast-activations");
  EXPECT_EQ(name(ContractId::F64ViaF32), "f64-via-f32");
  EXPECT_EQ(name(ContractId::F32InBf16Ftz), "f32-in-bf16-ftz");
  EXPECT_EQ(contract_named("f16"), std::nullopt);
}

TEST(Contract, EachFloatingPointTypeHasItsDefault) {
  EXPECT_EQ(default_contract(ElementType::Float), ContractId::F32);
  EXPECT_EQ(default_contract(ElementType::Float16), ContractId::F32Inside);
  EXPECT_EQ(default_contract(ElementType::BFloat16), ContractId::F32Inside);
  EXPECT_EQ(default_contract(ElementType::Double), ContractId::F64);
  EXPECT_THROW(default_contract(ElementType::UInt8), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof
