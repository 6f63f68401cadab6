#pragma once

#include "reports/vectors/vector_set.hpp"

namespace cellproof::reports::testing {

/// A made-up set of two vectors: one of float with two ways and an output that may be NaN, one of float16.
VectorSet sample_vectors();

}  // namespace cellproof::reports::testing
