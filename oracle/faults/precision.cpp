// Faults of precision: fewer bits than the contract allows, and functions that err.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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
  if (positions.front() == input::B) fault.needs = both(has_wide_type, given(input::B));
  return fault;
}

Fault of_switches(std::string_view id, std::function<void(StepSwitches&)> change) {
  return of_step(id, has_wide_type, std::move(change));
}

Fault of_operands(std::string_view id, int bits, bool late) {
  Fault fault = of_cell(id, has_wide_type, [bits](FaultyCell& cell, const CellSource&) {
    cell.switches.operand_bits = bits;
    for (auto* weights : {&cell.W, &cell.R}) {
      for (double& weight : *weights) weight = with_bits(weight, bits);
    }
  });
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

/// Every output element has few bits, and so has every state that is fed back.
bool short_states(View& view, int bits) {
  for (const std::size_t which : {output::Y, output::Y_h}) {
    if (which < view.outputs().size() && view.outputs()[which] && !all_short(*view.outputs()[which], bits))
      return false;
  }
  add_to(view.fault_hooks.arithmetic, [bits](Arithmetic& m) {
    m.u_storage = std::ldexp(1.0, -bits);
    m.exact_bits = 0;
  });
  return true;
}

}  // namespace

Table precision() {
  Table table;
  table.push_back(of_operands("tf32-operands", 11, false));
  table.push_back(of_operands("bf16-operands", 8, false));
  table.push_back(of_operands("tf32-operands-late", 11, true));
  table.push_back(of_switches("half-cell", [](StepSwitches& s) { s.cell_bits = 11; }));
  table.push_back(of_switches("bf16-cell", [](StepSwitches& s) { s.cell_bits = 8; }));
  table.push_back(of_switches("sigmoid-saturates-early", [](StepSwitches& s) { s.sigmoid_saturates_beyond = 8; }));
  table.back().needs = both(has_wide_type, uses(ActivationKind::Sigmoid));
  table.push_back(rounded("bf16-weights", {input::W, input::R}, 8));
  table.push_back(rounded("f16-weights", {input::W, input::R}, 11));
  table.push_back(rounded("bf16-input", {input::X}, 8));
  table.push_back(rounded("f16-input", {input::X}, 11));
  table.push_back(rounded("bf16-bias", {input::B}, 8));
  table.push_back(of_precision("bf16-state", [](View& view) { return short_states(view, 8); }));
  table.push_back(of_precision("f16-state", [](View& view) { return short_states(view, 11); }));
  table.push_back(of_precision("half-accumulator", [](View& view) {
    add_to(view.fault_hooks.arithmetic, [](Arithmetic& m) {
      m.u_accumulate = 0x1p-11;
      m.exact_bits = 0;
    });
    return true;
  }));
  table.push_back(of_precision("tanh-error", [](View& view) {
    add_to(view.fault_hooks.arithmetic, [](Arithmetic& m) {
      m.activation_floor = std::max(m.activation_floor, 1.01e-4);
      m.exact_bits = 0;
    });
    return true;
  }));
  table.back().needs = both(has_wide_type, [](const Problem& problem) {
    return uses(ActivationKind::Tanh)(problem) || uses(ActivationKind::ScaledTanh)(problem);
  });
  return table;
}

}  // namespace cellproof::oracle::fault_tables
