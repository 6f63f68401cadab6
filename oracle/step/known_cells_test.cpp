#include "oracle/step/known_cells.hpp"

#include <gtest/gtest.h>

#include "oracle/testing/problems.hpp"

namespace cellproof::oracle {
namespace {

Problem problem_of(Operator op) {
  Case c = plain_case(newest(op), ElementType::Float, 2, 1, 3, 2);
  if (op == Operator::DynamicQuantizeLSTM) c.weight_type = ElementType::Int8;
  return make_problem(c);
}

void change_one_number(Problem& problem, std::size_t position) {
  Tensor& tensor = *problem.inputs[position].tensor;
  tensor.set_value(0, tensor.value(0) == 1 ? 2 : 1);
}

/// Expects of what differs in this input what the function without a memory gives, after the own problem was asked for.
void expect_what_is_not_remembered(Operator op, std::size_t position) {
  const Problem own = problem_of(op);
  Problem other = own;
  change_one_number(other, position);
  KnownCells known(own);
  if (op == Operator::DynamicQuantizeLSTM) {
    known.matrix_of_W(own, {}, 0);
    known.matrix_of_R(own, {}, 0);
    EXPECT_EQ(known.matrix_of_W(other, {}, 0).real_weights(), matrix_of_W(other, {}, 0).real_weights()) << position;
    EXPECT_EQ(known.matrix_of_R(other, {}, 0).real_weights(), matrix_of_R(other, {}, 0).real_weights()) << position;
  } else {
    known.cell_of(own, {}, 0);
    EXPECT_EQ(known.cell_of(other, {}, 0).W, cell_of(other, {}, 0).W) << position;
    EXPECT_EQ(known.cell_of(other, {}, 0).R, cell_of(other, {}, 0).R) << position;
  }
}

TEST(KnownCells, AreTheOwnWeightsAndNoOthers) {
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN})
    for (const std::size_t position : {input::W, input::R}) expect_what_is_not_remembered(op, position);
  for (const std::size_t position : {input::W, input::R, input::W_scale, input::R_scale})
    expect_what_is_not_remembered(Operator::DynamicQuantizeLSTM, position);
}

}  // namespace
}  // namespace cellproof::oracle
