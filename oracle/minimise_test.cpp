#include "oracle/minimise.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/problems.hpp"
#include "spec/axes.hpp"

namespace cellproof::oracle {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Case rich_case() {
  Case c = testing::some_case(Operator::LSTM);
  for (const auto& [name, value] :
       Values{{"direction", "bidirectional"}, {"layout", "1"}, {"clip", "biting"}, {"T", "8"}}) {
    c = axis(name).apply(c, value);
  }
  return c;
}

TEST(Minimise, LeavesWhatTheFailureNeeds) {
  const auto needs = [](const Case& c) {
    return axis("direction").of(c) == "bidirectional" && axis("clip").of(c) != "absent";
  };
  EXPECT_EQ(axis_values(minimise(rich_case(), needs)), (Values{{"direction", "bidirectional"}, {"clip", "biting"}}));
}

TEST(Minimise, LeavesNothingOfAFailureAtTheDefaults) {
  EXPECT_TRUE(axis_values(minimise(rich_case(), [](const Case&) { return true; })).empty());
}

TEST(Minimise, ShrinkingMakesSizesOneAndNothingElse) {
  const Case start = rich_case();
  const Case small = shrink(start, [](const Case& c) { return c.H > 1; });
  EXPECT_EQ((std::vector{small.T, small.N, small.I, small.H}), (std::vector<std::int64_t>{1, 1, 1, start.H}));
  EXPECT_EQ(axis("direction").of(small), "bidirectional");
  EXPECT_EQ(axis("clip").of(small), "biting");
}

TEST(Minimise, LeavesEverythingWhereNothingSimplerFails) {
  const Case start = rich_case();
  EXPECT_EQ(minimise(start, [](const Case&) { return false; }), start);
}

}  // namespace
}  // namespace cellproof::oracle
