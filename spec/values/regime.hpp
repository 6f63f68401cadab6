#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "spec/tensor.hpp"

namespace cellproof {

/// A way of choosing the values of a tensor.
enum class Regime {
  Normal,          ///< approximately normal values (a sum of uniforms), weights scaled by 1/sqrt(fan-in)
  Discriminating,  ///< all weights different in effect, W and R biases different, states away from zero: permutations
                   ///< show
  ExactDyadic,     ///< small multiples of 2^-k: piecewise-linear cells compute them without any rounding
  Saturating,      ///< large pre-activations of both signs
  Chaotic,         ///< recurrent weights with gain 6
  Subnormal,       ///< values around and below the type's smallest normal number
  Special,         ///< normal values with some infinities, NaN, signed zeros and extremes among them
  Zero,            ///< all zeros (but scales, which stay positive)
};

/// "normal", "discriminating", "exact", "saturating", "chaotic", "subnormal", "special", "zero"
std::string_view name(Regime regime);
std::optional<Regime> regime_named(std::string_view text);
std::span<const Regime> all_regimes();

/// Purpose of a tensor; regimes treat inputs, weights, biases and states differently.
/// Scale and RecurrentScale belong to the quantised W and R of DynamicQuantizeLSTM, as does ZeroPoint.
enum class Role { Data, InputWeight, RecurrentWeight, Bias, Peephole, State, Scale, ZeroPoint, RecurrentScale };

/// Fills `tensor` from a counter-based generator keyed by (seed, tensor_name, index): a value depends on nothing else,
/// so that adding a field to a case never shifts another's data. Integer arithmetic and + - * / only, golden hashes in
/// the test. `fan_in` is the length of the dot product that a weight or its scale takes part in (I or H). A bias
/// tensor's last dimension is read as [W half, R half]. Every regime fills every type: integers stay within +-63 of 0
/// (int8, int32, int64) or 128 (uint8), so that no runtime saturates a sum of two products in 16 bits, but for
/// Saturating (+-127). Zero points are 0 for int8 and one value near 128 for uint8, the same in all columns; Special
/// gives each column its own.
void fill(Tensor& tensor, Regime regime, Role role, std::uint64_t seed, std::string_view tensor_name,
          std::int64_t fan_in);

}  // namespace cellproof
