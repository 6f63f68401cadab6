#pragma once

#include <optional>
#include <vector>

#include "oracle/step/arithmetic.hpp"
#include "spec/contract.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// The contract that a case is judged under: the one that the engine declares for its type, or the type's default.
ContractId base_contract(const Problem& problem, const std::optional<ContractId>& declared);

/// The contracts that a search goes through, and what all of them together allow.
struct ContractsTried {
  ContractId base = ContractId::F32;
  /// The type's default, where the engine declares a wider one: what keeps to it conforms all the same.
  std::optional<ContractId> usual = std::nullopt;
  std::vector<ContractId> wider;  ///< from strict to wide
  Arithmetic together;            ///< what this excludes, each of them excludes
};

ContractsTried contracts_tried(const Problem& problem, const std::optional<ContractId>& declared);

}  // namespace cellproof::oracle
