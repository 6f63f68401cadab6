// Mutants that take one gate's block of W, R, B or P for another's, or leave it out.
#include <string>

#include "lab/mutants/tables.hpp"

namespace cellproof::lab::mutants {
namespace {

/// Gate `to` of [gate][size] becomes what gate `from` is; nothing happens to what is not there.
void copy_gate(std::vector<double>& values, std::size_t to, std::size_t from, std::size_t size) {
  for (std::size_t k = 0; k < size && !values.empty(); ++k) values[to * size + k] = values[from * size + k];
}
void copy_gate(QuantizedMatrix& matrix, std::size_t to, std::size_t from, std::size_t H) {
  for (std::size_t j = 0; j < H; ++j) {
    const std::size_t row = to * H + j, source = from * H + j;
    matrix.scales[row] = matrix.scales[source];
    matrix.zero_points[row] = matrix.zero_points[source];
    for (std::size_t k = 0; k < matrix.columns; ++k)
      matrix.codes[k * matrix.rows + row] = matrix.codes[k * matrix.rows + source];
  }
}

/// Planting that computes gate `to` from the parameters of gate `from`; `with_P`: from its peepholes, too.
Sow taking(std::size_t to, std::size_t from, bool with_P) {
  const Sow of_floats = each_direction([=](const ResolvedNode& node, ResolvedDirection& d) {
    copy_gate(d.W, to, from, node.H * node.I);
    copy_gate(d.R, to, from, node.H * node.H);
    copy_gate(d.Wb, to, from, node.H);
    copy_gate(d.Rb, to, from, node.H);
    if (with_P) copy_gate(d.P, to, from, node.H);
  });
  return and_quantised(of_floats, [=](const ResolvedNode& node, QuantizedDirection& d) {
    copy_gate(d.W, to, from, node.H);
    copy_gate(d.R, to, from, node.H);
  });
}

Sow forgetting(std::size_t gate, bool W) {
  const Sow of_floats = each_direction([=](const ResolvedNode& node, ResolvedDirection& d) {
    std::vector<double>& matrix = W ? d.W : d.R;
    const std::size_t size = node.H * (W ? node.I : node.H);
    for (std::size_t k = 0; k < size && !matrix.empty(); ++k) matrix[gate * size + k] = 0;
  });
  return and_quantised(of_floats, [=](const ResolvedNode& node, QuantizedDirection& d) {
    QuantizedMatrix& matrix = W ? d.W : d.R;
    for (std::size_t row = gate * node.H; row < (gate + 1) * node.H; ++row) {
      for (std::size_t k = 0; k < matrix.columns; ++k) matrix.codes[k * matrix.rows + row] = matrix.zero_points[row];
    }
  });
}

/// In B or P the units from `first(H)` on have nothing.
Sow losing_units(bool P, std::size_t (*first)(std::size_t H)) {
  return each_direction([=](const ResolvedNode& node, ResolvedDirection& d) {
    const auto lose = [&](std::vector<double>& values) {
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = k % node.H < first(node.H) ? values[k] : 0;
    };
    if (P) return lose(d.P);
    lose(d.Wb);
    lose(d.Rb);
  });
}

template <std::size_t width>
std::size_t whole_blocks(std::size_t H) {
  return H > width ? H / width * width : H;
}
template <std::size_t width>
bool has_units_beyond(const Facts& facts) {
  return whole_blocks<width>(facts.node.H) < facts.node.H;
}

void add_lost_units(Table& table) {
  const auto last = [](std::size_t H) { return H - 1; };
  table.add("last-unit-without-bias", has(input::B), losing_units(false, last));
  table.add("last-unit-without-peepholes", has(input::P), losing_units(true, last));
  table.add("tail-of-8-dropped-in-b", Needs(has_units_beyond<8>) && has(input::B),
            losing_units(false, whole_blocks<8>));
  table.add("tail-of-16-dropped-in-b", Needs(has_units_beyond<16>) && has(input::B),
            losing_units(false, whole_blocks<16>));
  table.add("tail-of-8-dropped-in-p", Needs(has_units_beyond<8>) && has(input::P), losing_units(true, whole_blocks<8>));
  table.add("tail-of-16-dropped-in-p", Needs(has_units_beyond<16>) && has(input::P),
            losing_units(true, whole_blocks<16>));
}

}  // namespace

Table block_mutants() {
  Table table;
  for (const FaultInfo& info : fault_family("weights-of-gate-{}")) {
    const std::string letters = letters_of(info.operators.front());
    const std::size_t from = letters.find(info.member[0]), to = letters.find(info.member[info.member.size() - 1]);
    table.add(info.id, anything, taking(to, from, false));
  }
  for (const FaultInfo& info : fault_family("w-of-gate-{}-ignored"))
    table.add(info.id, anything, forgetting(gate_of(info), true));
  for (const FaultInfo& info : fault_family("r-of-gate-{}-ignored"))
    table.add(info.id, anything, forgetting(gate_of(info), false));
  const auto uncoupled = [](std::size_t from, bool complemented) {
    return [=](Sowing& s) {
      taking(2, from, true)(s);
      s.node.coupled = false;
      s.faults.gates[2].complemented = complemented;
    };
  };
  table.add("coupled-forget-is-input", coupled, uncoupled(0, false));
  table.add("coupled-to-output-gate", coupled, uncoupled(1, true));
  add_lost_units(table);
  const Needs linear = [](const Facts& f) { return f.node.linear_before_reset; };
  table.add("wbh-inside-reset", linear && has(input::B),
            each_direction([](const ResolvedNode& node, ResolvedDirection& d) {
              for (std::size_t row = 2 * node.H; row < 3 * node.H; ++row) {
                d.Rb[row] += d.Wb[row];
                d.Wb[row] = 0;
              }
            }));
  return table;
}

}  // namespace cellproof::lab::mutants
