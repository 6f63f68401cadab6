#include "campaign/searched.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace cellproof::campaign {
namespace {

std::vector<corpus::Suite> one_suite() {
  return {{.name = "endless", .what = "", .draw = [](std::uint64_t, const auto&) { return corpus::SuiteCase{}; }}};
}

Finding finding_of(std::int64_t number, std::optional<Verdict> verdict, std::optional<ViolationKind> kind = {}) {
  Finding finding;
  finding.suite = "endless";
  finding.number = number;
  finding.outcome = OutcomeKind::Ran;
  finding.judgement.verdict = verdict;
  finding.judgement.kind = kind;
  finding.pass = verdict == Verdict::Conforms;
  return finding;
}

TEST(Searched, CountsWhatLiesBeforeTheFirstCaseThatIsNotTried) {
  Searched searched(one_suite(), {}, {}, {});
  for (const std::int64_t number : {0, 2, 3}) searched.add(finding_of(number, Verdict::Conforms));
  EXPECT_EQ(to_text(searched.note()), "endless below 1: 1 CONFORMS");
  EXPECT_TRUE(searched.is_tried("endless", 3));
  EXPECT_FALSE(searched.is_tried("endless", 1));
  searched.add(finding_of(1, Verdict::Diverges));
  EXPECT_EQ(to_text(searched.note()), "endless below 4: 3 CONFORMS, 1 DIVERGES");
}

TEST(Searched, GoesOnFromItsNote) {
  const std::vector<Finding> kept{finding_of(9, Verdict::Diverges), finding_of(11, Verdict::Diverges)};
  const SearchedNote before{{"other", {3, {{"CONFORMS", 3}}}}, {"endless", {10, {{"CONFORMS", 8}, {"DIVERGES", 2}}}}};
  Searched searched(one_suite(), {}, before, kept);
  EXPECT_EQ(searched.tried_below("endless"), 10);
  EXPECT_TRUE(searched.is_tried("endless", 11)) << "saved after the note";
  EXPECT_FALSE(searched.is_tried("endless", 10));
  searched.add(finding_of(10, Verdict::Conforms));
  EXPECT_EQ(to_text(searched.note()), "endless below 12: 9 CONFORMS, 3 DIVERGES");
}

TEST(Searched, OfAShardCountsItsOwnCases) {
  Searched searched(one_suite(), {1, 3}, {}, {});
  for (const std::int64_t number : {1, 4, 10}) searched.add(finding_of(number, Verdict::Conforms));
  EXPECT_EQ(to_text(searched.note()), "endless below 7: 2 CONFORMS");
}

TEST(Searched, KeepsTheFirstPassesAndSomeFailuresOfEachKind) {
  Searched searched(one_suite(), {}, {}, {});
  EXPECT_TRUE(searched.add(finding_of(0, Verdict::Conforms)));
  EXPECT_FALSE(searched.add(finding_of(Searched::all_kept_below, Verdict::Conforms)));
  std::int64_t kept = 0;
  for (std::int64_t k = 0; k < 3 * Searched::most_alike; ++k)
    kept += searched.add(finding_of(Searched::all_kept_below + 1 + k, Verdict::Diverges, ViolationKind::Value));
  EXPECT_EQ(kept, Searched::most_alike);
  EXPECT_TRUE(searched.add(finding_of(1'000'000, Verdict::Diverges, ViolationKind::Shape)));
}

}  // namespace
}  // namespace cellproof::campaign
