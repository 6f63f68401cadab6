#include "lab/vectors/selection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/mutation/suite_cases.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab {
namespace {

VectorCandidate good_for(const std::string& name, std::int64_t numbers, std::vector<std::string> kills) {
  const Case c = plain_case(newest(Operator::RNN), ElementType::Float, 1, 1, 1, 1);
  return {name, c, {c.version}, numbers, std::move(kills), {}, {"direction=forward"}};
}

std::vector<std::string> names_of(const std::vector<const VectorCandidate*>& chosen) {
  std::vector<std::string> names;
  for (const VectorCandidate* each : chosen) names.push_back(each->name);
  return names;
}

TEST(VectorChoice, FindsEachFaultTwiceWithFewAndSmallCases) {
  const std::vector<VectorCandidate> candidates{good_for("useless", 1, {}), good_for("small", 10, {"a", "b"}),
                                                good_for("both", 20, {"a", "b", "c"}),
                                                good_for("large", 3000, {"a", "b", "c"}), good_for("rare", 500, {"d"})};
  EXPECT_THAT(names_of(chosen_of(candidates)), ::testing::ElementsAre("both", "rare", "large"))
      << "c takes the large one, which makes the small one unnecessary";
  EXPECT_THAT(names_of(chosen_of(candidates, {"c", "d"})), ::testing::ElementsAre("small", "both"));
}

TEST(VectorCandidates, SayWhatTheyAreGoodFor) {
  const corpus::SuiteCase made{
      "x", parse_case(
               "cellproof-case/1 op=GRU-14 type=float T=3 N=2 I=3 H=4 sequence_lens=given B=given direction=reverse")};
  const auto candidate = candidate_of(made, 3000);
  ASSERT_TRUE(candidate);
  EXPECT_EQ(candidate->c.version, newest(Operator::GRU));
  EXPECT_EQ(candidate->versions.size(), 5u);
  EXPECT_THAT(candidate->tells, ::testing::Contains("padding-of-y=carry"));
  EXPECT_THAT(candidate->axis_values, ::testing::Contains("direction=reverse"));
  EXPECT_GT(candidate->kills.size(), 20u);
  EXPECT_FALSE(candidate_of(made, 50)) << "too large";
}

TEST(VectorSelectionOfTheProject, IsWhatItsCasesSay) {
  const corpus::VectorSelection selection = corpus::read_vector_selection();
  for (std::size_t k = 0; k < selection.cases.size(); k += 7) {
    const corpus::SelectedVector& each = selection.cases[k];
    const auto candidate = candidate_of({each.name, each.c}, 100000);
    ASSERT_TRUE(candidate) << each.name;
    EXPECT_EQ(candidate->c, each.c) << each.name;
    EXPECT_THAT(candidate->kills, ::testing::IsSupersetOf(each.kills)) << each.name;
    EXPECT_THAT(candidate->tells, ::testing::IsSupersetOf(each.tells)) << each.name;
  }
}

}  // namespace
}  // namespace cellproof::lab
