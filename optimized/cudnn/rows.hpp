#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimized/cudnn/device_api.hpp"
#include "optimized/cudnn/node.hpp"

namespace cellproof::cudnn {

/// Finds rows (vectors of I or H elements) of X, Y and the states in ONNX's tensors and in cuDNN's. Both have
/// layout 0 and 1 as time-major and batch-major; cuDNN keeps the directions of Y innermost and those of the states
/// outermost in either.
struct Rows {
  Sizes size;
  bool batch_first;
  bool reverse;

  std::int64_t x(std::int64_t t, std::int64_t n) const { return batch_first ? n * size.T + t : t * size.N + n; }
  std::int64_t onnx_y(std::int64_t t, std::int64_t d, std::int64_t n) const {
    return batch_first ? (n * size.T + t) * size.D + d : (t * size.D + d) * size.N + n;
  }
  std::int64_t cudnn_y(std::int64_t t, std::int64_t d, std::int64_t n) const { return x(t, n) * size.D + d; }
  std::int64_t onnx_state(std::int64_t d, std::int64_t n) const {
    return batch_first ? n * size.D + d : d * size.N + n;
  }
  std::int64_t cudnn_state(std::int64_t d, std::int64_t n) const { return d * size.N + n; }

  /// Can cuDNN read X and write Y where they are?
  bool y_in_place() const { return !reverse && (batch_first || size.D == 1); }
  bool states_in_place() const { return !(batch_first && size.D == 2); }

  using Lengths = std::span<const std::int32_t>;
  /// From ONNX's X to one whose valid steps are in reverse order, sequence by sequence.
  std::vector<RowMove> flip_x(Lengths lengths) const;
  /// From cuDNN's Y to ONNX's: all of it, or, in place, only what cuDNN cannot leave as it must be.
  std::vector<RowMove> finish_y(Lengths lengths) const;
  /// From ONNX's states to cuDNN's.
  std::vector<RowMove> states_in() const;
  /// From cuDNN's states to ONNX's, for sequences that have a step.
  std::vector<RowMove> states_out(Lengths lengths) const;
  /// From initial states to final ones, both ONNX's, for sequences that have no step.
  std::vector<RowMove> states_kept(Lengths lengths, bool has_initial) const;
};

}  // namespace cellproof::cudnn
