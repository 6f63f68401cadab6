#pragma once

#include <cstdint>

#include "lab/zoo/plain_outputs.hpp"
#include "lab/zoo/quantized_node.hpp"
#include "lab/zoo/zoo.hpp"

namespace cellproof::lab::zoo {

/// Honest ways to quantise to uint8, each a choice that the page leaves open.
struct Quantisation {
  bool scale_by_reciprocal = false;   ///< (greatest - least) * (1 / 255) for (greatest - least) / 255
  bool values_by_reciprocal = false;  ///< x * (1 / scale) for x / scale
  bool zero_point_first = false;      ///< the zero point is added before the quotient is rounded
  bool scaled_apart = false;          ///< (sum * scale of the data) * scale of the weights for sum * (both multiplied)
};

/// A choice for each seed.
Quantisation quantisation_of(std::uint64_t seed);

/// DynamicQuantizeLSTM under the default readings: X quantised once over the block of all steps and sequences, H before
/// each step over the batch, where a sequence that has ended counts once more and, if Y is asked for, then as 0.
PlainOutputs run_quantized(const QuantizedNode& node, const Style& style, std::uint64_t seed);

}  // namespace cellproof::lab::zoo
