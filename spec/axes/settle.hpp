#pragma once

#include <string_view>

#include "spec/case.hpp"

namespace cellproof::axes_detail {

/// Brings what depends on sizes, types, direction and functions back in line after a change of `before` to `after`:
/// hidden_size, the lists of functions and their values, per-column quantisation parameters, lengths, literal tensors.
/// Only what was in line before is brought back; what was invalid stays as it is, and so does what `axis` itself has
/// set.
Case settle(const Case& before, Case after, std::string_view axis);

}  // namespace cellproof::axes_detail
