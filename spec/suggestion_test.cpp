#include "spec/suggestion.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace cellproof {
namespace {

TEST(Suggestion, IsTheWordThatWasMeant) {
  const std::vector<std::string> commands{"run", "fuzz", "check", "replay", "reduce", "report"};
  EXPECT_EQ(nearest("rnu", commands), "run");
  EXPECT_EQ(nearest("chekc", commands), "check");
  EXPECT_EQ(nearest("repot", commands), "report");
  EXPECT_EQ(nearest("reduze", commands), "reduce");
}

TEST(Suggestion, EndsAComplaintWithAllThereIs) {
  const std::vector<std::string_view> suites{"quick", "smoke"};
  EXPECT_EQ(expected_one_of("smok", suites), "did you mean smoke? Expected one of quick, smoke");
  EXPECT_EQ(expected_one_of("nothing", suites), "expected one of quick, smoke");
}

TEST(Suggestion, IsNoneWhereNothingIsNear) {
  const std::vector<std::string> commands{"run", "report"};
  EXPECT_EQ(nearest("help", commands), "");
  EXPECT_EQ(nearest("", commands), "");
  EXPECT_EQ(nearest("run", {}), "");
}

}  // namespace
}  // namespace cellproof
