#pragma once

#include <optional>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::lab::bench {

/// Tensors for the outputs that a valid problem asks for, by position; all zeros.
Outputs output_tensors(const Problem& problem);

}  // namespace cellproof::lab::bench
