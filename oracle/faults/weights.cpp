// Faults of W, R, B and P: which block is taken for which gate, and what is left out, doubled or misread.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// `per_row` values (a column of a matrix, or a bias) whose blocks stand in another order than the right one.
void reorder(double* per_row, const std::string& order, std::string_view letters, int hidden) {
  const std::vector<double> stored(per_row, per_row + order.size() * at(hidden));
  for (std::size_t block = 0; block < order.size(); ++block) {
    const std::size_t gate = letters.find(order[block]);
    std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(block * at(hidden)), hidden, per_row + gate * at(hidden));
  }
}

void reorder_columns(std::vector<double>& by_column, const std::string& order, std::string_view letters,
                     const Cell& cell) {
  for (std::size_t first = 0; first < by_column.size(); first += at(cell.rows)) {
    reorder(by_column.data() + first, order, letters, cell.hidden);
  }
}

enum Part { part_W = 1, part_R = 2, part_B = 4 };

CellChange order_taken_for(const std::string& order, int parts) {
  return [order, parts](Cell& cell, const CellSource&) {
    const std::string_view letters = gate_letters(cell.op);
    if (parts & part_W) reorder_columns(cell.W, order, letters, cell);
    if (parts & part_R) reorder_columns(cell.R, order, letters, cell);
    if (parts & part_B) {
      reorder(cell.Wb.data(), order, letters, cell.hidden);
      reorder(cell.Rb.data(), order, letters, cell.hidden);
    }
  };
}

void reorder_columns(QuantizedMatrix& matrix, const std::string& order) {
  const std::string_view letters = gate_letters(Operator::LSTM);
  const int hidden = matrix.rows / static_cast<int>(letters.size());
  for (int k = 0; k < matrix.depth; ++k)
    reorder(matrix.integers.data() + at(k) * at(matrix.rows), order, letters, hidden);
  reorder(matrix.scales.data(), order, letters, hidden);
  reorder(matrix.zero_points.data(), order, letters, hidden);
}

MatrixChange order_of_matrices(const std::string& order, int parts) {
  return [order, parts](QuantizedMatrix& W, QuantizedMatrix& R, const CellSource&) {
    if (parts & part_W) reorder_columns(W, order);
    if (parts & part_R) reorder_columns(R, order);
  };
}

/// A fault that takes the gates' blocks for others'.
Fault of_order(const std::string& id, Needs needs, const std::string& order, int parts) {
  return with_quantised(of_cell(id, std::move(needs), order_taken_for(order, parts)), order_of_matrices(order, parts));
}

/// A block of R by columns transposed for each gate, or for one; -1: for all.
void transpose_blocks(std::vector<double>& by_column, int rows, int hidden, int only) {
  const auto entry = [&](int gate, int row, int column) -> double& {
    return by_column[at(column) * at(rows) + at(gate * hidden + row)];
  };
  for (int gate = 0; gate < rows / hidden; ++gate) {
    if (only >= 0 && gate != only) continue;
    for (int j = 0; j < hidden; ++j) {
      for (int k = 0; k < j; ++k) std::swap(entry(gate, j, k), entry(gate, k, j));
    }
  }
}

Fault of_transposed(std::string_view id, Needs needs, int gate) {
  const auto of_cells = [gate](Cell& cell, const CellSource&) {
    transpose_blocks(cell.R, cell.rows, cell.hidden, gate);
  };
  return with_quantised(of_cell(id, std::move(needs), of_cells),
                        [gate](QuantizedMatrix&, QuantizedMatrix& R, const CellSource&) {
                          transpose_blocks(R.integers, R.rows, R.depth, gate);
                        });
}

void clear_columns(std::vector<double>& by_column, int rows, int first, int columns) {
  std::fill(by_column.begin() + static_cast<std::ptrdiff_t>(at(first) * at(rows)),
            by_column.begin() + static_cast<std::ptrdiff_t>(at(columns) * at(rows)), 0.0);
}

bool wider_than_one(const Problem& problem) {
  return dimensions_of(problem).H > 1;
}
bool has_tail(std::int64_t columns, std::int64_t width) {
  return columns > width && columns % width != 0;
}

