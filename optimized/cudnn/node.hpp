#pragma once

#include <cstdint>

#include "optimized/cudnn/cellproof_cudnn.h"
#include "optimized/node/node.hpp"

namespace cellproof::cudnn {

using node::element_count;
using node::Failure;
using node::Function;
using node::Node;
using node::size_of;

/// Inputs that a layer of cuDNN has at most: those of LSTM.
inline constexpr std::size_t layer_inputs = CELLPROOF_P + 1;

/// A node's sizes as cuDNN counts them, with a sign.
struct Sizes {
  std::int64_t T;  ///< steps
  std::int64_t N;  ///< batch
  std::int64_t I;  ///< input size
  std::int64_t H;  ///< hidden size
  std::int64_t D;  ///< directions
};

inline Sizes sizes_of(const Node& node) {
  const auto count = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  return {count(node.size.T), count(node.size.N), count(node.size.I), count(node.size.H), count(node.size.D)};
}

}  // namespace cellproof::cudnn
