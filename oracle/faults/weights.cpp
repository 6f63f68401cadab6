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

/// R's block of a gate transposed; gate -1: of all.
void transpose_R(Cell& cell, int only) {
  const auto R = [&](int gate, int row, int column) -> double& {
    return cell.R[at(column) * at(cell.rows) + at(gate * cell.hidden + row)];
  };
  for (int gate = 0; gate < cell.gates; ++gate) {
    if (only >= 0 && gate != only) continue;
    for (int j = 0; j < cell.hidden; ++j) {
      for (int k = 0; k < j; ++k) std::swap(R(gate, j, k), R(gate, k, j));
    }
  }
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
  table.push_back(
      of_cell("r-not-transposed", wider_than_one, [](Cell& cell, const CellSource&) { transpose_R(cell, -1); }));
  for (const FaultInfo& info : fault_family("r-not-transposed-in-{}")) {
    const auto gate = static_cast<int>(gate_of(info));
    table.push_back(
        of_cell(info.id, wider_than_one, [gate](Cell& cell, const CellSource&) { transpose_R(cell, gate); }));
  }
}

void add_dropped_products(Table& table) {
  table.push_back(of_cell("last-product-dropped", always, [](Cell& cell, const CellSource&) {
    clear_columns(cell.W, cell.rows, cell.inputs - 1, cell.inputs);
    clear_columns(cell.R, cell.rows, cell.hidden - 1, cell.hidden);
  }));
  table.push_back(of_cell("first-input-dropped", always,
                          [](Cell& cell, const CellSource&) { clear_columns(cell.W, cell.rows, 0, 1); }));
  for (const int width : {8, 16}) {
    table.push_back(of_cell(
        fmt::format("tail-of-{}-dropped-in-w", width),
        [width](const Problem& p) { return has_tail(dimensions_of(p).I, width); },
        [width](Cell& cell, const CellSource&) {
          clear_columns(cell.W, cell.rows, cell.inputs - cell.inputs % width, cell.inputs);
        }));
    table.push_back(of_cell(
        fmt::format("tail-of-{}-dropped-in-r", width),
        [width](const Problem& p) { return has_tail(dimensions_of(p).H, width); },
        [width](Cell& cell, const CellSource&) {
          clear_columns(cell.R, cell.rows, cell.hidden - cell.hidden % width, cell.hidden);
        }));
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
  for (const FaultInfo& info : fault_family("gate-order-{}")) {
    table.push_back(of_cell(info.id, always, order_taken_for(info.member, part_W | part_R | part_B)));
  }
  for (const FaultInfo& info : fault_family("w-order-{}")) {
    const std::string& order = info.member;
    table.push_back(of_cell(info.id, always, order_taken_for(order, part_W)));
    table.push_back(of_cell(fmt::format("r-order-{}", order), always, order_taken_for(order, part_R)));
    table.push_back(of_cell(fmt::format("b-order-{}", order), given(input::B), order_taken_for(order, part_B)));
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
