#include "oracle/answers.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

using testing::some_problem;

/// A case without Y.
Problem of_last_states(Operator op, std::vector<double> lengths, std::int64_t T) {
  return some_problem(op, ElementType::Float, [&](Case& c) {
    c.T = T;
    testing::give_lengths(c, lengths);
    c.outputs = {Presence::Absent, Presence::Given};
  });
}

bool asks_for_all_outputs(const Problem& problem) {
  return questions_about(problem, {}, {}).all_outputs.has_value();
}

TEST(Questions, AskForAllOutputsWhereMoreStepsThanOneMayHaveBeenTaken) {
  EXPECT_TRUE(asks_for_all_outputs(of_last_states(Operator::RNN, {4, 2, 4}, 4)));
  for (const std::vector<double>& lengths : {std::vector<double>{1, 0, 1}, {1, 1, 1}, {0, 0, 0}}) {
    EXPECT_TRUE(asks_for_all_outputs(of_last_states(Operator::RNN, lengths, 4))) << "an engine may go on behind them";
    EXPECT_FALSE(asks_for_all_outputs(of_last_states(Operator::RNN, lengths, 1)));
  }
}

}  // namespace
}  // namespace cellproof::oracle
