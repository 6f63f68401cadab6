#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz {

Node with_rows(const Node& node, const std::vector<std::int64_t>& rows) {
  const auto [T, N, I, H, D] = node.sizes();
  const auto count = static_cast<std::int64_t>(rows.size());
  Node result = node;
  result.set(input::X, node.tensor(node.x_shape(T, count, I)));
  for (const std::size_t position : {input::initial_h, input::initial_c}) {
    if (node.has(position)) result.set(position, node.tensor(node.state_shape(count)));
  }
  std::vector<std::int64_t> lengths;
  for (std::int64_t to = 0; to < count; ++to) {
    const std::int64_t from = rows[static_cast<std::size_t>(to)];
    lengths.push_back(node.lengths()[static_cast<std::size_t>(from)]);
    for (std::int64_t t = 0; t < T; ++t) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(node.input(input::X), node.x_at(t, from, i), result.mutable_input(input::X),
                     result.x_at(t, to, i));
    }
    for (const std::size_t position : {input::initial_h, input::initial_c}) {
      if (!node.has(position)) continue;
      for (std::int64_t d = 0; d < D; ++d) {
        for (std::int64_t j = 0; j < H; ++j)
          copy_element(node.input(position), node.state_at(d, from, j), result.mutable_input(position),
                       result.state_at(d, to, j));
      }
    }
  }
  if (node.has(input::sequence_lens)) result.set_lengths(lengths);
  return result;
}

}  // namespace cellproof::fuzz
