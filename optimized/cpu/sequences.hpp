#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

#include "optimized/cpu/elements.hpp"
#include "optimized/cpu/node.hpp"

namespace cellproof::cpu {

/// The sequences of a batch as the recurrence walks them: in rows from the longest to the shortest, so that the rows
/// that still run are always the first ones and padding is never computed. And where a row's elements are in the
/// tensors.
class Sequences {
 public:
  explicit Sequences(const Node& node) : node_(node), order_(node.size.N), lengths_(node.size.N) {}

  /// `lengths` by batch index, within [0, T]; nullptr: all are T. Allocates nothing.
  void set_lengths(const int* lengths) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (lengths)
      std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
        return lengths[a] != lengths[b] ? lengths[a] > lengths[b] : a < b;
      });
    for (std::size_t row = 0; row < order_.size(); ++row)
      lengths_[row] = lengths ? static_cast<std::size_t>(lengths[order_[row]]) : node_.size.T;
  }

  std::size_t length(std::size_t row) const { return lengths_[row]; }
  /// Counts the rows of [begin, end) that take this step: the first ones.
  std::size_t running(std::size_t step, std::size_t begin, std::size_t end) const {
    while (end > begin && lengths_[end - 1] <= step) --end;
    return end - begin;
  }
  /// The input time that a row processes as its step number `step`: the reverse direction starts at the row's own end.
  std::size_t time(std::size_t direction, std::size_t row, std::size_t step) const {
    return node_.reversed[direction] ? lengths_[row] - 1 - step : step;
  }

  /// The first row of a part, such that all parts have about as many steps to walk.
  std::size_t cut(std::size_t part, std::size_t parts) const {
    const std::size_t all = std::accumulate(lengths_.begin(), lengths_.end(), std::size_t{0});
    std::size_t sum = 0, row = 0;
    if (part == parts) return lengths_.size();
    while (row < lengths_.size() && (sum + lengths_[row] / 2) * parts < all * part) sum += lengths_[row++];
    return row;
  }

  /// Places of the first element of a row, in elements.
  std::size_t in_x(std::size_t row, std::size_t t) const {
    const auto& [T, N, I, H, D] = node_.size;
    return (node_.batch_first ? order_[row] * T + t : t * N + order_[row]) * I;
  }
  std::size_t in_y(std::size_t direction, std::size_t row, std::size_t t) const {
    const auto& [T, N, I, H, D] = node_.size;
    return (node_.batch_first ? (order_[row] * T + t) * D + direction : (t * D + direction) * N + order_[row]) * H;
  }
  std::size_t in_state(std::size_t direction, std::size_t row) const {
    const auto& [T, N, I, H, D] = node_.size;
    return (node_.batch_first ? order_[row] * D + direction : direction * N + order_[row]) * H;
  }

  /// Writes zeros where Y has no step of its sequence. Y: its data, of the node's type; nullptr: not wanted.
  void clear_padding(void* Y) const {
    if (!Y) return;
    const std::size_t bytes = size_of(node_.type);
    for (std::size_t row = 0; row < node_.size.N; ++row)
      for (std::size_t t = lengths_[row]; t < node_.size.T; ++t)
        for (std::size_t d = 0; d < node_.size.D; ++d)
          std::memset(static_cast<char*>(Y) + in_y(d, row, t) * bytes, 0, node_.size.H * bytes);
  }

 private:
  const Node& node_;
  std::vector<std::size_t> order_;    ///< batch index by row
  std::vector<std::size_t> lengths_;  ///< by row
};

}  // namespace cellproof::cpu
