#pragma once

#include "optimized/node/node.hpp"

namespace cellproof::cpu {

using node::Activation;
using node::element_count;
using node::Function;
using node::Node;
using node::size_of;

}  // namespace cellproof::cpu
