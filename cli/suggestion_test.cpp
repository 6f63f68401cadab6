#include "cli/suggestion.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cellproof::cli {
namespace {

TEST(Suggestion, IsTheWordThatWasMeant) {
  const std::vector<std::string> commands{"run", "fuzz", "check", "replay", "reduce", "report"};
  EXPECT_EQ(nearest("rnu", commands), "run");
  EXPECT_EQ(nearest("chekc", commands), "check");
  EXPECT_EQ(nearest("repot", commands), "report");
  EXPECT_EQ(nearest("reduze", commands), "reduce");
}

TEST(Suggestion, IsNoneWhereNothingIsNear) {
  const std::vector<std::string> commands{"run", "report"};
  EXPECT_EQ(nearest("help", commands), "");
  EXPECT_EQ(nearest("", commands), "");
  EXPECT_EQ(nearest("run", {}), "");
}

}  // namespace
}  // namespace cellproof::cli
