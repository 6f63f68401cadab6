#include "campaign/reduce_causes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/testing/reducing.hpp"
#include "lab/mutants/mutant_engine.hpp"
#include "oracle/minimise_numbers.hpp"

namespace cellproof::campaign {
namespace {

using testing::at_most;
using testing::case_with;
using ::testing::ElementsAre;
using testing::finding_of;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::stopped;
using testing::under_test;

Outcome ignores_clip(const Problem& problem) {
  return outcome_of(problem, *lab::mutants::mutant_named("clip-ignored"));
}

/// The second of the three has the fewest numbers, and the last one passes.
struct ClippedCases {
  std::vector<Finding> findings;
  Cause cause;
  Attempts attempts;
  int kept = 0;

  ClippedCases() {
    for (const char* steps : {"8", "2-6", "17"})
      findings.push_back(finding_of(case_with({{"clip", "biting"}, {"T", steps}}), ignores_clip));
    findings.push_back(finding_of(case_with({}), ignores_clip));
    for (std::size_t k = 0; k < findings.size(); ++k) {
      findings[k].number = static_cast<std::int64_t>(k);
      cause.where["smoke"].push_back(findings[k].number);
    }
  }
  std::vector<std::size_t> reduce(const ReductionLimits& limits) {
    return reduce_causes({{cause}}, findings, under_test, ignores_clip, limits, attempts, [this](Finding&) { ++kept; });
  }
};

TEST(ReduceCauses, TakesTheSmallestCaseOfACauseToTheEnd) {
  ClippedCases of;
  EXPECT_THAT(of.reduce(at_most(200)), ElementsAre(1U));
  EXPECT_EQ(of.kept, 1);
  ASSERT_TRUE(of.findings[1].reduction);
  EXPECT_TRUE(of.findings[1].reduction->complete);
  EXPECT_LE(oracle::count_numbers(parse_case(of.findings[1].reduction->case_line)).all, 12);
  of.cause.status = CauseStatus::Proved;
  EXPECT_THAT(of.reduce(at_most(200)), IsEmpty()) << "one is reduced to the end";
}

TEST(ReduceCauses, GoesOnWhereAReductionEnded) {
  ClippedCases of;
  EXPECT_THAT(of.reduce(at_most(12)), ElementsAre(0U, 1U, 2U)) << "each is smaller, none to the end";
  const std::string before = of.findings[1].reduction->case_line;
  EXPECT_FALSE(of.findings[1].reduction->complete);
  of.reduce(at_most(200));
  EXPECT_TRUE(std::ranges::any_of(of.findings, [](const Finding& f) { return f.reduction && f.reduction->complete; }));
}

TEST(ReduceCauses, TakesACaseUpTwiceAtMost) {
  ClippedCases of;
  constexpr int few = 8;  // with which no case comes to its end
  of.reduce(at_most(few));
  of.reduce(at_most(few));
  EXPECT_THAT(of.attempts, ElementsAre(Pair(0U, 2), Pair(1U, 2), Pair(2U, 2)));
  EXPECT_TRUE(std::ranges::none_of(of.findings, [](const Finding& f) { return f.reduction && f.reduction->complete; }));
  EXPECT_THAT(of.reduce(at_most(200)), IsEmpty());
}

TEST(ReduceCauses, TakesALargeCaseOnlyWhereThereIsNoOther) {
  const auto attempts_on = [](const std::vector<const char*>& sizes) {
    ClippedCases of;
    of.findings.clear();
    for (const char* H : sizes)
      of.findings.push_back(finding_of(case_with({{"clip", "biting"}, {"H", H}, {"I", H}}), ignores_clip));
    of.cause.where.clear();
    for (std::size_t k = 0; k < of.findings.size(); ++k) {
      of.findings[k].number = static_cast<std::int64_t>(k);
      of.cause.where["smoke"].push_back(of.findings[k].number);
    }
    of.reduce(at_most(8));
    return of.attempts;
  };
  EXPECT_THAT(attempts_on({"18-", "8"}), ElementsAre(Pair(1U, 1)));
  EXPECT_THAT(attempts_on({"18-"}), ElementsAre(Pair(0U, 1)));
}

/// Two defects that nobody has told apart: a small case of one says nothing of the other.
TEST(ReduceCauses, GoesOnWithWhatASmallCaseDoesNotAccountFor) {
  ClippedCases of;
  const auto ignores_both = [](const Problem& problem) {
    const lab::mutants::Composite faults{lab::mutants::mutant_named("clip-ignored"),
                                         lab::mutants::mutant_named("rb-ignored")};
    return answers_of(problem, faults).outcome;
  };
  of.findings[3] = finding_of(case_with({{"input.B", "initializer"}}), ignores_both);
  of.findings[3].number = 3;
  of.cause.status = CauseStatus::Unexplained;
  const auto reduce_both = [&] {
    return reduce_causes({{of.cause}}, of.findings, under_test, ignores_both, at_most(200), of.attempts,
                         [](Finding&) {});
  };
  EXPECT_EQ(reduce_both().size(), 1U);
  EXPECT_EQ(reduce_both().size(), 1U) << "the other one";
  ASSERT_TRUE(of.findings[3].reduction);
  EXPECT_TRUE(of.findings[3].reduction->complete);
  EXPECT_THAT(reduce_both(), IsEmpty()) << "the cases that are left have what is needed";
}

/// A name that the model refutes is no part of what a case must go on to show.
TEST(ReduceCauses, HoldsOnToTheFaultOfTheCauseAlone) {
  const auto said_of = [](const std::vector<std::string>& faults) {
    ClippedCases of;
    of.cause.faults = faults;
    of.reduce(at_most(200));
    return of.findings[1].reduction ? of.findings[1].reduction->message : "";
  };
  EXPECT_THAT(said_of({"clip-ignored"}), ::testing::EndsWith("; behaves like clip-ignored"));
  const std::string of_no_fault = said_of({});
  EXPECT_THAT(of_no_fault, ::testing::Not(IsEmpty()));
  EXPECT_THAT(of_no_fault, ::testing::Not(::testing::HasSubstr("behaves like")));
}

/// Another failure, which the model explains, may look the same.
TEST(ReduceCauses, KeepsWhatIsUnexplainedAwayFromWhatTheModelExplains) {
  const engines::Probe ignores_both = [](const Problem& problem) {
    const lab::mutants::Composite faults{lab::mutants::mutant_named("clip-ignored"),
                                         lab::mutants::mutant_named("rb-ignored")};
    return answers_of(problem, faults).outcome;
  };
  const auto needs_where_explained_is = [&](const std::function<bool(const Problem&)>& is_explained) {
    Finding finding = finding_of(case_with({{"clip", "biting"}, {"input.B", "initializer"}}), ignores_both);
    Cause cause;
    cause.status = CauseStatus::Unexplained;
    cause.where[finding.suite].push_back(finding.number);
    std::vector<Finding> findings{finding};
    Attempts attempts;
    const auto explains = [&](const Finding&, const Problem& problem, const oracle::Answers&) {
      return is_explained(problem);
    };
    reduce_causes({{cause}, explains}, findings, under_test, ignores_both, at_most(200), attempts, [](Finding&) {});
    std::vector<std::string> needs;
    if (findings[0].reduction)
      for (const auto& [axis, value] : findings[0].reduction->guilty) needs.push_back(axis);
    return needs;
  };
  EXPECT_THAT(needs_where_explained_is([](const Problem& problem) { return !problem.attributes.clip; }),
              ::testing::Contains("clip"));
  EXPECT_THAT(needs_where_explained_is([](const Problem& problem) { return !problem.inputs.at(input::B).tensor; }),
              ::testing::Contains("input.B"));
}

TEST(ReduceCauses, LeavesOtherCausesAlone) {
  ClippedCases of;
  of.cause.where = {{"smoke", {3}}, {"pairs", {0, 1, 2}}};
  EXPECT_THAT(of.reduce(at_most(200)), IsEmpty()) << "its only case here passes";
}

TEST(ReduceCauses, AsksNothingWhenStopped) {
  EXPECT_THAT(ClippedCases().reduce(stopped()), IsEmpty());
}

}  // namespace
}  // namespace cellproof::campaign
