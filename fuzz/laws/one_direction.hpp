#pragma once

#include <cstdint>

#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz {

/// One direction (0: forward, 1: reverse) of a bidirectional node as a node of its own.
Node one_direction(const Node& both, std::int64_t direction);

}  // namespace cellproof::fuzz
