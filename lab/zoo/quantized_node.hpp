#pragma once

#include <cstddef>
#include <vector>

#include "fuzz/guided/resolved_node.hpp"

namespace cellproof::lab::zoo {

/// One matrix of DynamicQuantizeLSTM in one direction: stored codes by [column][row], and what turns them into numbers.
/// A row is gate * H + unit.
struct QuantizedMatrix {
  std::size_t columns = 0, rows = 0;
  std::vector<int> codes;  ///< [column][row] as the tensor holds them
  bool codes_are_signed = false;
  std::vector<float> scales;            ///< [rows]
  std::vector<int> zero_points;         ///< [rows]
  bool only_scales_are_by_row = false;  ///< a zero point is of the whole matrix
};

struct QuantizedDirection {
  QuantizedMatrix W, R;
};

/// A node of DynamicQuantizeLSTM: what is the same as in LSTM, and the matrices. `lstm` has no W and R.
struct QuantizedNode {
  fuzz::ResolvedNode lstm;
  std::vector<QuantizedDirection> directions;
  bool Y_is_asked_for = false;
};

/// Throws std::invalid_argument for another operator and for activations that cannot be resolved.
QuantizedNode resolve_quantized(const Problem& problem);

}  // namespace cellproof::lab::zoo
