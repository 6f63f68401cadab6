#pragma once

#include <cstdint>
#include <vector>

#include "optimized/cuda/node.hpp"

namespace cellproof::cuda {

/// Which rows each step computes, for one set of sequence lengths. Sequences are ranked from the longest to the
/// shortest (equal ones by batch index), so that those that still run are always the first ranks and padding is no row
/// at all. Row `first_row[s] + rank` is what sequence `rank` does as its step number s; in the reverse direction that
/// is input time length - 1 - s.
class Schedule {
 public:
  /// `lengths`: by batch index, within [0, T]; nullptr: all are T.
  Schedule(const Node& node, const std::int32_t* lengths);

  Index steps() const { return static_cast<Index>(first_row_.size()) - 1; }
  Index rows() const { return first_row_.back(); }
  /// The first row of step s; of steps(): rows().
  Index first_row(Index s) const { return first_row_[static_cast<std::size_t>(s)]; }
  Index running(Index s) const { return first_row(s + 1) - first_row(s); }
  /// By rank.
  const std::vector<Index>& lengths() const { return lengths_; }
  const std::vector<Index>& first_rows() const { return first_row_; }

  /// Do the rows of X lie one behind the other, as the steps take them?
  bool takes_x_in_order(Index direction) const;
  /// By row: where its input begins in X, where its output begins in Y. In elements.
  std::vector<Index> in_x(Index direction) const;
  std::vector<Index> in_y(Index direction) const;
  /// By rank: where its state begins in initial_h, Y_h and the like.
  std::vector<Index> in_state(Index direction) const;

 private:
  template <class Place>
  std::vector<Index> by_row(Index direction, Place place) const;

  const Node& node_;
  std::vector<Index> order_;      ///< batch index by rank
  std::vector<Index> lengths_;    ///< by rank
  std::vector<Index> first_row_;  ///< by step, and one more
};

}  // namespace cellproof::cuda
