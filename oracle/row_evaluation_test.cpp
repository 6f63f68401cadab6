#include "oracle/row_evaluation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>

#include "oracle/testing/judging.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

const Arithmetic f32_of_rows = arithmetic_of(ContractId::F32, ElementType::Float);

/// Both directions of some node, without Y.
Problem last_states_of_both(Operator op) {
  Problem problem = testing::some_problem(op, ElementType::Float, [](Case& c) {
    c.attributes.direction = "bidirectional";
    c.outputs[output::Y] = Presence::Empty;
  });
  return problem;
}

TEST(IsFarOff, LooksAtBothDirectionsEveryRowAndEveryLastState) {
  const Problem problem = last_states_of_both(Operator::LSTM);
  const Outputs honest = testing::compute(problem);
  EXPECT_FALSE(is_far_off(testing::OwnTask(problem, honest, {}, f32_of_rows).task, 0.5));
  for (const std::size_t position : {output::Y_h, output::Y_c}) {
    for (const std::int64_t d : {0, 1}) {
      for (const std::int64_t b : {0, 1, 2}) {
        Outputs moved = honest;
        Tensor& tensor = *moved[position];
        tensor.set_value({d, b, 5}, tensor.value({d, b, 5}) + 1);
        const testing::OwnTask own(problem, moved, {}, f32_of_rows);
        EXPECT_TRUE(is_far_off(own.task, 0.5)) << position << ' ' << d << ' ' << b;
        EXPECT_FALSE(is_far_off(own.task, 1.5)) << position << ' ' << d << ' ' << b;
        std::optional<BatchRow> likeliest = BatchRow{1, 1};
        EXPECT_TRUE(is_far_off(own.task, 0.5, &likeliest)) << position << ' ' << d << ' ' << b;
        EXPECT_TRUE(likeliest->d == d && likeliest->b == b) << position << ' ' << d << ' ' << b;
      }
    }
  }
}

TEST(ReachOfLastStates, IsThatOfTheDirectionThatReachesFurther) {
  // A direction whose weights are all zero is exactly 0.
  std::array<double, 3> reach{};
  for (const std::int64_t silent : {0, 1, 2}) {
    Problem problem = last_states_of_both(Operator::RNN);
    for (const std::size_t position : {input::W, input::R, input::B}) {
      Tensor& tensor = *problem.inputs[position].tensor;
      const std::size_t half = tensor.size() / 2;
      for (std::size_t k = 0; k < half && silent < 2; ++k)
        tensor.set_value(static_cast<std::size_t>(silent) * half + k, 0);
    }
    const Outputs honest = testing::compute(problem);
    reach.at(static_cast<std::size_t>(silent)) =
        reach_of_last_states(testing::OwnTask(problem, honest, {}, f32_of_rows).task);
  }
  EXPECT_GT(reach[0], 0);
  EXPECT_GT(reach[1], 0);
  EXPECT_NE(reach[0], reach[1]);
  EXPECT_EQ(reach[2], std::max(reach[0], reach[1]));
}

}  // namespace
}  // namespace cellproof::oracle
