#include "oracle/contract.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "oracle/contract_order.hpp"

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

TEST(ExcludedContracts, AreFoundWithFewLooks) {
  for (const ElementType type :
       {ElementType::Float, ElementType::Float16, ElementType::BFloat16, ElementType::Double}) {
    const ContractId base = default_contract(type);
    std::vector<ContractId> contracts = wider_contracts(base, type);
    contracts.insert(contracts.begin(), base);
    std::size_t looks = 0;
    for (const ContractId kept : contracts) {  // by the engine
      const auto is_excluded = [&](ContractId id) { return !at_least_as_wide(id, kept); };
      std::vector<ContractId> expected;
      std::ranges::copy_if(contracts, std::back_inserter(expected), is_excluded);
      EXPECT_EQ(excluded_contracts(contracts,
                                   [&](ContractId id) {
                                     ++looks;
                                     return is_excluded(id);
                                   }),
                expected)
          << name(kept);
    }
    EXPECT_LT(looks, contracts.size() * contracts.size() * 3 / 4) << name(base);
    EXPECT_EQ(excluded_contracts(contracts, [](ContractId) { return true; }), contracts);
    EXPECT_TRUE(excluded_contracts(contracts, [](ContractId) { return false; }).empty());
  }
}

TEST(Contract, WithFlushingIsWiderThanWithout) {
  for (const ContractId id : all_contracts()) {
    EXPECT_EQ(contract(id).flushed_subnormals, flushes(id)) << name(id);
    EXPECT_EQ(name(id), std::string(name(without_flushing(id))) + (flushes(id) ? "-ftz" : ""));
    EXPECT_TRUE(at_least_as_wide(id, without_flushing(id))) << name(id);
    EXPECT_EQ(at_least_as_wide(without_flushing(id), id), !flushes(id)) << name(id);
  }
}

TEST(Contract, OfFewerBitsForgivesWhatRoundsFactorsAlone) {
  EXPECT_TRUE(at_least_as_wide(F32InF16, F32ByF16));
  EXPECT_TRUE(at_least_as_wide(F32InBf16, F32ByBf16));
  EXPECT_TRUE(at_least_as_wide(F32ByBf16, Tf32));
  EXPECT_FALSE(at_least_as_wide(F32ByBf16, F32ByF16)) << "what underflows in binary16 does not in bfloat16";
  EXPECT_FALSE(at_least_as_wide(F32ByF16, Tf32));
}

TEST(Contract, LadderGoesFromStrictToWide) {
  EXPECT_EQ(wider_contracts(F32, ElementType::Float),
            (std::vector{F32Ftz, F32FastActivations, F32FastActivationsFtz, Tf32, Tf32Ftz, F32ByF16, F32ByF16Ftz,
                         F32ByBf16, F32ByBf16Ftz, F32InF16, F32InF16Ftz, F32InBf16, F32InBf16Ftz}));
  EXPECT_EQ(wider_contracts(F32Inside, ElementType::BFloat16),
            (std::vector{F32InsideFtz, F32InsideStored, F32InsideStoredFtz, Elementwise16, Elementwise16Ftz,
                         Accumulate16, Accumulate16Ftz}));
  EXPECT_EQ(wider_contracts(F64, ElementType::Double),
            (std::vector{F64Ftz, F64ViaF32, F64ViaF32Ftz, F64InF16, F64InF16Ftz, F64InBf16, F64InBf16Ftz}));
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
