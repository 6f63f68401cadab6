#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> ragged_is_dense(const Problem& problem) {
  const Node left(problem);
  const auto [T, N, I, H, D] = left.sizes();
  const std::vector<std::int64_t> lengths = left.lengths();
  for (std::int64_t row = 0; row < N; ++row) {
    const std::int64_t length = lengths[static_cast<std::size_t>(row)];
    if (length == 0 || length == T) continue;
    Node right = with_rows(left, {row});
    right.remove(input::sequence_lens);
    right.set(input::X, left.tensor(left.x_shape(length, 1, I)));
    for (std::int64_t t = 0; t < length; ++t) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(left.input(input::X), left.x_at(t, row, i), right.mutable_input(input::X), right.x_at(t, 0, i));
    }
    return compare(left, right, [row](At at) {
      const bool is_it = at.n == row;
      at.n = 0;
      return is_it ? std::optional(at) : std::nullopt;
    });
  }
  return std::nullopt;
}

}  // namespace cellproof::fuzz::law
