#include "campaign/task.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cellproof::campaign {
namespace {

corpus::SuiteCase case_of(Operator op, int version) {
  return {"", plain_case({op, version}, ElementType::Float, 2, 1, 2, 2)};
}

std::vector<Task> tasks_of(const corpus::Suite& suite) {
  std::vector<Task> tasks;
  for (std::size_t k = 0; k < suite.cases.size(); ++k) tasks.push_back({&suite, static_cast<std::int64_t>(k)});
  return tasks;
}

TEST(TaskOrder, LeavesNoneOut) {
  corpus::Suite suite{"s", "", {}};
  EXPECT_TRUE(spread({}).empty());
  for (int k = 0; k < 100; ++k) suite.cases.push_back(case_of(Operator::LSTM, 22));
  std::vector<Task> ordered = spread(tasks_of(suite));
  EXPECT_NE(ordered, tasks_of(suite));
  EXPECT_EQ(ordered, spread(tasks_of(suite)));
  std::ranges::sort(ordered, {}, &Task::number);
  EXPECT_EQ(ordered, tasks_of(suite));
}

TEST(TaskOrder, SpreadsAnyStretchEvenlyOverTheWhole) {
  corpus::Suite suite{"s", "", {}};
  for (int k = 0; k < 860; ++k) suite.cases.push_back(case_of(Operator::LSTM, 22));
  const std::vector<Task> ordered = spread(tasks_of(suite));
  for (const std::int64_t begin : {0, 100, 500, 760}) {
    for (std::size_t tenth = 0; tenth < 10; ++tenth) {
      std::int64_t there = 0;
      for (std::size_t k = tenth * 86; k < (tenth + 1) * 86; ++k)
        there += ordered[k].number >= begin && ordered[k].number < begin + 100;
      EXPECT_GE(there, 7) << begin << " in tenth " << tenth;
      EXPECT_LE(there, 13) << begin << " in tenth " << tenth;
    }
  }
}

TEST(TaskOrder, PutsTheSuiteOfReadingsFirst) {
  const corpus::Suite smoke{"smoke", "", {case_of(Operator::LSTM, 22), case_of(Operator::GRU, 22)}};
  const corpus::Suite readings{"readings", "", {case_of(Operator::LSTM, 22)}};
  const auto [first, others] = readings_first({{&smoke, 0}, {&readings, 0}, {&smoke, 1}});
  EXPECT_EQ(first, (std::vector<Task>{{&readings, 0}}));
  EXPECT_EQ(others, (std::vector<Task>{{&smoke, 0}, {&smoke, 1}}));
}

}  // namespace
}  // namespace cellproof::campaign
