#pragma once

#include <vector>

#include "spec/tensor.hpp"

namespace cellproof::oracle {

/// Returns all elements as doubles, in row-major order; exact for every type.
std::vector<double> values_of(const Tensor& tensor);

}  // namespace cellproof::oracle
