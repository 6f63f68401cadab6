#pragma once

#include <string>

#include "spec/coverage.hpp"

namespace cellproof::reports::html {

/// A drawing of the pairs, axis by axis: below the diagonal how many of two axes' pairs passed, above it how many fail.
std::string coverage_map(const Coverage& coverage);

}  // namespace cellproof::reports::html