void add_transposed(Table& table) {
  table.push_back(of_transposed("r-not-transposed", wider_than_one, -1));
  for (const FaultInfo& info : fault_family("r-not-transposed-in-{}"))
    table.push_back(of_transposed(info.id, wider_than_one, static_cast<int>(gate_of(info))));
}

/// A fault that forgets columns of W from..to, and of R.
using Columns = std::pair<int, int>;
Fault of_dropped(std::string_view id, Needs needs, const std::function<Columns(int)>& of_W,
                 const std::function<Columns(int)>& of_R) {
  const auto of_cells = [of_W, of_R](Cell& cell, const CellSource&) {
    const auto [first_x, last_x] = of_W(cell.inputs);
    const auto [first_h, last_h] = of_R(cell.hidden);
    clear_columns(cell.W, cell.rows, first_x, last_x);
    clear_columns(cell.R, cell.rows, first_h, last_h);
  };
  return with_quantised(of_cell(id, std::move(needs), of_cells),
                        [of_W, of_R](QuantizedMatrix& W, QuantizedMatrix& R, const CellSource&) {
                          const auto [first_x, last_x] = of_W(W.depth);
                          const auto [first_h, last_h] = of_R(R.depth);
                          clear_columns(W.integers, W.rows, first_x, last_x);
                          clear_columns(R.integers, R.rows, first_h, last_h);
                        });
}

void add_dropped_products(Table& table) {
  const auto none = [](int) { return Columns{0, 0}; };
  const auto last = [](int columns) { return Columns{columns - 1, columns}; };
  table.push_back(of_dropped("last-product-dropped", always, last, last));
  table.push_back(of_dropped("recurrent-weights-ignored", always, none, [](int columns) {
    return Columns{0, columns};
  }));
  table.push_back(of_dropped(
      "first-input-dropped", always,
      [](int) {
        return Columns{0, 1};
      },
      none));
  for (const int width : {8, 16}) {
    const auto tail = [width](int columns) { return Columns{columns - columns % width, columns}; };
    table.push_back(of_dropped(
        fmt::format("tail-of-{}-dropped-in-w", width),
        [width](const Problem& p) { return has_tail(dimensions_of(p).I, width); }, tail, none));
    table.push_back(of_dropped(
        fmt::format("tail-of-{}-dropped-in-r", width),
        [width](const Problem& p) { return has_tail(dimensions_of(p).H, width); }, none, tail));
  }
}

void fill_gate(std::vector<double>& per_row, int gate, int hidden, double value) {
  std::fill_n(per_row.begin() + gate * hidden, hidden, value);
}
void scale(std::vector<double>& values, double factor) {
  for (double& value : values) value = factor == 0 ? 0 : value * factor;
}

void add_bias_of_gates(Table& table) {
  for (const FaultInfo& info : fault_family("wb-{}-ignored")) {
    const auto gate = static_cast<int>(gate_of(info));
    table.push_back(of_cell(info.id, given(input::B),
                            [gate](Cell& cell, const CellSource&) { fill_gate(cell.Wb, gate, cell.hidden, 0); }));
    table.push_back(of_cell(fmt::format("rb-{}-ignored", info.member), given(input::B),
                            [gate](Cell& cell, const CellSource&) { fill_gate(cell.Rb, gate, cell.hidden, 0); }));
  }
}

/// Wb and Rb in one list with the two halves of each gate beside each other.
void read_interleaved(Cell& cell, const CellSource&) {
  std::vector<double> stored = cell.Wb;
  stored.insert(stored.end(), cell.Rb.begin(), cell.Rb.end());
  const int H = cell.hidden;
  for (int row = 0; row < cell.rows; ++row) {
    const int gate = row / H, unit = row % H;
    cell.Wb[at(row)] = stored[at(2 * gate * H + unit)];
    cell.Rb[at(row)] = stored[at((2 * gate + 1) * H + unit)];
  }
}

Fault of_bias(std::string_view id, CellChange change) {
  return of_cell(id, given(input::B), std::move(change));
}

