#pragma once

#include <string>
#include <string_view>

#include "spec/finding.hpp"

namespace cellproof::reports {

/// The record schema: a Finding as one JSON object without line breaks, and back. finding_from_json(to_json(f)) is f,
/// every double to the last bit. Throws std::invalid_argument for anything else.
std::string to_json(const Finding& finding);
Finding finding_from_json(std::string_view text);

}  // namespace cellproof::reports
