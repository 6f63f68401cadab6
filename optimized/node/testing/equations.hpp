#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "optimized/node/cellproof_node.h"

namespace cellproof::node::testing {

/// A node of LSTM, GRU or RNN with its numbers in ONNX's layout.
struct Numbers {
  cellproof_operator op = CELLPROOF_LSTM;
  std::int64_t T = 7, N = 4, I = 5, H = 6, D = 1;
  bool reverse = false, batch_first = false, linear_before_reset = false, input_forget = false;
  bool is_relu = false;  ///< RNN's function in place of tanh
  double clip = INFINITY;
  std::vector<std::int32_t> lengths = {};                      ///< empty: all of them T
  std::vector<double> X = {}, W = {}, R = {}, B = {}, P = {};  ///< B, P, h0, c0: empty where the node has none
  std::vector<double> h0 = {}, c0 = {};

  std::int64_t gates() const { return op == CELLPROOF_GRU ? 3 : op == CELLPROOF_RNN ? 1 : 4; }
};

struct Results {
  std::vector<double> Y, Y_h, Y_c;  ///< Y_c: empty but for LSTM
};

/// Computes the operators' equations as ONNX writes them with their default functions, sequence by sequence and unit by
/// unit in double. It knows no tile, panel or vector, and shares no index or gate with the libraries.
Results by_the_equations(const Numbers& numbers);

}  // namespace cellproof::node::testing
