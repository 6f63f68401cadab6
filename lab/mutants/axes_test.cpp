// Faults that exchange axes everywhere have one name, whichever axis is the longer one.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/mutants/mutant_engine.hpp"
#include "oracle/decide.hpp"
#include "spec/case.hpp"
#include "spec/case_text.hpp"

namespace cellproof::lab::mutants {
namespace {

std::vector<std::string> named_of(const std::string& line, const char* mutant) {
  const Problem problem = make_problem(parse_case("cellproof-case/1 type=float I=3 H=4 B=given " + line));
  EXPECT_TRUE(applies(problem, *mutant_named(mutant))) << line;
  const Judgement judgement = oracle::decide(problem, {}, answers_of(problem, *mutant_named(mutant)));
  EXPECT_EQ(judgement.verdict, Verdict::Diverges) << line;
  return judgement.faults;
}

TEST(ExchangedAxes, OfTimeAndBatchAreNamed) {
  for (const char* node : {"op=LSTM-14", "op=GRU-14", "op=RNN-14", "op=LSTM-14 layout=1 direction=bidirectional"}) {
    for (const char* sizes : {"T=2 N=7", "T=7 N=2", "T=3 N=3"}) {
      EXPECT_THAT(named_of(fmt::format("{} {}", node, sizes), "batch-taken-for-time"),
                  ::testing::ElementsAre("batch-taken-for-time"))
          << node << ' ' << sizes;
    }
  }
}

TEST(ExchangedAxes, OfAllStatesHaveOneName) {
  for (const char* node : {"op=LSTM-14 initial_c=given", "op=GRU-14", "op=RNN-14"}) {
    for (const int rows : {2, 5}) {
      const std::string line = fmt::format("{} T=3 N={} layout=1 direction=bidirectional initial_h=given", node, rows);
      EXPECT_THAT(named_of(line, "layout-ignored-in-states-throughout"),
                  ::testing::ElementsAre("layout-ignored-in-states-throughout"))
          << line;
    }
  }
}

}  // namespace
}  // namespace cellproof::lab::mutants
