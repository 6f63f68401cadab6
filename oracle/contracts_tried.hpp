#pragma once

#include <optional>
#include <vector>

#include "oracle/step/arithmetic.hpp"
#include "spec/contract.hpp"
#include "spec/problem.hpp"
#include "spec/readings.hpp"

namespace cellproof::oracle {

/// The contract that a case is judged under: the one that the engine declares for its type, or the type's default.
ContractId base_contract(const Problem& problem, const std::optional<ContractId>& declared);

/// The contracts that a search goes through, and what all of them together allow.
struct ContractsTried {
  ContractId base = ContractId::F32;
  /// The type's default, where the engine declares a wider one: what keeps to it conforms all the same.
  std::optional<ContractId> usual = std::nullopt;
  std::vector<ContractId> wider;  ///< from strict to wide
  bool quantised = false;         ///< DynamicQuantizeLSTM

  /// Is the contract tried under the readings? Factors of integer products are not rounded, and 16 bits lead to other
  /// codes, and so almost anywhere: where W and R are used as codes, such contracts explain nothing.
  bool tries(ContractId contract, const Readings& readings) const;
  /// Returns what all of those that are tried under the readings allow: what this excludes, each of them excludes.
  const Arithmetic& together(const Readings& readings) const { return uses_codes(readings) ? of_codes_ : of_numbers_; }

 private:
  friend ContractsTried contracts_tried(const Problem&, const std::optional<ContractId>&);
  bool uses_codes(const Readings& readings) const;

  Arithmetic of_codes_, of_numbers_;
};

ContractsTried contracts_tried(const Problem& problem, const std::optional<ContractId>& declared);

}  // namespace cellproof::oracle
