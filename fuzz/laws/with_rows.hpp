#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz {

/// The node with these rows of the batch, in this order; one may stand there more than once.
Node with_rows(const Node& node, const std::vector<std::int64_t>& rows);

}  // namespace cellproof::fuzz
