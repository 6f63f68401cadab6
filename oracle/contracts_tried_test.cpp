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
    const Arithmetic& together = tried.together(Readings{});
    ASSERT_FALSE(tried.wider.empty());
    std::vector<ContractId> all = tried.wider;
    all.push_back(tried.base);
    for (const ContractId id : all) {
      const Arithmetic one = arithmetic_of(id, type);
      EXPECT_LE(one.u_accumulate, together.u_accumulate) << name(id);
      EXPECT_LE(one.u_operand, together.u_operand) << name(id);
      EXPECT_LE(one.eta_accumulate, together.eta_accumulate) << name(id);
      EXPECT_LE(one.activation_relative, together.activation_relative) << name(id);
      EXPECT_GE(one.largest_accumulated, together.largest_accumulated) << name(id);
      EXPECT_TRUE(together.stored_intermediates || !one.stored_intermediates) << name(id);
    }
  }
}

TEST(ContractsTried, RoundFactorsOfNumbersAndNotOfCodes) {
  const ContractsTried tried = contracts_tried(some_problem(Operator::DynamicQuantizeLSTM), {});
  const Readings of_numbers = Readings{}.with(Clause::DqGranularity, "none");
  EXPECT_FALSE(tried.tries(ContractId::F32InBf16, Readings{}));
  EXPECT_TRUE(tried.tries(ContractId::F32InBf16, of_numbers));
  EXPECT_TRUE(tried.tries(ContractId::F32FastActivations, Readings{}));
  EXPECT_EQ(tried.together(Readings{}).u_operand, 0);
  EXPECT_EQ(tried.together(of_numbers).u_operand, arithmetic_of(ContractId::F32InBf16, ElementType::Float).u_operand);
  EXPECT_TRUE(contracts_tried(some_problem(Operator::LSTM), {}).tries(ContractId::F32InBf16, Readings{}));
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
