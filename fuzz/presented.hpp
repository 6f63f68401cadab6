#pragma once

#include <cstdint>

#include "spec/case.hpp"

namespace cellproof::fuzz {

/// The case, one time in four put before the engine in another way (axes_of_presentation()): the same node, with the
/// same values. What it is, the seed and the number say.
Case presented(const Case& c, std::uint64_t seed, std::uint64_t number);

}  // namespace cellproof::fuzz
