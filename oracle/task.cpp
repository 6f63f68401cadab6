#include "oracle/task.hpp"

#include <algorithm>
#include <limits>

namespace cellproof::oracle {
namespace {

double state_at(const Task& task, const std::vector<double>& state, std::int64_t d, std::int64_t b, std::int64_t j) {
  return state.empty() ? 0 : state[task.layout.state_offset(d, b) + static_cast<std::size_t>(j)];
}

}  // namespace

Task::Task(const Observed& seen, const Readings& supposed, const Arithmetic& allowed, const FaultHooks& departing)
    : problem(seen.problem),
      X(seen.X),
      initial_h(seen.initial_h),
      initial_c(seen.initial_c),
      Y(seen.Y),
      Y_h(seen.Y_h),
      Y_c(seen.Y_c),
      readings(supposed),
      layout(seen.layout),
      arithmetic(allowed),
      fault_hooks(departing) {
  if (fault_hooks.layout) fault_hooks.layout(layout);
  if (fault_hooks.arithmetic) fault_hooks.arithmetic(arithmetic);
  if (is_quantised(problem.version.op)) {
    // Factors of nine bits are never rounded; real weights are rounded products of a scale and an integer.
    const bool real_weights = readings.is(Clause::DqGranularity, "none");
    arithmetic.u_operand = real_weights ? std::max(allowed.u_operand, allowed.u_elementwise) : 0;
    arithmetic.eta_operand = arithmetic.normal_operand = 0;
    arithmetic.largest_operand = std::numeric_limits<double>::infinity();
  }
}

double Task::initial_state_of_h(std::int64_t d, std::int64_t b, std::int64_t j) const {
  return state_at(*this, initial_h, d, b, j);
}

double Task::initial_state_of_c(std::int64_t d, std::int64_t b, std::int64_t j) const {
  return state_at(*this, initial_c, d, b, j);
}

bool Task::stateless_rows_are_zero() const {
  return readings.is(layout.T == 0 ? Clause::EmptySequenceState : Clause::ZeroLengthState, "zero");
}

FaultyCell Task::early_cell(std::int64_t direction) const {
  const auto d = static_cast<int>(direction);
  FaultyCell cell{cell_of(problem, readings, d), {}};
  if (fault_hooks.cell) fault_hooks.cell(cell, {problem, readings, d});
  return cell;
}

FaultyCell Task::cell(std::int64_t direction) const {
  FaultyCell cell = early_cell(direction);
  if (fault_hooks.late_cell) fault_hooks.late_cell(cell, {problem, readings, static_cast<int>(direction)});
  return cell;
}

}  // namespace cellproof::oracle
