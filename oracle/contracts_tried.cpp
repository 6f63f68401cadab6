#include "oracle/contracts_tried.hpp"

#include "oracle/contract.hpp"
#include "oracle/value_type.hpp"

namespace cellproof::oracle {

ContractId base_contract(const Problem& problem, const std::optional<ContractId>& declared) {
  const ElementType type = value_type(problem);
  if (!is_floating_point(type)) return ContractId::F32;  // an invalid problem: nothing of it is judged by value
  const ContractId usual = default_contract(type);
  const bool stricter = declared && applies_to(*declared, type) && at_least_as_wide(usual, *declared);
  return stricter ? *declared : usual;
}

ContractsTried contracts_tried(const Problem& problem, const std::optional<ContractId>& declared) {
  const ElementType type = value_type(problem);
  ContractsTried tried;
  tried.base = base_contract(problem, declared);
  tried.wider = wider_contracts(tried.base, type);
  tried.together = arithmetic_of(tried.base, type);
  for (const ContractId contract : tried.wider)
    tried.together = either_of(tried.together, arithmetic_of(contract, type));
  return tried;
}

}  // namespace cellproof::oracle
