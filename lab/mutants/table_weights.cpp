// Mutants that misread W, R, B or P.
#include <fmt/format.h>

#include <algorithm>

#include "lab/mutants/node_changes.hpp"
#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

/// Blocks that stand in this order are read, each of `size` values.
void read_in_order(std::vector<double>& values, const std::string& order, const std::string& right, std::size_t size) {
  const std::vector<double> stored = values;
  for (std::size_t gate = 0; gate < right.size(); ++gate) {
    const std::size_t block = order.find(right[gate]);
    for (std::size_t k = 0; k < size && !values.empty(); ++k) values[gate * size + k] = stored[block * size + k];
  }
}

/// The same of a quantised matrix: codes, scales and zero points of a gate go together.
void read_in_order(QuantizedMatrix& matrix, const std::string& order, const std::string& right, std::size_t H) {
  const QuantizedMatrix stored = matrix;
  for (std::size_t gate = 0; gate < right.size(); ++gate) {
    const std::size_t block = order.find(right[gate]);
    for (std::size_t j = 0; j < H; ++j) {
      const std::size_t to = gate * H + j, from = block * H + j;
      matrix.scales[to] = stored.scales[from];
      matrix.zero_points[to] = stored.zero_points[from];
      for (std::size_t k = 0; k < matrix.columns; ++k)
        matrix.codes[k * matrix.rows + to] = stored.codes[k * matrix.rows + from];
    }
  }
}

Sow reading(const std::string& order, bool W, bool R, bool B) {
  const Sow of_floats = each_direction([=](const ResolvedNode& node, ResolvedDirection& direction) {
    const std::string right = letters_of(node.op);
    if (W) read_in_order(direction.W, order, right, node.H * node.I);
    if (R) read_in_order(direction.R, order, right, node.H * node.H);
    for (auto* half : {&direction.Wb, &direction.Rb}) {
      if (B) read_in_order(*half, order, right, node.H);
    }
  });
  return and_quantised(of_floats, [=](const ResolvedNode& node, QuantizedDirection& direction) {
    if (W) read_in_order(direction.W, order, letters_of(node.op), node.H);
    if (R) read_in_order(direction.R, order, letters_of(node.op), node.H);
  });
}

void transpose_gate(ResolvedNode& node, std::size_t gate) {
  for (ResolvedDirection& direction : node.directions) {
    if (direction.R.empty()) continue;
    double* block = direction.R.data() + gate * node.H * node.H;
    for (std::size_t j = 0; j < node.H; ++j) {
      for (std::size_t k = j + 1; k < node.H; ++k) std::swap(block[j * node.H + k], block[k * node.H + j]);
    }
  }
}

void transpose_codes(QuantizedMatrix& R, std::size_t gate, std::size_t H) {
  for (std::size_t j = 0; j < H; ++j) {
    for (std::size_t k = j + 1; k < H; ++k)
      std::swap(R.codes[k * R.rows + gate * H + j], R.codes[j * R.rows + gate * H + k]);
  }
}

/// Columns from..to of a matrix taken for 0.
void drop_columns(std::vector<double>& matrix, std::size_t columns, std::size_t from, std::size_t to) {
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    if (k % columns >= from && k % columns < to) matrix[k] = 0;
  }
}

/// The codes of columns from..to are those of 0.
void drop_columns(QuantizedMatrix& matrix, std::size_t from, std::size_t to) {
  for (std::size_t k = from; k < std::min(to, matrix.columns); ++k) {
    for (std::size_t row = 0; row < matrix.rows; ++row) matrix.codes[k * matrix.rows + row] = matrix.zero_points[row];
  }
}

Needs many_columns_of_W(std::size_t width) {
  return [width](const Facts& f) { return f.node.I > width && f.node.I % width != 0; };
}
Needs many_columns_of_R(std::size_t width) {
  return [width](const Facts& f) { return f.node.H > width && f.node.H % width != 0; };
}

void set_gate(std::vector<double>& values, std::size_t gate, std::size_t H, double value) {
  for (std::size_t j = 0; j < H && !values.empty(); ++j) values[gate * H + j] = value;
}

void add_peepholes(Table& table) {
  const auto add = [&](std::string_view id, Sow sow) { table.add(id, has(input::P), std::move(sow)); };
  for (const FaultInfo& info : fault_family("peephole-order-{}")) {
    add(info.id, each_direction([order = info.member](const ResolvedNode& node, ResolvedDirection& d) {
          read_in_order(d.P, order, "iof", node.H);
        }));
  }
  for (const FaultInfo& info : fault_family("peephole-{}-missing")) {
    add(info.id, [gate = gate_of(info)](Sowing& s) { drop_peephole(s.node, gate); });
  }
  add("peepholes-ignored", each_direction([](ResolvedDirection& d) { scale(d.P, 0); }));
  add("peepholes-negated", each_direction([](ResolvedDirection& d) { scale(d.P, -1); }));
  add("peepholes-doubled", each_direction([](ResolvedDirection& d) { scale(d.P, 2); }));
  add("peephole-of-first-unit-for-all", each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
        for (std::size_t k = 0; k < d.P.size(); ++k) d.P[k] = d.P[k / node.H * node.H];
      }));
  add("output-peephole-sees-old-cell", switched(&Faults::output_peephole_sees_old_cell, true));
}

