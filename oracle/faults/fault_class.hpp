#pragma once

#include <span>
#include <string_view>

namespace cellproof::oracle {

enum class FaultClass {
  GateOrder,
  Bias,
  Peephole,
  Clip,
  Activation,
  Direction,
  Layout,
  Lengths,
  States,
  Outputs,
  Precision,
  Quantisation,
  Corner,
};
std::string_view name(FaultClass c);
std::span<const FaultClass> fault_classes();

}  // namespace cellproof::oracle
