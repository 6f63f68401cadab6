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

std::string spaced(std::string_view letters) {
  std::string text;
  for (const char letter : letters) text += fmt::format("{}{}", text.empty() ? "" : " ", letter);
  return text;
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
  table.push_back(of_cell("r-not-transposed", "-", FaultClass::GateOrder, "multiplies by R where R^T is meant",
                          every_cell, wider_than_one, [](Cell& cell, const CellSource&) { transpose_R(cell, -1); }));
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    const std::string_view letters = gate_letters(op);
    for (std::size_t gate = 0; gate < letters.size(); ++gate) {
      table.push_back(of_cell(fmt::format("r-not-transposed-in-{}", letters[gate]), "-", FaultClass::GateOrder,
                              fmt::format("multiplies by R{0} where R{0}^T is meant", letters[gate]), {op},
                              wider_than_one,
                              [gate](Cell& cell, const CellSource&) { transpose_R(cell, static_cast<int>(gate)); }));
    }
  }
}

void add_dropped_products(Table& table) {
  table.push_back(of_cell("last-product-dropped", "-", FaultClass::Corner, "stops a dot product one element early",
                          every_cell, always, [](Cell& cell, const CellSource&) {
                            clear_columns(cell.W, cell.rows, cell.inputs - 1, cell.inputs);
                            clear_columns(cell.R, cell.rows, cell.hidden - 1, cell.hidden);
                          }));
  table.push_back(of_cell("first-input-dropped", "-", FaultClass::Corner, "starts the product with X one element late",
                          every_cell, always,
                          [](Cell& cell, const CellSource&) { clear_columns(cell.W, cell.rows, 0, 1); }));
  for (const int width : {8, 16}) {
    table.push_back(of_cell(
        fmt::format("tail-of-{}-dropped-in-w", width), "I", FaultClass::Corner,
        fmt::format("multiplies W in blocks of {} columns and forgets the rest", width), every_cell,
        [width](const Problem& p) { return has_tail(dimensions_of(p).I, width); },
        [width](Cell& cell, const CellSource&) {
          clear_columns(cell.W, cell.rows, cell.inputs - cell.inputs % width, cell.inputs);
        }));
    table.push_back(of_cell(
        fmt::format("tail-of-{}-dropped-in-r", width), "H", FaultClass::Corner,
        fmt::format("multiplies R in blocks of {} columns and forgets the rest", width), every_cell,
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
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    const std::string_view letters = gate_letters(op);
    for (std::size_t g = 0; g < letters.size(); ++g) {
      const auto gate = static_cast<int>(g);
      table.push_back(of_cell(fmt::format("wb-{}-ignored", letters[g]), "input.B", FaultClass::Bias,
                              fmt::format("leaves out Wb{}", letters[g]), {op}, given(input::B),
                              [gate](Cell& cell, const CellSource&) { fill_gate(cell.Wb, gate, cell.hidden, 0); }));
      table.push_back(of_cell(fmt::format("rb-{}-ignored", letters[g]), "input.B", FaultClass::Bias,
                              fmt::format("leaves out Rb{}", letters[g]), {op}, given(input::B),
                              [gate](Cell& cell, const CellSource&) { fill_gate(cell.Rb, gate, cell.hidden, 0); }));
    }
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

Fault of_bias(std::string id, std::string what, std::vector<Operator> operators, CellChange change) {
  return of_cell(std::move(id), "input.B", FaultClass::Bias, std::move(what), std::move(operators), given(input::B),
                 std::move(change));
}

Fault of_peepholes(std::string id, std::string what, std::function<void(Cell&)> change) {
  return of_cell(std::move(id), "input.P", FaultClass::Peephole, std::move(what), only_lstm, given(input::P),
                 [change = std::move(change)](Cell& cell, const CellSource&) { change(cell); });
}

}  // namespace

Table gate_order() {
  Table table;
  for (const Operator op : {Operator::LSTM, Operator::GRU}) {
    for (const std::string& order : wrong_orders(gate_letters(op))) {
      table.push_back(of_cell("gate-order-" + order, "-", FaultClass::GateOrder,
                              fmt::format("reads the gates as {}", spaced(order)), {op}, always,
                              order_taken_for(order, part_W | part_R | part_B)));
    }
  }
  const std::pair<Operator, const char*> usual[] = {
      {Operator::LSTM, "ifco"}, {Operator::LSTM, "ifoc"}, {Operator::GRU, "rzh"}};
  for (const auto& [op, order] : usual) {
    table.push_back(of_cell(fmt::format("w-order-{}", order), "-", FaultClass::GateOrder,
                            fmt::format("reads W alone as {}", spaced(order)), {op}, always,
                            order_taken_for(order, part_W)));
    table.push_back(of_cell(fmt::format("r-order-{}", order), "-", FaultClass::GateOrder,
                            fmt::format("reads R alone as {}", spaced(order)), {op}, always,
                            order_taken_for(order, part_R)));
    table.push_back(of_cell(fmt::format("b-order-{}", order), "input.B", FaultClass::Bias,
                            fmt::format("reads B alone as {}", spaced(order)), {op}, given(input::B),
                            order_taken_for(order, part_B)));
  }
  add_transposed(table);
  add_dropped_products(table);
  return table;
}

Table biases() {
  Table table;
  add_bias_of_gates(table);
  table.push_back(of_bias("wb-ignored", "leaves out the first half of B", every_cell,
                          [](Cell& cell, const CellSource&) { scale(cell.Wb, 0); }));
  table.push_back(of_bias("rb-ignored", "leaves out the second half of B", every_cell,
                          [](Cell& cell, const CellSource&) { scale(cell.Rb, 0); }));
  const std::tuple<const char*, const char*, double, double> factors[] = {
      {"bias-ignored", "leaves out B", 0, 0},
      {"bias-doubled", "adds B twice", 2, 2},
      {"bias-negated", "subtracts B", -1, -1},
      {"wb-doubled", "adds the first half of B twice", 2, 1},
      {"rb-doubled", "adds the second half of B twice", 1, 2},
      {"wb-negated", "subtracts the first half of B", -1, 1},
      {"rb-negated", "subtracts the second half of B", 1, -1},
  };
  for (const auto& [id, what, of_Wb, of_Rb] : factors) {
    table.push_back(of_bias(id, what, every_cell, [for_Wb = of_Wb, for_Rb = of_Rb](Cell& cell, const CellSource&) {
      scale(cell.Wb, for_Wb);
      scale(cell.Rb, for_Rb);
    }));
  }
  table.push_back(of_bias("wb-for-rb", "takes the first half of B for both", every_cell,
                          [](Cell& cell, const CellSource&) { cell.Rb = cell.Wb; }));
  table.push_back(of_bias("rb-for-wb", "takes the second half of B for both", every_cell,
                          [](Cell& cell, const CellSource&) { cell.Wb = cell.Rb; }));
  table.push_back(of_bias("bias-of-first-gate-only",
                          "takes B for the bias of the first gate, as its description has it", gated,
                          [](Cell& cell, const CellSource&) {
                            for (auto* half : {&cell.Wb, &cell.Rb})
                              std::fill(half->begin() + cell.hidden, half->end(), 0.0);
                          }));
  table.push_back(of_bias("bias-interleaved", "reads the two halves of B gate by gate", gated, read_interleaved));
  table.push_back(of_bias("bias-of-first-unit-for-all", "adds the first unit's bias of a gate to all its units",
                          every_cell, [](Cell& cell, const CellSource&) {
                            for (auto* half : {&cell.Wb, &cell.Rb}) {
                              for (int gate = 0; gate < cell.gates; ++gate)
                                fill_gate(*half, gate, cell.hidden, (*half)[at(gate * cell.hidden)]);
                            }
                          }));
  return table;
}

Table peepholes() {
  Table table;
  static constexpr std::string_view letters = "iof";
  for (const std::string& order : wrong_orders(letters)) {
    table.push_back(of_peepholes("peephole-order-" + order, fmt::format("reads the peepholes as {}", spaced(order)),
                                 [order](Cell& cell) { reorder(cell.P.data(), order, letters, cell.hidden); }));
  }
  for (std::size_t gate = 0; gate < letters.size(); ++gate) {
    table.push_back(of_peepholes(fmt::format("peephole-{}-missing", letters[gate]),
                                 fmt::format("has no peephole of gate {}", letters[gate]),
                                 [gate](Cell& cell) { fill_gate(cell.P, static_cast<int>(gate), cell.hidden, 0); }));
  }
  table.push_back(of_peepholes("peepholes-ignored", "leaves out P", [](Cell& cell) { scale(cell.P, 0); }));
  table.push_back(of_peepholes("peepholes-negated", "subtracts the peepholes", [](Cell& cell) { scale(cell.P, -1); }));
  table.push_back(of_peepholes("peepholes-doubled", "adds the peepholes twice", [](Cell& cell) { scale(cell.P, 2); }));
  table.push_back(
      of_peepholes("peephole-of-first-unit-for-all", "gives all units the first one's peepholes", [](Cell& cell) {
        for (int gate = 0; gate < 3; ++gate) fill_gate(cell.P, gate, cell.hidden, cell.P[at(gate * cell.hidden)]);
      }));
  table.push_back(of_peepholes("output-peephole-sees-old-cell", "looks at C(t-1) where the output gate looks at C(t)",
                               [](Cell& cell) { cell.switches.o_sees_old_cell = true; }));
  return table;
}

}  // namespace cellproof::oracle::fault_tables
