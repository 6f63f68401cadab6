#pragma once

#include <optional>
#include <vector>

#include "oracle/step/arithmetic.hpp"
#include "spec/contract.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

struct Fault;

/// Supposition about an engine. By itself: that it keeps to the default readings and does nothing wrong.
struct Hypothesis {
  Readings readings;
  ContractId contract = ContractId::F32;
  std::vector<const Fault*> faults = {};  ///< all at once, the first in the engine's way first (oracle/fault.hpp)
  /// Limits of arithmetic, where they are no contract's: what several contracts together allow, or twice that.
  std::optional<Arithmetic> arithmetic = std::nullopt;
};

}  // namespace cellproof::oracle
