#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/tensor.hpp"

namespace cellproof::campaign {

/// The outputs of one or more runs as bytes, the same to the last bit.
std::string to_bytes(const std::vector<const Outputs*>& runs);

/// Throws std::logic_error for anything else.
std::vector<Outputs> outputs_of_bytes(std::string_view bytes);

}  // namespace cellproof::campaign
