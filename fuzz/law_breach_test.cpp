#include "fuzz/law_breach.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/case_text.hpp"

namespace cellproof::fuzz {
namespace {

using Kind = LawResult::Kind;
using testing::EndsWith;
using testing::Not;

Case some_case() {
  return parse_case("cellproof-case/1 op=RNN-14 type=float T=5 N=2 I=3 H=4 direction=reverse layout=1");
}

LawResult broken(const std::string& message) {
  return {Kind::Broken, message, {}};
}

/// Broken wherever the direction is reverse.
LawResult breaks_in_reverse(const Case& c) {
  return c.attributes.direction == "reverse" ? broken("Y of T=" + std::to_string(c.T)) : LawResult{Kind::Holds, "", {}};
}

TEST(LawBreach, IsMadeSmallWithWhatTheLawSaysThere) {
  const Case c = some_case();
  const LawBreach breach = reduce_breach(c, breaks_in_reverse(c), breaks_in_reverse, {});
  EXPECT_EQ(breach.smallest.T, 1);
  EXPECT_EQ(breach.needs, (std::vector<std::pair<std::string, std::string>>{{"direction", "reverse"}}));
  EXPECT_EQ(breach.message, "Y of T=1");
}

/// An engine that breaks the law the first time only: asked again it has nothing to say.
TEST(LawBreach, ThatDoesNotComeAgainKeepsItsReason) {
  const Case c = some_case();
  const auto keeps_it = [](const Case&) { return LawResult{Kind::Holds, "", {}}; };
  const LawBreach breach = reduce_breach(c, broken("run 1 against run 3"), keeps_it, {});
  EXPECT_EQ(breach.smallest, c);
  EXPECT_EQ(breach.message, "run 1 against run 3; not each time (tried once more: holds)");
}

TEST(LawBreach, ThatComesAtTimesTellsWhatWasSaidOfTheSmallestCase) {
  const Case c = some_case();
  int left = 3;
  const auto at_times = [&](const Case& smaller) {
    return left-- > 0 ? broken("at " + to_text(smaller)) : LawResult{Kind::Holds, "", {}};
  };
  const LawBreach breach = reduce_breach(c, broken("at first"), at_times, {});
  EXPECT_NE(breach.smallest, c);
  EXPECT_THAT(breach.message, testing::StartsWith("at " + to_text(breach.smallest) + "; not each time"));
}

TEST(LawBreach, StopsWhenItIsTold) {
  const Case c = some_case();
  int asked = 0;
  const auto attempt = [&](const Case& smaller) {
    ++asked;
    return breaks_in_reverse(smaller);
  };
  EXPECT_EQ(reduce_breach(c, breaks_in_reverse(c), attempt, [] { return true; }).smallest, c);
  EXPECT_EQ(asked, 1) << "only once more in the end";
  EXPECT_GT(reduce_breach(c, breaks_in_reverse(c), attempt, {}, 1).smallest.T, 1);
}

/// Whatever becomes of a run, the sentence says it: nothing stands behind its last colon otherwise.
TEST(LawBreach, OfARunThatEndsWithoutAWordIsASentenceAllTheSame) {
  const auto dies_silently = [](const Problem&) {
    Outcome outcome;
    outcome.kind = OutcomeKind::Crashed;
    return outcome;
  };
  const LawResult result = try_law(law_named("sequence-of-calls"), make_problem(some_case()), dies_silently);
  EXPECT_EQ(result.kind, Kind::Died);
  EXPECT_THAT(result.message, Not(testing::IsEmpty()));
  EXPECT_THAT(result.message, Not(EndsWith(": ")));
}

}  // namespace
}  // namespace cellproof::fuzz
