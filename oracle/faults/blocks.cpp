// Faults of single gates' blocks in W, R, B and P, and of the last units in B and P.
#include <fmt/format.h>

#include <algorithm>

#include "oracle/at.hpp"
#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

/// Rows of one gate in [columns][rows], changed by `change(to, from)` for each entry of gate `to` and the same of
/// `from`.
template <class Change>
void each_entry(std::vector<double>& by_column, int rows, int hidden, std::size_t to, std::size_t from, Change change) {
  for (std::size_t first = 0; first < by_column.size(); first += at(rows)) {
    for (std::size_t j = 0; j < at(hidden); ++j)
      change(by_column[first + to * at(hidden) + j], by_column[first + from * at(hidden) + j]);
  }
}

void copy_value(double& to, const double& from) {
  to = from;
}
void clear_value(double& to, const double&) {
  to = 0;
}

/// One gate is computed from another one's W, R and B.
Fault of_wrong_block(std::string_view id, Needs needs, std::size_t to, std::size_t from) {
  const auto of_cells = [to, from](Cell& cell, const CellSource&) {
    for (auto* block : {&cell.W, &cell.R, &cell.Wb, &cell.Rb})
      each_entry(*block, cell.rows, cell.hidden, to, from, copy_value);
  };
  const auto of_matrices = [to, from](QuantizedMatrix& W, QuantizedMatrix& R, const CellSource&) {
    for (QuantizedMatrix* m : {&W, &R}) {
      for (auto* block : {&m->integers, &m->scales, &m->zero_points})
        each_entry(*block, m->rows, R.depth, to, from, copy_value);
    }
  };
  return with_quantised(of_cell(id, std::move(needs), of_cells), of_matrices);
}

/// One gate is computed without W or without R.
Fault of_missing_block(std::string_view id, std::size_t gate, bool of_W) {
  const auto of_cells = [gate, of_W](Cell& cell, const CellSource&) {
    each_entry(of_W ? cell.W : cell.R, cell.rows, cell.hidden, gate, gate, clear_value);
  };
  const auto of_matrices = [gate, of_W](QuantizedMatrix& W, QuantizedMatrix& R, const CellSource&) {
    each_entry((of_W ? W : R).integers, W.rows, R.depth, gate, gate, clear_value);
  };
  return with_quantised(of_cell(id, always, of_cells), of_matrices);
}

void add_blocks(Table& table) {
  for (const FaultInfo& info : fault_family("weights-of-gate-{}")) {
    // "o-for-i"
    const std::string_view letters = gate_letters(info.operators.front());
    const std::size_t from = letters.find(info.member.front()), to = letters.find(info.member.back());
    table.push_back(of_wrong_block(info.id, always, to, from));
  }
  for (const FaultInfo& info : fault_family("w-of-gate-{}-ignored"))
    table.push_back(of_missing_block(info.id, gate_of(info), true));
  for (const FaultInfo& info : fault_family("r-of-gate-{}-ignored"))
    table.push_back(of_missing_block(info.id, gate_of(info), false));
  const auto of_cells = [](Cell& cell, const CellSource&) { std::ranges::fill(cell.W, 0.0); };
  const auto of_matrices = [](QuantizedMatrix& W, QuantizedMatrix&, const CellSource&) {
    std::ranges::fill(W.integers, 0.0);
  };
  table.push_back(with_quantised(of_cell("input-weights-ignored", always, of_cells), of_matrices));
}

/// The f gate as the coupled gates are computed wrongly.
void add_coupled(Table& table) {
  const auto uncoupled_from = [](Cell& cell, std::size_t from) {
    cell.coupling = Coupling::Uncoupled;
    const std::size_t to = gate_letters(cell.op).find('f');
    for (auto* block : {&cell.W, &cell.R, &cell.Wb, &cell.Rb})
      each_entry(*block, cell.rows, cell.hidden, to, from, copy_value);
    if (!cell.P.empty()) each_entry(cell.P, 3 * cell.hidden, cell.hidden, to, from, copy_value);
  };
  const auto matrices_from = [](std::size_t from) {
    return [from](QuantizedMatrix& W, QuantizedMatrix& R, const CellSource&) {
      const std::size_t to = gate_letters(Operator::LSTM).find('f');
      for (QuantizedMatrix* m : {&W, &R}) {
        for (auto* block : {&m->integers, &m->scales, &m->zero_points})
          each_entry(*block, m->rows, R.depth, to, from, copy_value);
      }
    };
  };
  constexpr std::size_t i = 0, o = 1;
  table.push_back(with_quantised(of_cell("coupled-forget-is-input", is_coupled,
                                         [=](FaultyCell& cell, const CellSource&) { uncoupled_from(cell, i); }),
                                 matrices_from(i)));
  table.push_back(with_quantised(of_cell("coupled-to-output-gate", is_coupled,
                                         [=](FaultyCell& cell, const CellSource&) {
                                           uncoupled_from(cell, o);
                                           cell.switches.gates[gate_letters(cell.op).find('f')].complemented = true;
                                         }),
                                 matrices_from(o)));
}

/// Takes all beyond unit `first` in each block of B or P for 0.
void clear_from(std::vector<double>& blocks, int hidden, int first) {
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    if (static_cast<int>(k) % hidden >= first) blocks[k] = 0;
  }
}

Fault of_lost_units(std::string_view id, bool of_P, Needs needs, std::function<int(int)> first) {
  return of_cell(id, both(given(of_P ? input::P : input::B), std::move(needs)),
                 [of_P, first = std::move(first)](Cell& cell, const CellSource&) {
                   const int unit = first(cell.hidden);
                   if (of_P) return clear_from(cell.P, cell.hidden, unit);
                   clear_from(cell.Wb, cell.hidden, unit);
                   clear_from(cell.Rb, cell.hidden, unit);
                 });
}

void add_lost_units(Table& table) {
  const auto last = [](int hidden) { return hidden - 1; };
  table.push_back(of_lost_units("last-unit-without-bias", false, always, last));
  table.push_back(of_lost_units("last-unit-without-peepholes", true, always, last));
  for (const int width : {8, 16}) {
    const auto tail = [width](int hidden) { return hidden - hidden % width; };
    const auto has_tail = [width](const Problem& problem) {
      const std::int64_t H = dimensions_of(problem).H;
      return H > width && H % width != 0;
    };
    table.push_back(of_lost_units(fmt::format("tail-of-{}-dropped-in-b", width), false, has_tail, tail));
    table.push_back(of_lost_units(fmt::format("tail-of-{}-dropped-in-p", width), true, has_tail, tail));
  }
}

}  // namespace

Table blocks() {
  Table table;
  add_blocks(table);
  add_coupled(table);
  add_lost_units(table);
  table.push_back(
      of_cell("wbh-inside-reset", both(resets_linearly, given(input::B)), [](Cell& cell, const CellSource&) {
        for (std::size_t row = 2 * at(cell.hidden); row < at(cell.rows); ++row)
          cell.Rb[row] += std::exchange(cell.Wb[row], 0);
      }));
  return table;
}

}  // namespace cellproof::oracle::fault_tables
