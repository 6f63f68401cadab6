#include "oracle/contracts_tried.hpp"

#include "oracle/contract.hpp"
#include "oracle/contract_order.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {

ContractId base_contract(const Problem& problem, const std::optional<ContractId>& declared) {
  const ElementType type = value_type(problem);
  if (!is_floating_point(type)) return ContractId::F32;  // an invalid problem: nothing of it is judged by value
  return declared && applies_to(*declared, type) ? *declared : default_contract(type);
}

ContractsTried contracts_tried(const Problem& problem, const std::optional<ContractId>& declared) {
  const ElementType type = value_type(problem);
  ContractsTried tried;
  tried.base = base_contract(problem, declared);
  if (is_floating_point(type)) {
    const ContractId usual = default_contract(type);
    if (usual != tried.base && at_least_as_wide(tried.base, usual)) tried.usual = usual;
  }
  tried.wider = wider_contracts(tried.base, type);
  // Factors of integer products are not rounded, and 16 bits lead to other codes, and so almost anywhere.
  if (is_quantised(problem.version.op)) std::erase_if(tried.wider, rounds_factors);
  tried.together = arithmetic_of(tried.base, type);
  for (const ContractId contract : tried.wider)
    tried.together = either_of(tried.together, arithmetic_of(contract, type));
  return tried;
}

}  // namespace cellproof::oracle
