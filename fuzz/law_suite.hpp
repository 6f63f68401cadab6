#pragma once

#include <cstddef>
#include <vector>

#include "corpus/suite.hpp"

namespace cellproof::fuzz {

/// For each law and each operator of which it speaks up to `each` cases of which it says something, named
/// LAW/VERSION/NUMBER, sorted by law, operator and number: of a pool that is the same each time those that spread
/// farthest over the versions and the axis values that the law leaves open. Whether it speaks of a case is decided by
/// its precondition and by the bounds that are known, so that every case of it is tried on an engine that runs it.
std::vector<corpus::SuiteCase> law_cases(std::size_t each);

}  // namespace cellproof::fuzz
