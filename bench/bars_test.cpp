#include "bench/bars.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cellproof::bench {
namespace {

reports::BenchContestant with_ratio(const char* name, double ratio) {
  reports::BenchContestant c;
  c.name = name;
  c.seconds = reports::Spread{ratio, ratio, ratio};
  c.ratio = c.seconds;
  return c;
}

reports::BenchRow result_of(const char* row, int threads, std::vector<reports::BenchContestant> others) {
  reports::BenchRow result{row, "", threads, {with_ratio("cellproof-cpu", 1)}, std::nullopt, "", std::nullopt, {}};
  std::ranges::move(others, std::back_inserter(result.contestants));
  return result;
}

std::vector<reports::BenchBar> bars(const char* row, int threads, std::vector<reports::BenchContestant> others) {
  return bars_of(rows_named(engine_rows(), {row}).front(), result_of(row, threads, std::move(others)));
}

TEST(Bars, CompareWithTheBestOfThoseWhoComputedTheSame) {
  auto wrong = with_ratio("onednn-3", 0.5);
  wrong.failed = true;
  const auto found =
      bars("lstm-T100-N1-I256-H256", 1, {with_ratio("onnxruntime", 1.12), wrong, with_ratio("onednn-2", 1.04)});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].measured, 1.04);
  EXPECT_TRUE(found[0].is_met());
  EXPECT_EQ(found[1].measured, 1.12) << found[1].what;
  EXPECT_EQ(found[2].measured, std::nullopt) << "no limit was measured";
  EXPECT_FALSE(found[2].is_met());
}

TEST(Bars, OfSeveralThreadsLeaveRoomForTheirMeeting) {
  const auto one = bars("gru-T100-N1-I256-H256", 1, {with_ratio("onnxruntime", 0.99)});
  const auto two = bars("gru-T100-N1-I256-H256", 2, {with_ratio("onnxruntime", 0.99)});
  ASSERT_FALSE(one.empty());
  ASSERT_EQ(two.size(), 1U);
  EXPECT_FALSE(one[0].is_met());
  EXPECT_TRUE(two[0].is_met());
}

TEST(Bars, AreThereForEveryRowAndForNobodyElse) {
  for (const Row& row : engine_rows())
    for (const int threads : {1, 2}) {
      reports::BenchRow result = result_of("", threads, {with_ratio("onnxruntime", 100)});
      result.limit = reports::BenchLimit{{1, 1, 1}, reports::Spread{1, 1, 1}, ""};
      const auto found = bars_of(row, result);
      EXPECT_FALSE(found.empty()) << row.name;
      for (const auto& bar : found)
        EXPECT_EQ(bar.is_met(), bar.what != "against the best oneDNN") << row.name << ", " << bar.what;
      result.contestants.front().name = "onnxruntime";
      EXPECT_TRUE(bars_of(row, result).empty());
    }
  for (const Row& row : judge_rows()) EXPECT_TRUE(bars_of(row, result_of("", 1, {})).empty());
}

}  // namespace
}  // namespace cellproof::bench
