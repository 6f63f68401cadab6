#include "oracle/weigh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/testing/judging.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/axes.hpp"

namespace cellproof::oracle {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::some_problem;

std::vector<Evidence> weigh(const Problem& problem, const Outputs& outputs) {
  return oracle::weigh(Observed(problem, outputs), {});
}

const Evidence& of_clause(const std::vector<Evidence>& weighed, Clause clause) {
  return *std::ranges::find(weighed, clause, &Evidence::clause);
}

Problem clipped_problem() {
  return some_problem(Operator::LSTM, ElementType::Float, [](Case& c) { c = axis("clip").apply(c, "biting"); });
}

TEST(Weigh, ProvesTheReadingThatWasComputed) {
  const Problem problem = clipped_problem();
  const Evidence found = of_clause(weigh(problem, testing::compute(problem)), Clause::ClipScope);
  EXPECT_THAT(names(found.clause, found.fits), ElementsAre(info(Clause::ClipScope).readings.front().id));
  EXPECT_THAT(names(found.clause, found.excludes), Contains("gates"));
}

TEST(Weigh, SaysNothingOfClausesThatAreNotTouched) {
  const Problem problem = some_problem(Operator::LSTM);
  const auto weighed = weigh(problem, testing::compute(problem));
  EXPECT_EQ(std::ranges::count(weighed, Clause::ClipScope, &Evidence::clause), 0);
}

TEST(Weigh, ACoarseEngineIsHeldToWhatAllContractsAllow) {
  const Problem problem = clipped_problem();
  testing::Style tf32;
  tf32.operand_bits = 11;
  const auto outputs = testing::compute(problem, tf32);
  ASSERT_TRUE(testing::is_excluded(problem, outputs, arithmetic_of(ContractId::F32, ElementType::Float)));
  EXPECT_THAT(names(Clause::ClipScope, of_clause(weigh(problem, outputs), Clause::ClipScope).fits),
              Contains(info(Clause::ClipScope).readings.front().id));
}

TEST(Weigh, NothingFitsWhatNoReadingExplains) {
  const Problem problem = clipped_problem();
  const auto outputs = testing::compute(problem, {}, testing::Fault::GatesSwapped);
  const Evidence found = of_clause(weigh(problem, outputs), Clause::ClipScope);
  EXPECT_THAT(names(found.clause, found.fits), IsEmpty());
  EXPECT_THAT(names(found.clause, found.excludes), Contains(info(Clause::ClipScope).readings.front().id));
}

TEST(Weigh, NothingIsSaidOfOutputsOfAWrongShape) {
  const Problem problem = clipped_problem();
  auto outputs = testing::compute(problem);
  outputs.front() = Tensor(ElementType::Float, {1});
  EXPECT_THAT(weigh(problem, outputs), IsEmpty());
}

}  // namespace
}  // namespace cellproof::oracle
