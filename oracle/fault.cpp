#include "oracle/fault.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "oracle/faults/tables.hpp"

namespace cellproof::oracle {
namespace {

std::vector<Fault> all_faults() {
  using namespace fault_tables;
  Table all;
  for (const auto table : {gate_order, biases, peepholes, clipping, functions, gates, directions, lengths, states,
                           fault_tables::outputs, precision}) {
    std::ranges::move(table(), std::back_inserter(all));
  }
  std::ranges::move(corners(all), std::back_inserter(all));
  let_quantised_lstm_have_them(all);
  std::ranges::move(quantisation(), std::back_inserter(all));
  return all;
}

constexpr std::array classes{
    FaultClass::GateOrder, FaultClass::Bias,         FaultClass::Peephole, FaultClass::Clip,   FaultClass::Activation,
    FaultClass::Direction, FaultClass::Layout,       FaultClass::Lengths,  FaultClass::States, FaultClass::Outputs,
    FaultClass::Precision, FaultClass::Quantisation, FaultClass::Corner};

}  // namespace

std::string_view name(FaultClass c) {
  constexpr std::array<std::string_view, classes.size()> names{
      "gate-order", "bias",   "peephole", "clip",      "activation",   "direction", "layout",
      "lengths",    "states", "outputs",  "precision", "quantisation", "corner"};
  return names.at(static_cast<std::size_t>(c));
}

std::span<const FaultClass> fault_classes() {
  return classes;
}

bool Fault::applies(const Problem& problem) const {
  return std::ranges::find(operators, problem.version.op) != operators.end() && needs(problem);
}

std::span<const Fault> faults() {
  static const std::vector<Fault> all = all_faults();
  return all;
}

const Fault* fault_named(std::string_view id) {
  const auto all = faults();
  const auto found = std::ranges::find(all, id, &Fault::id);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace cellproof::oracle
