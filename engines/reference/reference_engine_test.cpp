#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.hpp"
#include "engines/testing/engines.hpp"
#include "reference/reference.hpp"
#include "spec/expectation.hpp"

namespace cellproof::engines {
namespace {

using ::testing::HasSubstr;

TEST(ReferenceEngine, RunsEveryVersionAsTheReferenceDoes) {
  const auto engine = make_engine("reference");
  for (const auto version : all_operator_versions()) {
    const auto type = version.since_version >= 22 ? ElementType::BFloat16 : ElementType::Float;
    auto problem = testing::small_problem(version, type);
    const Outcome outcome = engine->run(problem);
    ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << to_string(version) << ": " << outcome.message;
    EXPECT_EQ(outcome.outputs, reference::run(problem)) << to_string(version);
    EXPECT_TRUE(outcome.misconduct.empty());
    EXPECT_GT(outcome.timings.run, 0);
  }
}

TEST(ReferenceEngine, RefusesWhatTheRulesRefuseByTheirSentence) {
  auto problem = testing::small_problem({Operator::LSTM, 7});
  problem.attributes.layout = 1;
  const Outcome outcome = make_engine("reference")->run(problem);
  EXPECT_EQ(outcome.kind, OutcomeKind::Rejected);
  EXPECT_THAT(outcome.message, HasSubstr(expectation_of(problem).violations.at(0).message));
}

}  // namespace
}  // namespace cellproof::engines
