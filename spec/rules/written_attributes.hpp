#pragma once

#include <string_view>
#include <vector>

#include "spec/attributes.hpp"

namespace cellproof::rules {

/// The names of the known attributes that are written, in alphabetical order; `others` not among them.
std::vector<std::string_view> written_attributes(const Attributes& attributes);

/// Takes a known attribute out of the node, so that its default holds. Does nothing for an unknown name.
void erase_attribute(Attributes& attributes, std::string_view name);

}  // namespace cellproof::rules
