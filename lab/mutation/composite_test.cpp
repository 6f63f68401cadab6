#include "lab/mutation/composite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "causes/rejudged.hpp"

#include "lab/mutants/mutants.hpp"
#include "lab/mutation/composite_engine.hpp"
#include "oracle/faults/every_fault.hpp"

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

/// A fault that excludes what its own mutant gives is contradicted by every engine that has it.
TEST(Composite, AFaultIsPossibleWhereverItsMutantAnswers) {
  std::vector<corpus::SuiteCase> cases;
  const auto all = corpus::load_suite("smoke").cases;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Problem problem = make_problem(all[k].c);
    const Tensor* lengths = problem.input(input::sequence_lens);
    const bool is_corner =
        all[k].c.T * all[k].c.N == 0 || (lengths != nullptr && lengths->size() > 1 && lengths->value(1) == 0);
    if (is_corner || k % 50 == 0) cases.push_back(all[k]);
  }
  for (const CompositeTarget& target : composite_targets_of(cases)) {
    for (const mutants::Mutant& mutant : mutants::mutants()) {
      if (!mutants::can_be_composed(mutant) || !mutants::applies(target.problem, mutant)) continue;
      const Outputs outputs = mutants::run(target.problem, mutant);
      const causes::Answered answered{.finding = &target.finding, .answers = {{target.problem, outputs}}};
      EXPECT_FALSE(causes::Rejudged(answered).is_surely_excluded({oracle::fault_named(mutant.id)}))
          << mutant.id << ": " << target.finding.case_line;
    }
  }
}

TEST(Composite, NoEngineIsBegunAfterItsTime) {
  EXPECT_LT(score_composites(some_cases(), {.engines = 1000, .seconds = 0.1}).size(), 20U);
}

TEST(Composite, ASuiteWithoutCasesForThemScoresNone) {
  EXPECT_TRUE(score_composites({}, {.engines = 3}).empty());
}

}  // namespace
}  // namespace cellproof::lab
