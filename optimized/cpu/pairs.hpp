#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/cpu/amx.hpp"
#include "optimized/cpu/kernels.hpp"
#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {

/// Products of bfloat16, two at a time. An element of a row or of a panel is a pair of them, in the place of a float:
/// so panels, tiles and pieces are those of float, and `length` counts pairs. Sums are float's. Real is float.
template <class Real>
struct PairKernels {
  /// As those of Kernels. The processor's instruction takes subnormal factors, products and sums for zero.
  void (*multiply)(const Multiplication<Real>&);
  void (*multiply_row)(const Multiplication<Real>&);
  void (*lstm_of_row)(const Multiplication<Real>&, const LstmStep<Real>&, bool backwards);
  /// The same rows and panels with nothing taken for zero, by widening both.
  void (*multiply_widened)(const Multiplication<Real>&);
  /// The least magnitude but zero of bfloat16 numbers, as its bits; no_magnitude where all are zero.
  std::uint16_t (*least_magnitude)(const void* numbers, std::size_t count);
  /// nullptr, or sums of some such products, which are added up one after the other.
  void (*multiply_terms)(const TileProduct<Real>&);
  /// Splits floats, whose rows have whole vectors, into parts_of_float parts, `part_stride` numbers apart: bfloat16
  /// numbers with the last, the middle and the first eight bits. A float for which they are too small gets a subnormal
  /// part, which asks for care. nullptr without multiply_terms.
  void (*split)(const Real* values, std::size_t count, std::uint16_t* parts, std::size_t part_stride);
};

/// A float is the sum of so many bfloat16 numbers.
constexpr std::size_t parts_of_float = 3;

constexpr std::uint16_t no_magnitude = 0xFFFF;

/// Are a node's factors multiplied in pairs by these kernels?
template <class Real>
bool takes_pairs(const Node& node, const Kernels<Real>& kernels) {
  return node.type == CELLPROOF_BFLOAT16 && kernels.pairs != nullptr;
}

/// Elements that so many weights of a row take.
constexpr std::size_t packed_length(std::size_t length, bool in_pairs) {
  return in_pairs ? (length + 1) / 2 : length;
}

/// Can no factor, product or sum of products be subnormal? All of them are multiples of the product of the last bits
/// of the two least magnitudes, which must be a normal float.
constexpr bool nothing_is_subnormal(std::uint16_t one_least, std::uint16_t other_least) {
  constexpr unsigned mantissa_bits = 7, bias = 127, least_exponent = 1;
  const unsigned one = one_least >> mantissa_bits, other = other_least >> mantissa_bits;
  return one >= least_exponent && other >= least_exponent && one + other >= bias + 2 * mantissa_bits + least_exponent;
}

/// m by the pairs' kernels: rows that are marked are multiplied without taking anything for zero.
template <class Real>
void multiply_pairs(const PairKernels<Real>& kernels, const Multiplication<Real>& m, const char* is_careful);

}  // namespace cellproof::cpu
