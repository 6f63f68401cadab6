#include "optimized/cuda/schedule.hpp"

#include <algorithm>
#include <numeric>

namespace cellproof::cuda {

Schedule::Schedule(const Node& node, const std::int32_t* lengths)
    : node_(node), order_(static_cast<std::size_t>(node.geometry.N)) {
  const auto length_of = [&](Index n) { return lengths == nullptr ? node.geometry.T : Index{lengths[n]}; };
  std::iota(order_.begin(), order_.end(), Index{0});
  std::sort(order_.begin(), order_.end(),
            [&](Index a, Index b) { return length_of(a) != length_of(b) ? length_of(a) > length_of(b) : a < b; });
  for (const Index n : order_) lengths_.push_back(length_of(n));
  const Index longest = lengths_.empty() ? 0 : lengths_.front();
  first_row_.push_back(0);
  auto running = static_cast<Index>(lengths_.size());
  for (Index s = 0; s < longest; ++s) {
    while (lengths_[static_cast<std::size_t>(running - 1)] <= s) --running;
    first_row_.push_back(first_row_.back() + running);
  }
}

template <class Place>
std::vector<Index> Schedule::by_row(Index direction, Place place) const {
  std::vector<Index> result;
  result.reserve(static_cast<std::size_t>(rows()));
  const bool reversed = node_.reversed.at(static_cast<std::size_t>(direction));
  for (Index s = 0; s < steps(); ++s)
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(running(s)); ++rank)
      result.push_back(place(reversed ? lengths_[rank] - 1 - s : s, order_[rank]));
  return result;
}

bool Schedule::takes_x_in_order(Index direction) const {
  const auto& g = node_.geometry;
  const bool is_full = rows() == g.T * g.N, has_one_order = !g.batch_first || g.T == 1 || g.N == 1;
  return is_full && has_one_order && (g.T == 1 || !node_.reversed.at(static_cast<std::size_t>(direction)));
}

std::vector<Index> Schedule::in_x(Index direction) const {
  return by_row(direction, [&](Index t, Index n) { return node_.geometry.in_x(t, n); });
}

std::vector<Index> Schedule::in_y(Index direction) const {
  return by_row(direction, [&](Index t, Index n) { return node_.geometry.in_y(t, direction, n); });
}

std::vector<Index> Schedule::in_state(Index direction) const {
  std::vector<Index> result;
  for (const Index n : order_) result.push_back(node_.geometry.in_state(direction, n));
  return result;
}

}  // namespace cellproof::cuda
