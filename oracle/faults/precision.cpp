// Faults of precision: fewer bits than the contract allows, and functions that err.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/faults/factor_roundings.hpp"
#include "oracle/faults/tables.hpp"
#include "oracle/faulty_step/with_bits.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

Fault of_precision(std::string_view id, std::function<bool(View&)> put_on) {
  return {fault_info(id), has_wide_type, std::move(put_on)};
}

/// Inputs kept with fewer bits.
Fault rounded(std::string_view id, std::vector<std::size_t> positions, int bits) {
  Fault fault = of_precision(id, [positions, bits](View& view) {
    for (const std::size_t position : positions) {
      change_values(view.own_problem(), position, [bits](std::vector<double>& values) {
        for (double& value : values) value = with_bits(value, bits);
      });
    }
    return true;
  });
  if (positions.front() == input::B || positions.front() == input::P)
    fault.needs = both(has_wide_type, given(positions.front()));
  return fault;
}

Fault of_switches(std::string_view id, std::function<void(StepSwitches&)> change) {
  return of_step(id, has_wide_type, std::move(change));
}

Fault of_operands(std::string_view id, int bits, bool late) {
  Fault fault = fault_of({fault_info(id), bits});
  if (!late) return fault;
  fault.put_on = [whole = fault.put_on](View& view) {
    CellChange before = std::exchange(view.fault_hooks.cell, {});
    const bool shows = whole(view);
    add_to(view.fault_hooks.late_cell, std::exchange(view.fault_hooks.cell, std::move(before)));
    return shows;
  };
  return fault;
}

bool all_short(const Tensor& tensor, int bits) {
  for (std::size_t k = 0; k < tensor.size(); ++k) {
    const double value = tensor.value(k);
    if (std::isfinite(value) && with_bits(value, bits) != value) return false;
  }
  return true;
}

/// Every output element has few bits, which some need, and so has every state that is fed back.
bool short_states(View& view, int bits) {
  bool all_needed = false;
  for (const std::size_t which : {output::Y, output::Y_h}) {
    if (which >= view.outputs().size() || !view.outputs()[which]) continue;
    if (!all_short(*view.outputs()[which], bits)) return false;
    all_needed = all_needed || !all_short(*view.outputs()[which], bits - 1);
  }
  if (!all_needed) return false;
  add_to(view.fault_hooks.arithmetic, [bits](Arithmetic& m) {
    m.u_storage = std::ldexp(1.0, -bits);
    m.exact_bits = 0;
  });
  return true;
}

/// So many bits as the member's name says.
int bits_named(std::string_view member) {
  if (member == "bf16") return 8;
  return member == "10-bit" ? 10 : member == "f16" ? 11 : 16;
}

/// The faults that keep something with so many bits.
void add_of_bits(Table& table, std::string_view name) {
  const int bits = bits_named(name);
  const auto id = [name](std::string_view part) { return fmt::format("{}-{}", name, part); };
  const auto add_switch = [&](std::string_view part, int StepSwitches::*which) {
    table.push_back(of_switches(id(part), [which, bits](StepSwitches& s) { s.*which = bits; }));
  };
  add_switch("cell", &StepSwitches::cell_bits);
  add_switch("gates", &StepSwitches::gate_bits);
  add_switch("preactivations", &StepSwitches::argument_bits);
  add_switch("sigmoid", &StepSwitches::sigmoid_bits);
  table.back().needs = both(has_wide_type, uses(ActivationKind::Sigmoid));
  table.push_back(rounded(id("weights"), {input::W, input::R}, bits));
  table.push_back(rounded(id("w"), {input::W}, bits));
  table.push_back(rounded(id("r"), {input::R}, bits));
  table.push_back(rounded(id("input"), {input::X}, bits));
  table.push_back(rounded(id("bias"), {input::B}, bits));
  table.push_back(rounded(id("peepholes"), {input::P}, bits));
  table.push_back(of_precision(id("state"), [bits](View& view) { return short_states(view, bits); }));
}

}  // namespace

Table precision() {
  Table table;
  table.push_back(of_operands("tf32-operands", 11, false));
  table.push_back(of_operands("bf16-operands", 8, false));
  table.push_back(of_operands("tf32-operands-late", 11, true));
  table.push_back(of_switches("sigmoid-saturates-early", [](StepSwitches& s) { s.sigmoid_saturates_beyond = 8; }));
  table.back().needs = both(has_wide_type, uses(ActivationKind::Sigmoid));
  for (const FaultInfo& info : fault_family("{}-cell")) add_of_bits(table, info.member);
  return table;
}

}  // namespace cellproof::oracle::fault_tables
