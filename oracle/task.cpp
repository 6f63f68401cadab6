#include "oracle/task.hpp"

#include <algorithm>
#include <limits>

namespace cellproof::oracle {
namespace {

double state_at(const Task& task, const std::vector<double>& state, std::int64_t d, std::int64_t b, std::int64_t j) {
  return state.empty() ? 0 : state[task.layout.state_offset(d, b) + static_cast<std::size_t>(j)];
}

}  // namespace

Task::Task(const Observed& seen, const Readings& supposed, const Arithmetic& allowed, const FaultHooks& departing,
           KnownCells* known)
    : problem(seen.problem),
      X(seen.X),
      initial_h(seen.initial_h),
      initial_c(seen.initial_c),
      X_radius(seen.X_radius),
      Y(seen.Y),
      Y_h(seen.Y_h),
      Y_c(seen.Y_c),
      readings(supposed),
      layout(seen.layout),
      arithmetic(allowed),
      fault_hooks(departing),
      known_cells(known) {
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

const double* Task::x_radius(std::int64_t t, std::int64_t b) const {
  return X_radius.empty() ? nullptr : X_radius.data() + layout.x_offset(t, b);
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

FaultyCell Task::cell_with(std::int64_t direction, std::int64_t unit, bool is_late) const {
  const auto d = static_cast<int>(direction);
  FaultyCell cell{known_cells ? known_cells->cell_of(problem, readings, d) : oracle::cell_of(problem, readings, d), {}};
  const CellSource source{problem, readings, d};
  if (fault_hooks.cell) fault_hooks.cell(cell, source);
  if (is_late && fault_hooks.late_cell) fault_hooks.late_cell(cell, source);
  if (unit != every_unit) cell.narrow_all_to(static_cast<int>(unit));
  if (fault_hooks.cell || fault_hooks.late_cell) cell.summarise_weights();
  return cell;
}

FaultyCell Task::early_cell(std::int64_t direction, std::int64_t unit) const {
  return cell_with(direction, unit, false);
}

FaultyCell Task::cell(std::int64_t direction, std::int64_t unit) const {
  return cell_with(direction, unit, true);
}

bool Task::can_look_at_one_unit() const {
  return Y && !fault_hooks.warms_up_in_padding && !fault_hooks.state_goes_to_next_row;
}

bool Task::is_dear_in_balls() const {
  constexpr double most_products = 0x1p24;
  return static_cast<double>(layout.D) * layout.products(problem.version.op) > most_products;
}

}  // namespace cellproof::oracle
