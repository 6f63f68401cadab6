#include "lab/gpu/walk.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace cellproof::lab {
namespace {

/// A walk over letters whose work takes a second each; a letter in `slow` never ends.
struct Walked {
  double clock = 450;
  std::string slow = {}, bad = {};
  std::vector<std::pair<std::size_t, std::size_t>> pieces = {};
  int saved = 0;

  bool go(nlohmann::json& progress, std::vector<std::string> lines) {
    return walk_cases(progress, {.lines = lines,
                                 .piece = 4,
                                 .whole_part = 450,
                                 .left = [&] { return clock; },
                                 .work =
                                     [&, lines](std::size_t first, std::size_t count, int seconds) {
                                       pieces.emplace_back(first, count);
                                       PieceEnd end;
                                       for (std::size_t k = first; k < first + count; ++k) {
                                         if (slow.find(lines[k]) != std::string::npos) {
                                           clock -= seconds;
                                           return PieceEnd{.in_time = false};
                                         }
                                         clock -= 1;
                                         ++end.ran;
                                         if (bad.find(lines[k]) != std::string::npos)
                                           end.findings.push_back("bad " + lines[k]);
                                       }
                                       return end;
                                     },
                                 .save = [&] { ++saved; }});
  }
};

TEST(CaseWalk, DoesEachCaseOnceAndKeepsFindings) {
  nlohmann::json progress;
  Walked walked{.bad = "c"};
  EXPECT_TRUE(walked.go(progress, {"a", "b", "c", "d", "e"}));
  EXPECT_EQ(walked.pieces, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 4}, {4, 1}}));
  EXPECT_EQ(walked.saved, 2);
  EXPECT_EQ(progress_text(progress), "5 cases, 5 ran, 1 findings");
  EXPECT_FALSE(is_clean(progress));
  EXPECT_TRUE(walked.go(progress, {"a", "b", "c", "d", "e"}));
  EXPECT_EQ(walked.pieces.size(), 2U);           // there was nothing left
  EXPECT_TRUE(walked.go(progress, {"a", "b"}));  // another list
  EXPECT_TRUE(is_clean(progress));
}

TEST(CaseWalk, StopsByItsBudgetAndGoesOn) {
  nlohmann::json progress;
  Walked walked{.clock = 8};
  EXPECT_FALSE(walked.go(progress, {"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(progress_text(progress), "4 of 6 cases, 4 ran, 0 findings");
  EXPECT_FALSE(is_clean(progress));
  walked.clock = 450;
  EXPECT_TRUE(walked.go(progress, {"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(walked.pieces.back(), (std::pair<std::size_t, std::size_t>{4, 2}));
  EXPECT_TRUE(is_clean(progress));
}

TEST(CaseWalk, FindsTheCaseThatDoesNotEnd) {
  nlohmann::json progress;
  Walked walked{.slow = "c"};
  int calls = 0;
  while (!walked.go(progress, {"a", "b", "c", "d"})) {
    ASSERT_LT(++calls, 6);
    walked.clock = 450;
  }
  EXPECT_EQ(progress["findings"].dump(), "[\"not finished in 450 s: c\"]");
  EXPECT_EQ(progress_text(progress), "4 cases, 3 ran, 1 findings");
}

TEST(CaseWalk, IsNotCleanWhereNothingRan) {
  EXPECT_FALSE(is_clean(nlohmann::json::object()));
  EXPECT_FALSE(is_clean({{"cases", 0}, {"done", 0}, {"ran", 0}, {"findings", nlohmann::json::array()}}));
  EXPECT_FALSE(is_clean({{"absent", "no tool"}}));
  EXPECT_EQ(progress_text({{"absent", "no tool"}}), "not done: no tool");
}

}  // namespace
}  // namespace cellproof::lab
