#pragma once

#include <string>
#include <vector>

#include "reports/vectors/vector_set.hpp"
#include "spec/case.hpp"

namespace cellproof::reports::testing {

/// A vector of the case whose outputs are three numbers: 1/4 in Y, -1/2 in Y_h, 3/4 in Y_c, with intervals around them.
Vector sample_vector(const std::string& name, const Case& c, std::vector<int> versions);

/// A made-up set of two vectors: one of float with two ways and an output that may be NaN, one of float16.
VectorSet sample_vectors();

}  // namespace cellproof::reports::testing
