#pragma once

#include "engines/mutants/faults.hpp"

namespace cellproof::engines::mutants {

using zoo::QuantizedDirection;
using zoo::QuantizedMatrix;
using zoo::take_apart_quantized;

/// X quantised once over the block of all steps and sequences, H before each step over the batch: the default readings.
PlainOutputs compute(const QuantizedNode& node, const Faults& faults);

}  // namespace cellproof::engines::mutants
