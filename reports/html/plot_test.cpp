#include "reports/html/plot.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <regex>

namespace cellproof::reports::html {
namespace {

constexpr Direction forward = Direction::Forward;

Judgement with_series(std::vector<StepPoint> series) {
  Judgement judgement;
  judgement.series = std::move(series);
  return judgement;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

TEST(Plot, IsNothingWithoutASeries) {
  EXPECT_EQ(plot({}), "");
}

TEST(Plot, MarksWhatIsBeyondTheBound) {
  const std::string svg =
      plot(with_series({{0, forward, 1e-8, 1e-7, 0.1}, {1, forward, 1e-3, 1e-7, 1e4}, {2, forward, 0, 1e-7, 0}}));
  EXPECT_EQ(count(svg, "<svg"), 1U);
  EXPECT_EQ(count(svg, "class=\"over\""), 1U);
  EXPECT_EQ(count(svg, "class=\"within\""), 2U);
  EXPECT_EQ(svg.find("first wrong"), std::string::npos);
}

TEST(Plot, HasAPanelForEachDirectionAndMarksTheFirstStepInItsOwn) {
  Judgement judgement = with_series({{0, forward, 1e-8, 1e-7, 0.1}, {0, Direction::Reverse, 1, 1e-7, 1e7}});
  judgement.first = FirstViolation{};
  judgement.first->step = 0;
  judgement.first->direction = Direction::Reverse;
  const std::string svg = plot(judgement);
  EXPECT_EQ(count(svg, "<svg"), 2U);
  EXPECT_EQ(count(svg, "first wrong step 0"), 1U);
  EXPECT_GT(svg.find("first wrong step 0"), svg.rfind("<svg"));
}

TEST(Plot, TakesTheWorstOfAStepAndOfAnInterval) {
  const std::string one =
      plot(with_series({{4, forward, 1e-9, 1e-7, 0.01}, {4, forward, 1, 1e-7, 1e7}, {4, forward, 1e-8, 1e-7, 0.1}}));
  EXPECT_EQ(count(one, "<circle"), 1U);
  EXPECT_EQ(count(one, "class=\"over\""), 1U);
  std::vector<StepPoint> many;
  for (int t = 0; t < 10'000; ++t) many.push_back({t, forward, t == 7777 ? 1 : 1e-9, 1e-7, t == 7777 ? 1e7 : 0.01});
  const std::string svg = plot(with_series(many));
  EXPECT_EQ(count(svg, "class=\"over\""), 1U);
  EXPECT_LT(svg.size(), 20'000U);
}

TEST(Plot, StaysInsideItsFrameWhateverTheNumbers) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double error : {0.0, -1.0, 5e-324, 1.7e308, inf, -inf, nan}) {
    for (const double bound : {0.0, 5e-324, 1.7e308, inf, nan}) {
      const std::string svg =
          plot(with_series({{0, forward, error, bound, error / bound}, {1, forward, 1e-9, 1e-7, 0.01}}));
      EXPECT_FALSE(std::regex_search(svg, std::regex("[ \"LMh]-?(inf|nan)[ \"LMhz]"))) << error << " against " << bound;
    }
  }
}

}  // namespace
}  // namespace cellproof::reports::html
