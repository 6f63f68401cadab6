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
  tried.quantised = is_quantised(problem.version.op);
  tried.of_codes_ = tried.of_numbers_ = arithmetic_of(tried.base, type);
  for (const ContractId contract : tried.wider) {
    const Arithmetic arithmetic = arithmetic_of(contract, type);
    tried.of_numbers_ = either_of(tried.of_numbers_, arithmetic);
    if (!rounds_factors(contract)) tried.of_codes_ = either_of(tried.of_codes_, arithmetic);
  }
  return tried;
}

bool ContractsTried::uses_codes(const Readings& readings) const {
  return quantised && !readings.is(Clause::DqGranularity, "none");
}

bool ContractsTried::tries(ContractId contract, const Readings& readings) const {
  return !uses_codes(readings) || !rounds_factors(contract);
}

}  // namespace cellproof::oracle
