#pragma once

#include <span>

#include "optimized/cudnn/node.hpp"

namespace cellproof::cudnn {

/// Ground of a capability answer.
struct Question {
  const Node& node;
  cellproof_cudnn_math math;
  std::size_t version;  ///< cudnnGetVersion()
};

/// Throws Failure (NOT_SUPPORTED, with the reason of the first limit that applies) for a node that cuDNN cannot
/// express. A P that comes with the run is looked at there.
void check_capability(const Question& question);

/// Is every element +0 or -0? Such a P equals none at all. Throws Failure (NOT_SUPPORTED) where one is not.
void check_peepholes(const cellproof_tensor& p, const void* data);

std::span<const cellproof_cudnn_limit> limits();

}  // namespace cellproof::cudnn
