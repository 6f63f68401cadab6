#pragma once

#include <cstdint>
#include <vector>

#include "optimized/cudnn/node.hpp"

namespace cellproof::cudnn {

/// A part of ONNX's W, R or B that cuDNN keeps in one piece, in elements. Rows are output units in both, so that a gate
/// is copied as it is.
struct WeightBlock {
  std::size_t input;  ///< W, R or B
  std::int64_t from;  ///< in the input
  std::int64_t to;    ///< in cuDNN's weight space, as it was measured
  std::int64_t count;
  std::int32_t direction;  ///< cuDNN's pseudo-layer
  std::int32_t id;         ///< cuDNN's linLayerID
};

/// Lays out all weights of a node: the matrices of each direction, input before recurrent, then all biases. B takes
/// part where the node has one.
std::vector<WeightBlock> weight_blocks(const Node& node);

}  // namespace cellproof::cudnn
