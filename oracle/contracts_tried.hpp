#pragma once

#include <optional>
#include <vector>

#include "oracle/step/arithmetic.hpp"
#include "spec/contract.hpp"
#include "spec/problem.hpp"

namespace cellproof::oracle {

/// The contract that a case is judged under first: the type's default, or a stricter one that the engine declares.
ContractId base_contract(const Problem& problem, const std::optional<ContractId>& declared);

/// The contracts that a search goes through, and what all of them together allow.
struct ContractsTried {
  ContractId base = ContractId::F32;
  std::vector<ContractId> wider;  ///< from strict to wide
  Arithmetic together;            ///< what this excludes, each of them excludes
};

ContractsTried contracts_tried(const Problem& problem, const std::optional<ContractId>& declared);

}  // namespace cellproof::oracle
