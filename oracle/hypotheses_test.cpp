#include "oracle/hypotheses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "oracle/contract.hpp"
#include "oracle/contract_order.hpp"
#include "oracle/faults/every_fault.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using testing::some_problem;

Problem clipped() {
  return some_problem(Operator::LSTM, ElementType::Float, [](Case& c) {
    c.attributes.clip = 0.5F;
    testing::give_lengths(c, {5, 2, 0});
  });
}

std::vector<Supposition> all_of(Hypotheses list) {
  std::vector<Supposition> all;
  while (auto next = list.next()) all.push_back(*std::move(next));
  return all;
}

TEST(Hypotheses, GoFromStrictToWide) {
  const Problem problem = clipped();
  Hypotheses list(problem, {}, every_fault());
  const std::vector<Supposition> all = all_of(list);
  EXPECT_TRUE(std::ranges::is_sorted(all, {}, &Supposition::stage));
  const auto count = [&](Stage stage) {
    return static_cast<std::size_t>(std::ranges::count(all, stage, &Supposition::stage));
  };
  const std::size_t readings = list.readings().candidates.size(), contracts = list.contracts().wider.size();
  ASSERT_GT(readings, 1U);
  ASSERT_GT(contracts, 1U);
  EXPECT_EQ(count(Stage::Default), 1U);
  EXPECT_EQ(count(Stage::Reading), readings);
  EXPECT_EQ(count(Stage::Contract), contracts);
  EXPECT_EQ(count(Stage::ReadingAndContract), readings * contracts);
  const auto applicable =
      std::ranges::count_if(faults(), [&](const oracle::Fault& fault) { return fault.applies(problem); });
  EXPECT_EQ(count(Stage::Fault) + count(Stage::FaultOfPrecision), static_cast<std::size_t>(applicable));
  for (const Supposition& one : all) {
    EXPECT_EQ(one.hypothesis.faults.size(), one.stage >= Stage::Fault ? 1U : 0U);
    EXPECT_TRUE(at_least_as_wide(one.hypothesis.contract, list.contracts().base));
  }
}

TEST(Hypotheses, RoundNoFactorsOfCodes) {
  const Problem problem = testing::some_problem(Operator::DynamicQuantizeLSTM);
  std::size_t of_numbers = 0;
  for (const Supposition& one : all_of(Hypotheses(problem, {}, {}))) {
    if (!rounds_factors(one.hypothesis.contract)) continue;
    EXPECT_TRUE(one.hypothesis.readings.is(Clause::DqGranularity, "none")) << name(one.hypothesis.contract);
    ++of_numbers;
  }
  EXPECT_GT(of_numbers, 0U);
}

TEST(Hypotheses, HoldEachFaultAlsoUnderWhatIsProved) {
  const Problem problem = clipped();
  const Knowledge known{std::nullopt, Readings{}.with(Clause::ClipScope, "gates")};
  const auto tried = only_fault("rb-ignored");
  const std::vector<Supposition> all = all_of(Hypotheses(problem, known, tried));
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[all.size() - 2].hypothesis.readings, Readings{});
  EXPECT_EQ(all.back().hypothesis.readings, known.proved);
  EXPECT_EQ(all.back().hypothesis.faults, tried);
}

/// Ids of the faults that are listed.
std::vector<std::string> listed_in(Hypotheses& list) {
  std::vector<std::string> ids;
  while (auto next = list.next()) {
    for (const oracle::Fault* fault : next->hypothesis.faults) ids.push_back(fault->id);
  }
  return ids;
}

TEST(Hypotheses, BoundTheWorkOfFaultsAndCountTheOthers) {
  const Problem problem = clipped();
  const auto weights = static_cast<double>(problem.input(input::W)->size() + problem.input(input::R)->size());
  Hypotheses whole(problem, {}, every_fault()), bounded(problem, {}, every_fault(), 20 * weights);
  const std::vector<std::string> all = listed_in(whole), some = listed_in(bounded);
  EXPECT_EQ(whole.untried().faults, 0);
  EXPECT_EQ(bounded.untried().faults, static_cast<std::int64_t>(all.size() - some.size()));
  EXPECT_EQ(bounded.untried().weights, static_cast<std::int64_t>(weights));
  EXPECT_EQ(some.size(), 20U);
  EXPECT_TRUE(all.front().starts_with("gate-order-")) << "as the catalogue has them";
  for (const char* likely : {"clip-ignored", "rb-ignored", "lengths-ignored", "gate-order-ifco"})
    EXPECT_EQ(std::ranges::count(some, likely), 1) << likely;
}

TEST(Hypotheses, CountMoreWorkWhereEveryStepIsWalked) {
  const auto tried_of = [](const std::function<void(Case&)>& change) {
    const Problem problem = some_problem(Operator::GRU, ElementType::Float, [&](Case& c) { change(c); });
    Hypotheses list(problem, {}, every_fault(),
                    30 * static_cast<double>(problem.input(input::W)->size() + problem.input(input::R)->size()));
    return listed_in(list).size();
  };
  const std::size_t resets_after = tried_of([](Case& c) { c.attributes.linear_before_reset = 1; });
  EXPECT_EQ(resets_after, 30U);
  EXPECT_LT(tried_of([](Case&) {}), resets_after);
}

TEST(Hypotheses, CanLeaveOutTheRestOfAContract) {
  const Problem problem = clipped();
  Hypotheses list(problem, {}, {});
  auto next = list.next();
  while (next && next->stage < Stage::ReadingAndContract) next = list.next();
  ASSERT_TRUE(next);
  const ContractId first = next->hypothesis.contract;
  list.skip_contract();
  next = list.next();
  ASSERT_TRUE(next);
  EXPECT_NE(next->hypothesis.contract, first);
  EXPECT_EQ(next->reading, 0U);
}

}  // namespace
}  // namespace cellproof::oracle
