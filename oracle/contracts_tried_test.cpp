#include "oracle/contracts_tried.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using testing::some_problem;

TEST(ContractsTried, BeginWithTheTypesOrTheDeclaredOne) {
  const Problem problem = some_problem(Operator::RNN);
  EXPECT_EQ(contracts_tried(problem, {}).base, ContractId::F32);
  EXPECT_EQ(contracts_tried(problem, ContractId::F32Strict).base, ContractId::F32Strict);
  EXPECT_FALSE(contracts_tried(problem, ContractId::F32Strict).usual);
  EXPECT_EQ(contracts_tried(problem, ContractId::Tf32).base, ContractId::Tf32);
  EXPECT_EQ(contracts_tried(problem, ContractId::Tf32).usual, ContractId::F32);
  EXPECT_EQ(contracts_tried(problem, ContractId::F64).base, ContractId::F32);  // not of this type
}

TEST(ContractsTried, TogetherAllowWhatEachAllows) {
  for (const ElementType type : {ElementType::Float, ElementType::Float16, ElementType::Double}) {
    const ContractsTried tried = contracts_tried(some_problem(Operator::GRU, type), {});
    ASSERT_FALSE(tried.wider.empty());
    std::vector<ContractId> all = tried.wider;
    all.push_back(tried.base);
    for (const ContractId id : all) {
      const Arithmetic one = arithmetic_of(id, type);
      EXPECT_LE(one.u_accumulate, tried.together.u_accumulate) << name(id);
      EXPECT_LE(one.u_operand, tried.together.u_operand) << name(id);
      EXPECT_LE(one.eta_accumulate, tried.together.eta_accumulate) << name(id);
      EXPECT_LE(one.activation_relative, tried.together.activation_relative) << name(id);
      EXPECT_GE(one.largest_accumulated, tried.together.largest_accumulated) << name(id);
      EXPECT_TRUE(tried.together.stored_intermediates || !one.stored_intermediates) << name(id);
    }
  }
}

TEST(ContractsTried, DoubledAllowsTwiceTheErrorsAndProvesNothingExact) {
  const Arithmetic once = arithmetic_of(ContractId::F32, ElementType::Float), twice = doubled(once);
  EXPECT_EQ(twice.u_accumulate, 2 * once.u_accumulate);
  EXPECT_EQ(twice.eta_storage, 2 * once.eta_storage);
  EXPECT_EQ(twice.activation_floor, 2 * once.activation_floor);
  EXPECT_LT(twice.largest_stored, once.largest_stored);
  EXPECT_GT(once.exact_bits, 0);
  EXPECT_EQ(twice.exact_bits, 0);
}

}  // namespace
}  // namespace cellproof::oracle
