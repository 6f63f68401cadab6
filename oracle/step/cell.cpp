#include "oracle/step/cell.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/at.hpp"
#include "oracle/quantized/weights.hpp"
#include "oracle/step/grid.hpp"
#include "oracle/values_of.hpp"

namespace cellproof::oracle {
namespace {

/// Transposes one direction's block [rows][columns] and gathers what is known of each row.
void take_weights(const Tensor& tensor, int direction, int rows, int columns, std::vector<double>& by_column,
                  std::vector<int>& grid, std::vector<double>& sums) {
  const std::vector<double> all = values_of(tensor);
  const double* block = all.data() + at(direction) * at(rows) * at(columns);
  by_column.resize(at(rows) * at(columns));
  grid.assign(at(rows), any_grid);
  sums.assign(at(rows), 0);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const double w = block[at(r) * at(columns) + at(c)];
      by_column[at(c) * at(rows) + at(r)] = w;
      grid[at(r)] = std::min(grid[at(r)], lowest_bit(w));
      sums[at(r)] += std::abs(w);
    }
  }
}

/// Gathers what is known of each row of a matrix that stands by columns.
void summarise(const std::vector<double>& by_column, std::size_t rows, std::vector<int>& grid,
               std::vector<double>& sums) {
  grid.assign(rows, any_grid);
  sums.assign(rows, 0);
  for (std::size_t first = 0; first < by_column.size(); first += rows) {
    for (std::size_t r = 0; r < rows; ++r) {
      const double w = by_column[first + r];
      grid[r] = std::min(grid[r], lowest_bit(w));
      sums[r] += std::abs(w);
    }
  }
}

/// The real weights of a quantised matrix, which already stands by columns.
void take_weights(const QuantizedMatrix& matrix, std::vector<double>& by_column, std::vector<int>& grid,
                  std::vector<double>& sums) {
  by_column = matrix.real_weights();
  summarise(by_column, at(matrix.rows), grid, sums);
}

std::vector<double> slice(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  std::vector<double> values(at(count));
  for (std::int64_t k = 0; k < count; ++k) values[at(k)] = tensor.value(at(first + k));
  return values;
}

ClipScope clip_scope_of(const Readings& readings) {
  if (readings.is(Clause::ClipScope, "gates")) return ClipScope::GatesOnly;
  return readings.is(Clause::ClipScope, "gates+cell") ? ClipScope::StoredCell : ClipScope::ArgumentOfH;
}

Coupling coupling_of(const Attributes& attributes, const Readings& readings) {
  if (attributes.input_forget.value_or(0) == 0) return Coupling::Uncoupled;
  // Two coupled gates leave one set of weights unused; taking the forget gate's means that it leads.
  const bool forget_leads =
      readings.is(Clause::InputForget, "i=1-f") || readings.is(Clause::InputForgetWeights, "used");
  return forget_leads ? Coupling::ForgetLeads : Coupling::InputLeads;
}

bool linear_before_reset_of(const Attributes& attributes, const Readings& readings) {
  const std::int64_t value = attributes.linear_before_reset.value_or(0);
  return readings.is(Clause::LinearBeforeResetOther, "only-one") ? value == 1 : value != 0;
}

}  // namespace

void Cell::summarise_weights() {
  summarise(W, at(rows), W_grid, W_sum);
  summarise(R, at(rows), R_grid, R_sum);
}

bool Cell::narrow_to(int unit) {
  if (op == Operator::GRU && !linear_before_reset) return false;
  const int before = units;
  const auto keep = [&](auto& values) {
    // Columns of gates of units: of each gate one is left.
    const std::size_t left = values.size() / at(before);
    for (std::size_t k = 0; k < left; ++k) values[k] = values[k * at(before) + at(unit)];
    values.resize(left);
  };
  for (auto* values : {&W, &R, &Wb, &Rb, &P, &W_sum, &R_sum}) keep(*values);
  keep(W_grid);
  keep(R_grid);
  units = 1;
  first_unit = unit;
  rows = gates;
  return true;
}

CellWeights weights_of(const Problem& problem, const Readings& readings, int direction) {
  CellWeights cell;
  if (problem.version.op == Operator::DynamicQuantizeLSTM) {
    take_weights(matrix_of_W(problem, readings, direction), cell.W, cell.W_grid, cell.W_sum);
    take_weights(matrix_of_R(problem, readings, direction), cell.R, cell.R_grid, cell.R_sum);
    return cell;
  }
  const Dimensions size = dimensions_of(problem);
  const int inputs = static_cast<int>(size.I), hidden = static_cast<int>(size.H);
  const int rows = gate_count(problem.version.op) * hidden;
  take_weights(*problem.input(input::W), direction, rows, inputs, cell.W, cell.W_grid, cell.W_sum);
  take_weights(*problem.input(input::R), direction, rows, hidden, cell.R, cell.R_grid, cell.R_sum);
  return cell;
}

Cell cell_of(const Problem& problem, const Readings& readings, int direction) {
  return cell_of(problem, readings, direction, weights_of(problem, readings, direction));
}

Cell cell_of(const Problem& problem, const Readings& readings, int direction, CellWeights weights) {
  const Dimensions size = dimensions_of(problem);
  Cell cell;
  static_cast<CellWeights&>(cell) = std::move(weights);
  cell.op = problem.version.op;
  cell.inputs = static_cast<int>(size.I);
  cell.hidden = static_cast<int>(size.H);
  cell.gates = gate_count(cell.op);
  cell.units = cell.hidden;
  cell.rows = cell.gates * cell.units;
  cell.terms = cell.inputs + cell.hidden + 5;
  if (const Tensor* B = problem.input(input::B)) {
    cell.Wb = slice(*B, 2 * cell.rows * direction, cell.rows);
    cell.Rb = slice(*B, 2 * cell.rows * direction + cell.rows, cell.rows);
  } else {
    cell.Wb.assign(at(cell.rows), 0);
    cell.Rb = cell.Wb;
  }
  if (has_cell_state(cell.op)) {
    if (const Tensor* P = problem.input(input::P)) cell.P = slice(*P, 3 * cell.hidden * direction, 3 * cell.hidden);
    cell.absent_initial_c = problem.input(input::initial_c) == nullptr;
    cell.skips_absent_c = cell.absent_initial_c && readings.is(Clause::AbsentInitialC, "skipped");
  }
  cell.activation = activations_of(problem, readings, direction);
  if (problem.attributes.clip && !(*problem.attributes.clip == 0 && readings.is(Clause::ClipZero, "off"))) {
    cell.clip = *problem.attributes.clip;
  }
  cell.clip_scope = clip_scope_of(readings);
  cell.coupling = coupling_of(problem.attributes, readings);
  cell.linear_before_reset = linear_before_reset_of(problem.attributes, readings);
  return cell;
}

}  // namespace cellproof::oracle