void add_dropped(Table& table) {
  table.add(
      "last-product-dropped", anything,
      and_quantised(switched(&Faults::last_product_dropped, true), [](const ResolvedNode&, QuantizedDirection& d) {
        drop_columns(d.W, d.W.columns - 1, d.W.columns);
        drop_columns(d.R, d.R.columns - 1, d.R.columns);
      }));
  table.add("first-input-dropped", anything,
            and_quantised(
                each_direction([](const ResolvedNode& node, ResolvedDirection& d) { drop_columns(d.W, node.I, 0, 1); }),
                [](const ResolvedNode&, QuantizedDirection& d) { drop_columns(d.W, 0, 1); }));
  table.add("recurrent-weights-ignored", anything,
            and_quantised(each_direction([](ResolvedDirection& d) { scale(d.R, 0); }),
                          [](const ResolvedNode&, QuantizedDirection& d) { drop_columns(d.R, 0, d.R.columns); }));
  table.add("input-weights-ignored", anything,
            and_quantised(each_direction([](ResolvedDirection& d) { scale(d.W, 0); }),
                          [](const ResolvedNode&, QuantizedDirection& d) { drop_columns(d.W, 0, d.W.columns); }));
  for (const std::size_t width : {std::size_t{8}, std::size_t{16}}) {
    const std::string number = std::to_string(width);
    const auto drop_tail = [width](QuantizedMatrix& m) {
      if (m.columns > width) drop_columns(m, m.columns / width * width, m.columns);
    };
    table.add("tail-of-" + number + "-dropped-in-w", many_columns_of_W(width),
              and_quantised(each_direction([=](const ResolvedNode& node, ResolvedDirection& d) {
                              if (node.I > width) drop_columns(d.W, node.I, node.I / width * width, node.I);
                            }),
                            [=](const ResolvedNode&, QuantizedDirection& d) { drop_tail(d.W); }));
    table.add("tail-of-" + number + "-dropped-in-r", many_columns_of_R(width),
              and_quantised(each_direction([=](const ResolvedNode& node, ResolvedDirection& d) {
                              if (node.H > width) drop_columns(d.R, node.H, node.H / width * width, node.H);
                            }),
                            [=](const ResolvedNode&, QuantizedDirection& d) { drop_tail(d.R); }));
  }
}

}  // namespace

Table weight_mutants() {
  Table table;
  for (const FaultInfo& info : fault_family("gate-order-{}"))
    table.add(info.id, anything, reading(info.member, true, true, true));
  for (const FaultInfo& info : fault_family("w-order-{}")) {
    const std::string& order = info.member;
    table.add("w-order-" + order, anything, reading(order, true, false, false));
    table.add("r-order-" + order, anything, reading(order, false, true, false));
    table.add("b-order-" + order, has(input::B), reading(order, false, false, true));
  }
  const Needs square = [](const Facts& f) { return f.node.H > 1; };
  table.add("r-not-transposed", square,
            and_quantised([](Sowing& s) { transpose_R(s.node); },
                          [](const ResolvedNode& node, QuantizedDirection& d) {
                            for (std::size_t gate = 0; gate < 4; ++gate) transpose_codes(d.R, gate, node.H);
                          }));
  for (const FaultInfo& info : fault_family("r-not-transposed-in-{}")) {
    const std::size_t gate = gate_of(info);
    table.add(
        info.id, square,
        and_quantised([gate](Sowing& s) { transpose_gate(s.node, gate); },
                      [gate](const ResolvedNode& node, QuantizedDirection& d) { transpose_codes(d.R, gate, node.H); }));
  }
  add_dropped(table);
  add_peepholes(table);
  return table;
}

Table bias_mutants() {
  Table table;
  for (const FaultInfo& info : fault_family("wb-{}-ignored")) {
    const std::size_t gate = gate_of(info);
    const auto clear = [&](std::vector<double> ResolvedDirection::*half) {
      return each_direction(
          [gate, half](const ResolvedNode& node, ResolvedDirection& d) { set_gate(d.*half, gate, node.H, 0); });
    };
    table.add(info.id, has(input::B), clear(&ResolvedDirection::Wb));
    table.add("rb-" + info.member + "-ignored", has(input::B), clear(&ResolvedDirection::Rb));
  }
  const auto add = [&](std::string_view id, Sow sow) { table.add(id, has(input::B), std::move(sow)); };
  const auto scaled = [&](std::string_view id, double of_Wb, double of_Rb) {
    add(id, each_direction([=](ResolvedDirection& d) {
          scale(d.Wb, of_Wb);
          scale(d.Rb, of_Rb);
        }));
  };
  scaled("wb-ignored", 0, 1);
  scaled("rb-ignored", 1, 0);
  scaled("bias-ignored", 0, 0);
  scaled("bias-doubled", 2, 2);
  scaled("bias-negated", -1, -1);
  scaled("wb-doubled", 2, 1);
  scaled("rb-doubled", 1, 2);
  scaled("wb-negated", -1, 1);
  scaled("rb-negated", 1, -1);
  add("wb-for-rb", each_direction([](ResolvedDirection& d) { d.Rb = d.Wb; }));
  add("rb-for-wb", each_direction([](ResolvedDirection& d) { d.Wb = d.Rb; }));
  add("bias-of-first-gate-only", each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
        for (auto* half : {&d.Wb, &d.Rb})
          std::fill(half->begin() + static_cast<std::ptrdiff_t>(node.H), half->end(), 0.0);
      }));
  add("bias-interleaved", each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
        std::vector<double> all = d.Wb;
        all.insert(all.end(), d.Rb.begin(), d.Rb.end());
        for (std::size_t k = 0; k < all.size(); ++k) {
          const std::size_t block = k / node.H, place = block / 2 * node.H + k % node.H;
          (block % 2 == 0 ? d.Wb : d.Rb)[place] = all[k];
        }
      }));
  add("bias-of-first-unit-for-all", each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
        for (auto* half : {&d.Wb, &d.Rb}) {
          for (std::size_t k = 0; k < half->size(); ++k) (*half)[k] = (*half)[k / node.H * node.H];
        }
      }));
  return table;
}

}  // namespace cellproof::lab::mutants
