#pragma once

#include <span>

#include "oracle/fault.hpp"

namespace cellproof::oracle {

/// Ways to keep the products of a matrix and a vector.
enum class ProductsKept {
  Whole,           ///< as the sums are
  Rounded,         ///< rounded as factors are, then the biases are added
  RoundedWithBias  ///< likewise, but the biases, rounded, are added first to the product that is made last of a gate
};

/// Faults that round the factors of matrix products in one way each, and nothing else: what an engine is seen by that
/// computes in TF32, or by 16 bits.
struct FactorFault {
  FaultInfo info;
  int bits = 0;
  FactorRounding rounding = FactorRounding::ToEven;
  bool of_x = true, of_h = true;  ///< in the products with W, and in those with R
  ProductsKept products = ProductsKept::Whole;
  /// GRU: of r, the sum of the rounded product with R and the biases (rounded, where those of other gates are not) is
  /// rounded again.
  bool stores_reset_part = false;
};

/// Makes the fault, for float and double tensors.
Fault fault_of(const FactorFault& rounded);

/// Every way to round factors to 8, 11 or 24 bits, or to cut them off: in both products, or in one of them. They are in
/// no catalogue.
std::span<const Fault> factor_roundings(int bits, bool may_cut);

/// Every way to round factors and products to 8 or 11 bits, as graphs of operators on tensors of 16 bits do. They are
/// in no catalogue either.
std::span<const Fault> product_roundings(int bits);

}  // namespace cellproof::oracle
