#include "oracle/contract_order.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

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

std::vector<ContractId> excluded_contracts(const std::vector<ContractId>& contracts,
                                           const std::function<bool(ContractId)>& is_excluded) {
  std::vector<std::optional<bool>> known(contracts.size());
  const auto ask = [&](std::size_t k) {
    if (known[k]) return;
    const bool excluded = is_excluded(contracts[k]);
    known[k] = excluded;
    for (std::size_t other = 0; other < contracts.size(); ++other) {
      const auto [wide, narrow] = excluded ? std::pair(k, other) : std::pair(other, k);
      if (!known[other] && at_least_as_wide(contracts[wide], contracts[narrow])) known[other] = excluded;
    }
  };
  for (std::size_t k = 0; k < contracts.size(); ++k) {  // from both ends, whose answers settle most
    ask(contracts.size() - 1 - k);
    ask(k);
  }
  std::vector<ContractId> list;
  for (std::size_t k = 0; k < contracts.size(); ++k) {
    if (*known[k]) list.push_back(contracts[k]);
  }
  return list;
}

}  // namespace cellproof::oracle
