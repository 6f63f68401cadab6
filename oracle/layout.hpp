#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::oracle {

/// Places in a problem's tensors: the oracle's own index arithmetic (layout, directions, lengths).
struct Layout {
  std::int64_t T = 0, N = 0, I = 0, H = 0, D = 0;
  bool batchwise = false;             ///< layout 1
  std::vector<bool> reversed;         ///< by direction index
  std::vector<std::int64_t> lengths;  ///< by batch index
  bool reverse_takes_last = false;    ///< reversed rows lie at the end of T, their padding before them

  /// The input time index that row b processes as its step `rank` (0, 1, ... lengths[b] - 1).
  std::int64_t time(std::int64_t d, std::int64_t b, std::int64_t rank) const;
  /// The first time index of row b's padding, which has T - lengths[b] steps.
  std::int64_t padding_begin(std::int64_t d, std::int64_t b) const;
  /// Offset of X[t, b, 0], of Y[t, d, b, 0], and of a state's [d, b, 0]; the last coordinate is contiguous in every
  /// layout.
  std::size_t x_offset(std::int64_t t, std::int64_t b) const;
  std::size_t y_offset(std::int64_t t, std::int64_t d, std::int64_t b) const;
  std::size_t state_offset(std::int64_t d, std::int64_t b) const;
  Shape y_shape() const;
  Shape state_shape() const;
  /// Coordinates in the tensors as they are laid out.
  std::vector<std::int64_t> y_index(std::int64_t t, std::int64_t d, std::int64_t b, std::int64_t j) const;
  std::vector<std::int64_t> state_index(std::int64_t d, std::int64_t b, std::int64_t j) const;
  /// Multiplications by the weights that one direction of the operator takes for all steps: what time goes with.
  double products(Operator op) const;

  bool operator==(const Layout&) const = default;
};

Layout layout_of(const Problem& problem);

}  // namespace cellproof::oracle
