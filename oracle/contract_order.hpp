#pragma once

#include <functional>
#include <vector>

#include "spec/contract.hpp"
#include "spec/element_type.hpp"

namespace cellproof::oracle {

/// Is every number of `wide` at least as permissive as in `narrow`? (A contract is as wide as itself.)
bool at_least_as_wide(ContractId wide, ContractId narrow);

/// The contracts that apply to the type and are wider than `base`, from strict to wide.
std::vector<ContractId> wider_contracts(ContractId base, ElementType type);

/// Those of `contracts`, listed from strict to wide, that outputs exclude, in the same order. `is_excluded` looks at
/// the outputs and is asked about few: where a contract excludes them each stricter one does, and where one does not,
/// no wider one does.
std::vector<ContractId> excluded_contracts(const std::vector<ContractId>& contracts,
                                           const std::function<bool(ContractId)>& is_excluded);

}  // namespace cellproof::oracle
