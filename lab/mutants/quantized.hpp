#pragma once

#include "lab/mutants/faults.hpp"
#include "lab/zoo/plain_outputs.hpp"

namespace cellproof::lab::mutants {

using zoo::QuantizedDirection;
using zoo::QuantizedMatrix;
using zoo::resolve_quantized;

/// X quantised once over the block of all steps and sequences, H before each step over the batch: the default readings.
PlainOutputs compute(const QuantizedNode& node, const Faults& faults);

}  // namespace cellproof::lab::mutants
