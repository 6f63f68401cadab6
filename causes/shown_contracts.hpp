#pragma once

#include <optional>
#include <vector>

#include "causes/cover.hpp"

#include "spec/contract.hpp"

namespace cellproof::causes {

/// Contracts wider than the usual ones that an engine's answers show where faults alone do not explain them.
class ShownContracts {
 public:
  explicit ShownContracts(Cover& cover) : cover_(cover) {}

  /// To be called once the faults are found.
  void find();

  /// The contract by which a case is explained beside the faults that act on it, or by itself where it is one of
  /// precision. Of several the one by which most cases are, since an engine has one arithmetic; then the strictest.
  std::optional<ContractId> behind(Cover::Item& item) const;

 private:
  std::optional<ContractId> beside_faults(const std::vector<ContractId>& contracts,
                                          const std::vector<Cover::Item*>& items);
  void sort_by_cases();

  Cover& cover_;
  std::vector<ContractId> shown_;
};

}  // namespace cellproof::causes
