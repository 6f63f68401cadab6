#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spec/tensor.hpp"

namespace cellproof::reports {

/// The bytes of a .npz file with these arrays, stored, by name; bfloat16 as uint16. The same for the same arrays.
std::string npz_of(const std::vector<std::pair<std::string, Tensor>>& arrays);

}  // namespace cellproof::reports
