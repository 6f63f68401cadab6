#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "oracle/observed.hpp"

namespace cellproof::oracle {

/// An input that a node lacks, with the values that its outputs ask for.
struct RecoveredInput {
  std::size_t position;
  Tensor tensor;
};

/// Solves for B, initial_h and initial_c, each alone, where the node has it not. Nothing where Y does not show each
/// value twice, in two halves of the equations: else a wrong step would look like a lost input. So of RNN and GRU a
/// state is found only if all rows share it. Needs Y of type float, default functions and, for a GRU,
/// linear_before_reset. Where two biases are always added, all is in the first one.
/// Least squares made the values; whether the outputs follow from them is for the judge to say.
std::vector<RecoveredInput> recovered_inputs(const Observed& seen);

}  // namespace cellproof::oracle
