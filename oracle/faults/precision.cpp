// Faults of precision: fewer bits than the contract allows, and functions that err.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle::fault_tables {
namespace {

Fault of_precision(std::string id, std::string what, std::vector<Operator> operators,
                   std::function<bool(View&)> put_on) {
  return {std::move(id),        "-",           FaultClass::Precision, std::move(what),
          std::move(operators), has_wide_type, std::move(put_on)};
}

/// Inputs kept with fewer bits.
Fault rounded(const char* id, const char* what, std::vector<std::size_t> positions, int bits) {
  Fault fault = of_precision(id, what, every_cell, [positions, bits](View& view) {
    for (const std::size_t position : positions) {
      change_values(view.own_problem(), position, [bits](std::vector<double>& values) {
        for (double& value : values) value = with_bits(value, bits);
      });
    }
    return true;
  });
  if (positions.front() == input::B) {
    fault.needs = both(has_wide_type, given(input::B));
    fault.blames = "input.B";
  }
  return fault;
}

Fault of_switches(const char* id, const char* what, std::vector<Operator> operators,
                  std::function<void(StepSwitches&)> change) {
  Fault fault = of_step(id, "-", FaultClass::Precision, what, std::move(operators), has_wide_type, std::move(change));
  return fault;
}

Fault of_operands(const char* id, const char* what, int bits, bool late) {
  Fault fault =
      of_cell(id, "-", FaultClass::Precision, what, every_cell, has_wide_type, [bits](Cell& cell, const CellSource&) {
        cell.switches.operand_bits = bits;
        for (auto* weights : {&cell.W, &cell.R}) {
          for (double& weight : *weights) weight = with_bits(weight, bits);
        }
      });
  if (!late) return fault;
  fault.put_on = [whole = fault.put_on](View& view) {
    CellChange before = std::exchange(view.departures.cell, {});
    const bool shows = whole(view);
    add_to(view.departures.late_cell, std::exchange(view.departures.cell, std::move(before)));
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
  add_to(view.departures.arithmetic, [bits](Arithmetic& m) {
    m.u_storage = std::ldexp(1.0, -bits);
    m.exact_bits = 0;
  });
  return true;
}

}  // namespace

Table precision() {
  Table table;
  table.push_back(of_operands("tf32-operands", "rounds the factors of products to 11 bits", 11, false));
  table.push_back(of_operands("bf16-operands", "rounds the factors of products to 8 bits", 8, false));
  table.push_back(of_operands(
      "tf32-operands-late", "rounds the factors of products to 11 bits in the second half of the sequence", 11, true));
  table.push_back(
      of_switches("half-cell", "keeps C with 11 bits", only_lstm, [](StepSwitches& s) { s.cell_bits = 11; }));
  table.push_back(of_switches("bf16-cell", "keeps C with 8 bits", only_lstm, [](StepSwitches& s) { s.cell_bits = 8; }));
  table.push_back(of_switches("sigmoid-saturates-early", "takes sigmoid for 0 and 1 beyond +-8", gated,
                              [](StepSwitches& s) { s.sigmoid_saturates_beyond = 8; }));
  table.back().needs = both(has_wide_type, uses(ActivationKind::Sigmoid));
  table.back().blames = std::string("regime");
  table.push_back(rounded("bf16-weights", "keeps W and R with 8 bits", {input::W, input::R}, 8));
  table.push_back(rounded("f16-weights", "keeps W and R with 11 bits", {input::W, input::R}, 11));
  table.push_back(rounded("bf16-input", "keeps X with 8 bits", {input::X}, 8));
  table.push_back(rounded("f16-input", "keeps X with 11 bits", {input::X}, 11));
  table.push_back(rounded("bf16-bias", "keeps B with 8 bits", {input::B}, 8));
  table.push_back(
      of_precision("bf16-state", "keeps H with 8 bits", every_cell, [](View& view) { return short_states(view, 8); }));
  table.push_back(
      of_precision("f16-state", "keeps H with 11 bits", every_cell, [](View& view) { return short_states(view, 11); }));
  table.push_back(of_precision("half-accumulator", "adds products with 11 bits", every_cell, [](View& view) {
    add_to(view.departures.arithmetic, [](Arithmetic& m) {
      m.u_accumulate = 0x1p-11;
      m.exact_bits = 0;
    });
    return true;
  }));
  table.push_back(of_precision("tanh-error", "has a tanh that errs by 1e-4", every_cell, [](View& view) {
    add_to(view.departures.arithmetic, [](Arithmetic& m) {
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
