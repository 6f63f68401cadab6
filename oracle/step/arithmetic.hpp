#pragma once

#include <limits>

#include "oracle/contract.hpp"
#include "oracle/step/evaluation_mode.hpp"
#include "spec/contract.hpp"
#include "spec/element_type.hpp"

namespace cellproof::oracle {

/// A precision contract applied to a tensor type: every switch as a number that a bound can be computed with. `u`
/// stands for unit roundoffs (relative error of one rounding), `eta` for the absolute error of one rounding that
/// underflows.
struct Arithmetic {
  ElementType type = ElementType::Float;
  FloatFormat storage{};  ///< of the tensors
  FloatFormat states{};   ///< of pre-activations, gates and states where they are stored

  double u_storage = 0, u_accumulate = 0, u_elementwise = 0;
  double u_operand = 0;    ///< of each factor of a matrix product
  double u_input = 0;      ///< of states and parameters on their way in
  double u_attribute = 0;  ///< of alpha, beta and clip
  double eta_storage = 0, eta_accumulate = 0, eta_elementwise = 0;
  double eta_operand = 0, eta_input = 0;  ///< what a factor, or an input, may lose that is below these:
  double normal_operand = 0, normal_input = 0;
  double activation_relative = 0, activation_floor = 0;
  double largest_accumulated = 0, largest_elementwise = 0, largest_stored = 0;
  double largest_operand = std::numeric_limits<double>::infinity();
  double largest_input = std::numeric_limits<double>::infinity();

  bool stored_intermediates = false, flushed_subnormals = false, nearest_output = false;
  EvaluationMode mode;

  /// A value that needs no more than this many bits, counted from 2^exact_grid upwards or coarser, is never rounded on
  /// its way; 0 where the contract allows no such proof.
  int exact_bits = 0;
  int exact_grid = 0;

  /// May an elementwise result of this magnitude overflow in the format that holds it?
  bool may_overflow(double magnitude) const {
    return !(magnitude <= (stored_intermediates ? largest_stored : largest_elementwise));
  }

  /// The absolute error of a factor of this magnitude that underflows, or is flushed, on its way into a product.
  double lost_as_operand(double magnitude) const {
    return magnitude > 0 && magnitude < normal_operand ? eta_operand : 0;
  }
  /// The same of a state, a parameter or an attribute on its way into any other operation.
  double lost_as_input(double magnitude) const { return magnitude > 0 && magnitude < normal_input ? eta_input : 0; }
  /// The radius of an input that may be rounded, flushed or narrowed on its way in: infinite beyond the largest number
  /// that it can be made.
  double radius_of_input(double value) const;
};

Arithmetic arithmetic_of(ContractId id, ElementType type);

/// Everything that either may do: what honest arithmetic can reach under one of the two, it can reach under this.
Arithmetic either_of(const Arithmetic& a, const Arithmetic& b);

/// Is all that `narrow` may do allowed by `wide`?
bool allows_all_of(const Arithmetic& wide, const Arithmetic& narrow);

/// Twice every error. What even this does not allow is so far beyond the contract's bounds that the judge's own error
/// does not matter.
Arithmetic doubled(const Arithmetic& a);

/// No rounding anywhere: what is left in a bound is the oracle's own slack.
Arithmetic exact_arithmetic(ElementType type);

}  // namespace cellproof::oracle
