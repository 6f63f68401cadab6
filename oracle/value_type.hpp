#pragma once

#include "spec/problem.hpp"

namespace cellproof::oracle {

/// Returns the tensor type T of the problem's floating-point tensors: that of X. Of an invalid problem without X, that
/// of the first input that is given, or float.
ElementType value_type(const Problem& problem);

}  // namespace cellproof::oracle
