#include "oracle/contract_order.hpp"

#include <algorithm>

#include "oracle/contract.hpp"
#include "oracle/step/arithmetic.hpp"

namespace cellproof::oracle {

bool at_least_as_wide(ContractId wide, ContractId narrow) {
  // All contracts have the same order for binary16 and bfloat16.
  return std::ranges::any_of(all_element_types(), [&](ElementType type) {
    return is_floating_point(type) && applies_to(wide, type) && applies_to(narrow, type) &&
           allows_all_of(arithmetic_of(wide, type), arithmetic_of(narrow, type));
  });
}

std::vector<ContractId> wider_contracts(ContractId base, ElementType type) {
  std::vector<ContractId> list;
  for (const ContractId id : all_contracts()) {  // from strict to wide within a type
    if (id != base && applies_to(id, type) && at_least_as_wide(id, base)) list.push_back(id);
  }
  return list;
}

}  // namespace cellproof::oracle
