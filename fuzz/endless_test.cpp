#include "fuzz/endless.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "fuzz/law.hpp"
#include "lab/mutants/mutants.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

using testing::ElementsAre;

Outcome right_outcome(const Problem& problem) {
  Outcome outcome;
  outcome.kind = OutcomeKind::Ran;
  outcome.outputs = lab::mutants::run_without_fault(problem);
  return outcome;
}

std::vector<std::string> names_of(const std::vector<corpus::Suite>& suites) {
  std::vector<std::string> names;
  for (const corpus::Suite& suite : suites) names.push_back(suite.name);
  return names;
}

TEST(Endless, HasTheSuitesThatAreAskedFor) {
  EXPECT_THAT(names_of(endless_suites(0, {}, {})),
              ElementsAre("fuzz-judged", "fuzz-guided", "fuzz-invalid", "fuzz-laws"));
  EXPECT_THAT(names_of(endless_suites(0, {"invalid", "judged"}, {})), ElementsAre("fuzz-judged", "fuzz-invalid"));
  EXPECT_THAT(names_of(endless_suites(0, {}, {"batch-split"})), ElementsAre("fuzz-laws"));
  EXPECT_THROW(endless_suites(0, {"judge"}, {}), std::invalid_argument);
  EXPECT_THROW(endless_suites(0, {"judged"}, {"batch-split"}), std::invalid_argument);
  EXPECT_THROW(endless_suites(0, {}, {"gravity"}), std::invalid_argument);
}

/// Shards and resumed runs rest on it.
TEST(Endless, GivesEachNumberItsCaseInWhateverOrder) {
  const std::vector<corpus::Suite> suites = endless_suites(7, {}, {}), same = endless_suites(7, {}, {}),
                                   others = endless_suites(8, {}, {});
  for (std::size_t k = 0; k < suites.size(); ++k) {
    std::set<std::string> different;
    for (const std::uint64_t number : {31U, 3U, 30U, 9U, 4U}) {
      const corpus::SuiteCase made = suites[k].draw(number, right_outcome), again = same[k].draw(number, right_outcome);
      EXPECT_EQ(made.c, again.c) << suites[k].name << number;
      EXPECT_EQ(made.law, again.law);
      if (made.c != others[k].draw(number, right_outcome).c) different.insert(suites[k].name);
    }
    EXPECT_FALSE(different.empty()) << suites[k].name << " does not heed the seed";
  }
}

TEST(Endless, BreaksOneRuleInEachInvalidCase) {
  const corpus::Suite suite = endless_suites(1, {"invalid"}, {}).front();
  for (std::uint64_t number = 0; number < 100; ++number) {
    const Expectation expectation = expectation_of(make_problem(suite.draw(number, {}).c));
    EXPECT_EQ(expectation.kind, Expectation::Kind::Refuse) << number;
    EXPECT_EQ(expectation.violations.size(), 1U) << number;
  }
}

/// A law that says nothing of a case wastes the turn.
TEST(Endless, DrawsCasesOfWhichTheLawsSpeak) {
  const corpus::Suite suite = endless_suites(1, {"laws"}, {}).front();
  const std::uint64_t rounds = 4;
  std::set<std::string> tried;
  int speaks = 0;
  for (std::uint64_t number = 0; number < rounds * laws().size(); ++number) {
    const corpus::SuiteCase made = suite.draw(number, {});
    if (!experiment_of(law_named(made.law), make_problem(made.c))) continue;
    ++speaks;
    tried.insert(made.law);
  }
  EXPECT_GE(tried.size(), laws().size() * 8 / 10);
  EXPECT_GE(speaks, static_cast<int>(rounds * laws().size() / 2));
}

}  // namespace
}  // namespace cellproof::fuzz
