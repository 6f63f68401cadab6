#pragma once

#include "spec/outcome.hpp"

namespace cellproof::engines {

/// Did two calls with the same problem come to the same? The same kind, and for RAN the same number of outputs with the
/// same types, shapes and bits; any NaN equals any other.
bool same_outputs(const Outcome& first, const Outcome& second);

}  // namespace cellproof::engines
