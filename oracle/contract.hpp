#pragma once

#include <span>
#include <vector>

#include "spec/contract.hpp"
#include "spec/element_type.hpp"

namespace cellproof::oracle {

/// In which format a kind of operation is carried out.
enum class Carrier {
  Own,     ///< the tensor's own type
  Single,  ///< binary32
};

/// Limits of honest arithmetic: one row for each ContractId. A bound is a theorem about such a row, not a magic
/// number.
struct PrecisionContract {
  ContractId id;
  Carrier accumulate;         ///< sums of products, in any order, fused or not
  Carrier elementwise;        ///< everything else
  double operand_rounding;    ///< relative, on each factor of a matrix product (TF32); 0 for none
  bool narrowed_inputs;       ///< inputs and parameters are rounded to the carrier first (double computed in f32)
  bool stored_intermediates;  ///< pre-activations, gates and C may pass through the tensor's type
  bool rounded_attributes;    ///< alpha, beta and clip may be rounded to the tensor's type
  bool flushed_subnormals;    ///< subnormal operands and results may become 0
  bool nearest_output;        ///< the output is the wide value rounded once to nearest; otherwise half an ulp more
  double activation_ulps;     ///< relative error of an activation function, in ulps of the elementwise format
  double activation_floor;    ///< absolute error of an activation function, in unit roundoffs of that format
};

const PrecisionContract& contract(ContractId id);

/// Is every switch of `wide` at least as permissive as in `narrow`? (A contract is as wide as itself.)
bool at_least_as_wide(ContractId wide, ContractId narrow);

/// Does the contract say anything about tensors of this type?
bool applies_to(ContractId id, ElementType type);

/// The contracts that apply to the type and are wider than `base`, from strict to wide.
std::vector<ContractId> wider_contracts(ContractId base, ElementType type);

}  // namespace cellproof::oracle
