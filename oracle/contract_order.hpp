#pragma once

#include <vector>

#include "spec/contract.hpp"
#include "spec/element_type.hpp"

namespace cellproof::oracle {

/// Is every number of `wide` at least as permissive as in `narrow`? (A contract is as wide as itself.)
bool at_least_as_wide(ContractId wide, ContractId narrow);

/// The contracts that apply to the type and are wider than `base`, from strict to wide.
std::vector<ContractId> wider_contracts(ContractId base, ElementType type);

}  // namespace cellproof::oracle