Fault of_peepholes(std::string_view id, std::function<void(FaultyCell&)> change) {
  return of_cell(id, given(input::P),
                 [change = std::move(change)](FaultyCell& cell, const CellSource&) { change(cell); });
}

}  // namespace

Table gate_order() {
  Table table;
  for (const FaultInfo& info : fault_family("gate-order-{}"))
    table.push_back(of_order(info.id, always, info.member, part_W | part_R | part_B));
  for (const FaultInfo& info : fault_family("w-order-{}")) {
    const std::string& order = info.member;
    table.push_back(of_order(info.id, always, order, part_W));
    table.push_back(of_order(fmt::format("r-order-{}", order), always, order, part_R));
    table.push_back(of_order(fmt::format("b-order-{}", order), given(input::B), order, part_B));
  }
  add_transposed(table);
  add_dropped_products(table);
  return table;
}

Table biases() {
  Table table;
  add_bias_of_gates(table);
  table.push_back(of_bias("wb-ignored", [](Cell& cell, const CellSource&) { scale(cell.Wb, 0); }));
  table.push_back(of_bias("rb-ignored", [](Cell& cell, const CellSource&) { scale(cell.Rb, 0); }));
  const std::tuple<const char*, double, double> factors[] = {
      {"bias-ignored", 0, 0}, {"bias-doubled", 2, 2}, {"bias-negated", -1, -1}, {"wb-doubled", 2, 1},
      {"rb-doubled", 1, 2},   {"wb-negated", -1, 1},  {"rb-negated", 1, -1},
  };
  for (const auto& [id, of_Wb, of_Rb] : factors) {
    table.push_back(of_bias(id, [for_Wb = of_Wb, for_Rb = of_Rb](Cell& cell, const CellSource&) {
      scale(cell.Wb, for_Wb);
      scale(cell.Rb, for_Rb);
    }));
  }
  table.push_back(of_bias("wb-for-rb", [](Cell& cell, const CellSource&) { cell.Rb = cell.Wb; }));
  table.push_back(of_bias("rb-for-wb", [](Cell& cell, const CellSource&) { cell.Wb = cell.Rb; }));
  table.push_back(of_bias("bias-of-first-gate-only", [](Cell& cell, const CellSource&) {
    for (auto* half : {&cell.Wb, &cell.Rb}) std::fill(half->begin() + cell.hidden, half->end(), 0.0);
  }));
  table.push_back(of_bias("bias-interleaved", read_interleaved));
  table.push_back(of_bias("bias-of-first-unit-for-all", [](Cell& cell, const CellSource&) {
    for (auto* half : {&cell.Wb, &cell.Rb}) {
      for (int gate = 0; gate < cell.gates; ++gate)
        fill_gate(*half, gate, cell.hidden, (*half)[at(gate * cell.hidden)]);
    }
  }));
  return table;
}

Table peepholes() {
  Table table;
  for (const FaultInfo& info : fault_family("peephole-order-{}")) {
    table.push_back(of_peepholes(
        info.id, [order = info.member](Cell& cell) { reorder(cell.P.data(), order, "iof", cell.hidden); }));
  }
  for (const FaultInfo& info : fault_family("peephole-{}-missing")) {
    const auto gate = static_cast<int>(gate_of(info));
    table.push_back(of_peepholes(info.id, [gate](Cell& cell) { fill_gate(cell.P, gate, cell.hidden, 0); }));
  }
  table.push_back(of_peepholes("peepholes-ignored", [](Cell& cell) { scale(cell.P, 0); }));
  table.push_back(of_peepholes("peepholes-negated", [](Cell& cell) { scale(cell.P, -1); }));
  table.push_back(of_peepholes("peepholes-doubled", [](Cell& cell) { scale(cell.P, 2); }));
  table.push_back(of_peepholes("peephole-of-first-unit-for-all", [](Cell& cell) {
    for (int gate = 0; gate < 3; ++gate) fill_gate(cell.P, gate, cell.hidden, cell.P[at(gate * cell.hidden)]);
  }));
  table.push_back(
      of_peepholes("output-peephole-sees-old-cell", [](FaultyCell& cell) { cell.switches.o_sees_old_cell = true; }));
  return table;
}

}  // namespace cellproof::oracle::fault_tables
