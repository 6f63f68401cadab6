#pragma once

#include "optimized/cuda/cell.hpp"
#include "optimized/cuda/cellproof_cuda.h"
#include "optimized/cuda/elements.hpp"
#include "optimized/node/node.hpp"

namespace cellproof::cuda {

using node::element_count;
using node::size_of;

/// Steps, batch, input size, hidden size, directions, gates; and where a row of a tensor begins, in elements.
struct Geometry {
  Index T = 0, N = 0, I = 0, H = 0, D = 1, G = 1;
  bool batch_first = false;  ///< layout 1

  Index in_x(Index t, Index n) const { return (batch_first ? n * T + t : t * N + n) * I; }
  Index in_y(Index t, Index d, Index n) const { return (batch_first ? (n * T + t) * D + d : (t * D + d) * N + n) * H; }
  Index in_state(Index d, Index n) const { return (batch_first ? n * D + d : d * N + n) * H; }
};

/// A valid node as kernels count and load it.
struct Node : node::Node {
  Storage storage = Storage::Float;  ///< of X, of the floating-point inputs and of the outputs
  Geometry geometry;
};

/// Throws node::Invalid, and std::bad_alloc for sizes whose indices would overflow.
Node checked(const cellproof_node& node);

}  // namespace cellproof::cuda
