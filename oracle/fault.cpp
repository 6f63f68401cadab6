#include "oracle/fault.hpp"

#include <algorithm>
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

bool Fault::applies(const Problem& problem) const {
  return std::ranges::find(operators, problem.version.op) != operators.end() && needs(problem);
}

Problem& View::own_problem() {
  changed_.reset();
  if (!problem_) problem_ = seen_.problem;
  return *problem_;
}

Outputs& View::own_outputs() {
  changed_.reset();
  if (!outputs_) outputs_ = seen_.outputs;
  return *outputs_;
}

const Observed& View::observed() {
  if (!problem_ && !outputs_) return seen_;
  if (!changed_) changed_.emplace(problem(), outputs());
  return *changed_;
}

}  // namespace cellproof::oracle
