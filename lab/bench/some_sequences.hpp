#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::lab::bench {

/// The problem of the sequences [first, first + count) of a batch. Sequences know nothing of each other, so their
/// outputs are the same parts of the whole problem's outputs. Not for DynamicQuantizeLSTM, whose quantisation sees all
/// of them: throws std::invalid_argument.
Problem some_sequences(const Problem& problem, std::int64_t first, std::int64_t count);
Outputs outputs_of_some_sequences(const Problem& problem, const Outputs& outputs, std::int64_t first,
                                  std::int64_t count);

}  // namespace cellproof::lab::bench
