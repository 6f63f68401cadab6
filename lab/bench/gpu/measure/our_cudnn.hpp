#pragma once

#include <memory>

#include "lab/bench/gpu/measure/subject.hpp"
#include "optimized/cudnn/cellproof_cudnn.h"

namespace cellproof::lab::bench::gpu {

struct CloseCudnn {
  void operator()(cellproof_cudnn_context* context) const { cellproof_cudnn_close(context); }
};
using CudnnContext = std::unique_ptr<cellproof_cudnn_context, CloseCudnn>;

/// FMA for float, tensor cores for 16 bits, all tensors on the device. Throws Unavailable where there is no cuDNN.
CudnnContext open_cudnn_for(const Row& row);

/// The row as a node of optimized/cudnn, its weights constant. `nearest`: GRU with linear_before_reset.
cellproof_node cudnn_node_of(const RowData& data, bool nearest);

}  // namespace cellproof::lab::bench::gpu
