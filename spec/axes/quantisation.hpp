#pragma once

#include <cstddef>

#include "spec/case.hpp"

namespace cellproof::axes_detail {

/// Has this quantisation parameter of DynamicQuantizeLSTM the shape [D,4H] rather than [D]?
bool is_per_column(const Case& c, std::size_t position);

/// Gives it one or the other; literal values that do not fit become generated ones.
void set_per_column(Case& c, std::size_t position, bool per_column);

}  // namespace cellproof::axes_detail
