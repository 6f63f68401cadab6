#include "lab/mutation/composite.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cellproof::lab {
namespace {

/// Every eighth case of smoke, all operators among them.
std::vector<corpus::SuiteCase> some_cases() {
  const std::vector<corpus::SuiteCase> all = corpus::load_suite("smoke").cases;
  std::vector<corpus::SuiteCase> some;
  for (std::size_t k = 0; k < all.size(); k += 8) some.push_back(all[k]);
  return some;
}

TEST(Composite, EnginesAreScoredAgainstWhatWasPlanted) {
  const auto scores = score_composites(some_cases(), {.engines = 4, .seed = 3});
  ASSERT_EQ(scores.size(), 4U);
  for (const CompositeScore& score : scores) {
    EXPECT_FALSE(score.planted.empty());
    EXPECT_GT(score.failing, 0);
    EXPECT_LE(score.explained, score.failing);
    EXPECT_LE(score.planted.size() + score.hidden.size(), 6U);
    for (const std::string& id : score.left) EXPECT_EQ(std::ranges::count(score.planted, id), 1) << id;
    for (const std::string& id : score.invented) EXPECT_EQ(std::ranges::count(score.named, id), 1) << id;
    EXPECT_GE(score.planted.size() - score.left.size(), score.named.size() - score.invented.size())
        << "each that is right stands for one that was planted, or more";
  }
}

TEST(Composite, EnginesAreTheSameAgainWhateverTheirNumber) {
  const auto cases = some_cases();
  const auto few = score_composites(cases, {.engines = 2, .seed = 5}),
             more = score_composites(cases, {.engines = 3, .seed = 5}),
             other = score_composites(cases, {.engines = 2, .seed = 6});
  for (std::size_t k = 0; k < few.size(); ++k) {
    EXPECT_EQ(few[k].planted, more[k].planted);
    EXPECT_EQ(few[k].named, more[k].named);
    EXPECT_NE(few[k].planted, other[k].planted);
  }
}

TEST(Composite, TheModelNamesMoreAndInventsLessThanSingleFindings) {
  const auto cases = some_cases();
  const CompositeTotals by_case =
      totals_of(score_composites(cases, {.engines = 8, .seed = 7, .named_by = NamedBy::Case}));
  const CompositeTotals by_model = totals_of(score_composites(cases, {.engines = 8, .seed = 7}));
  EXPECT_EQ(by_case.planted, by_model.planted);
  EXPECT_GT(by_model.recall(), by_case.recall());
  EXPECT_GE(by_model.precision(), by_case.precision());
  EXPECT_GT(by_model.whole, by_case.whole);
  EXPECT_GT(by_model.explained, by_case.explained);
  EXPECT_GE(by_model.recall(), 0.9);
  EXPECT_GE(by_model.precision(), 0.9);
}

TEST(Composite, FaultsThatHoldSomewhereOnlyAreDrawnAndScored) {
  const auto cases = some_cases();
  const auto everywhere = score_composites(cases, {.engines = 5, .seed = 3, .are_scoped = false}),
             scoped = score_composites(cases, {.engines = 5, .seed = 3});
  const auto has_scopes = [](const CompositeScore& score) { return !score.scopes.empty(); };
  EXPECT_EQ(std::ranges::count_if(everywhere, has_scopes), 0);
  EXPECT_GT(std::ranges::count_if(scoped, has_scopes), 0);
  for (const CompositeScore& score : scoped) {
    EXPECT_LE(score.scopes.size(), score.planted.size());
    for (const std::string& id : score.misplaced) {
      EXPECT_EQ(std::ranges::count(score.planted, id), 1) << id;
      EXPECT_EQ(std::ranges::count(score.named, id), 1) << id;
    }
  }
}

TEST(Composite, AFaultThatNobodyKnowsOfIsNotNamed) {
  const auto scores = score_composites(some_cases(), {.engines = 6, .seed = 3, .most_faults = 1, .is_withheld = true});
  ASSERT_EQ(scores.size(), 6U);
  for (const CompositeScore& score : scores) {
    EXPECT_EQ(score.planted.size(), 1U);
    EXPECT_EQ(std::ranges::count(score.named, score.planted.front()), 0);
    EXPECT_TRUE(score.explained == score.failing || !score.clusters.empty());
  }
  const CompositeTotals totals = totals_of(scores);
  EXPECT_EQ(totals.misnamed, std::ranges::count_if(scores, [](const auto& score) {
              return !score.invented.empty() && !score.is_the_same;
            }));
}

TEST(Composite, NoEngineIsBegunAfterItsTime) {
  EXPECT_LT(score_composites(some_cases(), {.engines = 1000, .seconds = 0.1}).size(), 20U);
}

TEST(Composite, ASuiteWithoutCasesForThemScoresNone) {
  EXPECT_TRUE(score_composites({}, {.engines = 3}).empty());
}

}  // namespace
}  // namespace cellproof::lab
