#include "oracle/task.hpp"

#include <algorithm>

#include "oracle/step/cell.hpp"

namespace cellproof::oracle {
namespace {

double state_at(const Task& task, const std::vector<double>& state, std::int64_t d, std::int64_t b, std::int64_t j) {
  return state.empty() ? 0 : state[task.frame.state_offset(d, b) + static_cast<std::size_t>(j)];
}

std::vector<double> values_or_nothing(const Tensor* tensor) {
  return tensor ? values_of(*tensor) : std::vector<double>{};
}

}  // namespace

double Task::initial_state_of_h(std::int64_t d, std::int64_t b, std::int64_t j) const {
  return state_at(*this, initial_h, d, b, j);
}

double Task::initial_state_of_c(std::int64_t d, std::int64_t b, std::int64_t j) const {
  return state_at(*this, initial_c, d, b, j);
}

bool Task::stateless_rows_are_zero() const {
  return readings.is(frame.T == 0 ? Clause::EmptySequenceState : Clause::ZeroLengthState, "zero");
}

Cell Task::cell(std::int64_t direction) const {
  const auto d = static_cast<int>(direction);
  Cell cell = cell_of(problem, readings, d);
  if (departures.cell) departures.cell(cell, {problem, readings, d});
  return cell;
}

ElementType value_type(const Problem& problem) {
  for (std::size_t position = 0; position < problem.inputs.size(); ++position) {
    if (const Tensor* given = problem.input(position)) return given->type();
  }
  return ElementType::Float;
}

Task task_of(const Problem& problem, const std::vector<std::optional<Tensor>>& outputs, const Readings& readings,
             const Arithmetic& arithmetic, const Departures& departures) {
  Task task{problem, readings, frame_of(problem), arithmetic, {}, {}, {}, {}, {}, {}, departures};
  if (departures.frame) departures.frame(task.frame);
  if (departures.arithmetic) departures.arithmetic(task.arithmetic);
  if (problem.version.op == Operator::DynamicQuantizeLSTM) {
    // Factors of nine bits are never rounded; real weights are rounded products of a scale and an integer.
    const bool real_weights = readings.is(Clause::DqGranularity, "none");
    task.arithmetic.u_operand = real_weights ? std::max(arithmetic.u_operand, arithmetic.u_elementwise) : 0;
  }
  task.X = values_of(*problem.input(input::X));
  task.initial_h = values_or_nothing(problem.input(input::initial_h));
  if (has_cell_state(problem.version.op)) task.initial_c = values_or_nothing(problem.input(input::initial_c));
  const auto given = [&](std::size_t position) -> std::optional<std::vector<double>> {
    if (position >= outputs.size() || !outputs[position]) return std::nullopt;
    return values_of(*outputs[position]);
  };
  task.Y = given(output::Y);
  task.Y_h = given(output::Y_h);
  task.Y_c = given(output::Y_c);
  return task;
}

}  // namespace cellproof::oracle
