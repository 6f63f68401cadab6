#pragma once

#include "spec/contract.hpp"
#include "spec/element_type.hpp"

namespace cellproof::oracle {

/// Format in which a kind of operation is carried out.
enum class Carrier {
  Own,          ///< the tensor's own type
  Single,       ///< binary32
  Half,         ///< binary16
  Brain,        ///< bfloat16
  TensorFloat,  ///< TF32: float's range in 11 bits
};
/// For people: "float16", and "own type" for that of the tensors.
std::string_view name(Carrier carrier);

/// The format that the carrier is for tensors of this type.
FloatFormat format_of(Carrier carrier, ElementType type);

/// Limits of honest arithmetic: one row for each ContractId. A bound is a theorem about such a row, not a magic
/// number.
struct PrecisionContract {
  ContractId id;
  Carrier accumulate;         ///< sums of products, in any order, fused or not
  Carrier elementwise;        ///< everything else
  Carrier states;             ///< in which pre-activations, gates and states are kept, where they may be
  Carrier factors;            ///< whose range the factors of a matrix product have
  double operand_rounding;    ///< relative, on each factor of a matrix product; 0 for none
  bool narrowed_inputs;       ///< inputs and parameters are rounded to the elementwise carrier first
  bool stored_intermediates;  ///< pre-activations, gates and C may pass through the states' format
  bool rounded_attributes;    ///< alpha, beta and clip may be rounded to the tensor's type
  bool nearest_output;        ///< the output is the wide value rounded once to nearest; otherwise half an ulp more
  double activation_ulps;     ///< relative error of an activation function, in ulps of the elementwise format
  double activation_floor;    ///< absolute error of an activation function, in unit roundoffs of that format
  bool flushed_subnormals = false;  ///< subnormal inputs, operands and results may become 0
};

const PrecisionContract& contract(ContractId id);

/// Does it let float tensors be computed in 16 bits?
bool computes_in_16_bits(ContractId id);

/// Does it let factors of matrix products be rounded?
bool rounds_factors(ContractId id);

/// Does the contract say anything about tensors of this type?
bool applies_to(ContractId id, ElementType type);

}  // namespace cellproof::oracle
