#include "oracle/faults/fault_class.hpp"

#include <array>

namespace cellproof::oracle {
namespace {

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

}  // namespace cellproof::oracle
