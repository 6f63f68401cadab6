#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "optimized/cudnn/cellproof_cudnn.h"

namespace cellproof::cudnn::probe {

/// A node with its data in ONNX's layout, in double.
struct Sample {
  cellproof_operator op = CELLPROOF_LSTM;
  std::int64_t T = 7, N = 4, I = 5, H = 6, D = 1;
  bool reverse = false, batch_first = false, is_relu = false;
  std::vector<std::int32_t> lengths;       ///< empty: all of them T
  std::vector<double> X, W, R, B, h0, c0;  ///< B, h0, c0: empty where the node has none

  std::int64_t gates() const { return op == CELLPROOF_GRU ? 3 : op == CELLPROOF_RNN ? 1 : 4; }
};

/// Y, Y_h, Y_c by the operators' equations as ONNX writes them (GRU with linear_before_reset = 1), sequence by sequence
/// and unit by unit. It knows nothing of cuDNN, and shares no index or gate with the plan.
std::array<std::vector<double>, 3> by_the_equations(const Sample& sample);

}  // namespace cellproof::cudnn::probe
