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

TEST(TaskOrder, PutsCasesThatDecideAClauseFirst) {
  const corpus::Suite smoke{"smoke", "", {case_of(Operator::LSTM, 22), case_of(Operator::GRU, 22)}};
  corpus::Suite readings{"asking", "", {case_of(Operator::LSTM, 22)}};
  readings.cases[0].clause = Clause::ClipZero;
  const auto [first, others] = readings_first({{&smoke, 0}, {&readings, 0}, {&smoke, 1}});
  EXPECT_EQ(first, (std::vector<Task>{{&readings, 0}}));
  EXPECT_EQ(others, (std::vector<Task>{{&smoke, 0}, {&smoke, 1}}));
}

corpus::Suite endless(const std::string& name, std::int64_t turns) {
  return {.name = name,
          .what = "",
          .draw = [](std::uint64_t, const auto&) { return case_of(Operator::LSTM, 22); },
          .turns = turns};
}

TEST(TasksWithoutEnd, GiveEachSuiteItsTurns) {
  const std::vector<corpus::Suite> suites{endless("a", 1), endless("b", 3)};
  const Searched searched(suites, {}, {}, {});
  const NextTask next = in_rounds({&suites[0], &suites[1]}, {}, searched);
  std::vector<std::int64_t> of_a, of_b;
  for (int k = 0; k < 40; ++k) {
    const std::optional<Task> task = next();
    ASSERT_TRUE(task);
    (task->suite == &suites[0] ? of_a : of_b).push_back(task->number);
  }
  EXPECT_EQ(of_a.size(), 10U);
  EXPECT_EQ(of_b.size(), 30U);
  EXPECT_EQ(of_b[29], 29);
}

TEST(TasksWithoutEnd, AreThoseOfTheShardThatHaveNotBeenTried) {
  const std::vector<corpus::Suite> suites{endless("a", 1)};
  const auto finding_of = [](std::int64_t number) {
    Finding finding;
    finding.suite = "a";
    finding.number = number;
    return finding;
  };
  const Searched searched(suites, {1, 2}, {{"a", {5, {{"CONFORMS", 2}}}}}, {finding_of(7), finding_of(11)});
  const NextTask next = in_rounds({&suites[0]}, {1, 2}, searched);
  for (const std::int64_t number : {5, 9, 13, 15}) EXPECT_EQ(next()->number, number);
}

TEST(Tasks, OfAListEndWithIt) {
  const corpus::Suite suite{"s", "", {case_of(Operator::LSTM, 22)}};
  const NextTask next = in_order(tasks_of(suite));
  EXPECT_EQ(next()->number, 0);
  EXPECT_FALSE(next());
}

}  // namespace
}  // namespace cellproof::campaign
