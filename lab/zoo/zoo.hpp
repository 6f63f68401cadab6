#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "spec/contract.hpp"
#include "spec/problem.hpp"

namespace cellproof::lab::zoo {

/// In which order, and how wide, the products of a matrix row are added.
enum class Summation {
  Sequential,
  SequentialFma,
  Reversed,
  Pairwise,
  Lanes8,  ///< eight partial sums with FMA, added pairwise, as a vector unit does
  Lanes16,
  Permuted,  ///< another random order for every sum
  Blocked,   ///< partial sums of four
  Wide,      ///< products exact, the sum with more than twice the precision, rounded once
};

/// Place where the biases join the sum.
enum class BiasPlace {
  Last,   ///< x W + h R, then Wb, then Rb
  Sum,    ///< x W + h R, then Wb + Rb added beforehand
  First,  ///< the sum starts with Wb + Rb and runs over x W and h R in one go
  Split,  ///< (x W + Wb) + (h R + Rb)
};

/// Way to evaluate the transcendental functions.
enum class Evaluation {
  Libm,
  Literal,   ///< the formulas of the pages, kept from overflowing
  Rational,  ///< tanh by a clamped continued fraction, sigmoid by tanh: an absolute error of a few roundings
  Clamped,   ///< in float, tanh by a short rational function on +-9, sigmoid by tanh, as fast CPU kernels do
  Noisy,     ///< libm with a random error of up to 3 units in the last place
};

/// State that a 16-bit node's next step gets to see. (In f32 and f64 both are the same.)
enum class Feedback { Rounded, Unrounded };

/// One honest way to compute a cell: the right equations under the default readings, in the tensor's arithmetic (f32
/// for f32, f16 and bf16; f64 for f64).
struct Style {
  std::string_view name;
  Summation summation = Summation::Sequential;
  BiasPlace bias = BiasPlace::Last;
  Evaluation evaluation = Evaluation::Libm;
  Feedback feedback = Feedback::Rounded;
  bool fused = false;    ///< FMA in the elementwise part, and h + z (H - h) for (1 - z) h + z H
  bool flushed = false;  ///< subnormals of the tensors' type and of the arithmetic are zeros
  /// The type that the factors of matrix products are rounded to, and the one that inputs, states, gates and what comes
  /// between them are.
  std::optional<ElementType> factors = std::nullopt, states = std::nullopt;
  /// The type that each product of a matrix with a vector is rounded to. BiasPlace::First: the biases, rounded, are
  /// added before that to the last product of a gate (in GRU of the candidate; of r after that, and rounded again).
  std::optional<ElementType> products = std::nullopt;
  bool factors_of_tf32 = false;  ///< factors are rounded to the nearest of 11 bits, which are no tensor's type
};

/// An engine that says of its arithmetic what is no default: honest under the contract that it declares.
struct DeclaredStyle {
  Style style;
  ElementType type;
  ContractId contract;
};

std::span<const Style> styles();
std::span<const DeclaredStyle> declared_styles();

/// The LSTM on real numbers that a DynamicQuantizeLSTM is to an engine that quantises neither X nor H.
Problem with_real_weights(const Problem& problem);

/// The outputs that the problem asks for, by position. The seed decides random orders and errors and nothing else.
/// Throws std::invalid_argument for activations that cannot be resolved; other invalid problems are not looked for.
Outputs run(const Problem& problem, const Style& style, std::uint64_t seed);

}  // namespace cellproof::lab::zoo
