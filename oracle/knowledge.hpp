#pragma once

#include <optional>

#include "spec/contract.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// Knowledge of an engine before a case is decided.
struct Knowledge {
  /// The contract that it declares or that --contract gives it; nullopt: the type's default.
  std::optional<ContractId> declared = std::nullopt;
  Readings proved = {};  ///< readings already proved for it, tried right after the default
};

}  // namespace cellproof::oracle
