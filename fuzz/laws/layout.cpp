#include <cstdint>
#include <optional>
#include <utility>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> layout(const Problem& problem) {
  if (problem.version.since_version < 14) return std::nullopt;
  const Node left(problem);
  if (left.layout1()) return std::nullopt;
  Node right(problem);
  right.problem().attributes.layout = 1;
  const auto [T, N, I, H, D] = left.sizes();
  Tensor x = left.tensor({N, T, I});
  for (std::int64_t t = 0; t < T; ++t) {
    for (std::int64_t n = 0; n < N; ++n) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(left.input(input::X), left.x_at(t, n, i), x, static_cast<std::size_t>((n * T + t) * I + i));
    }
  }
  right.set(input::X, std::move(x));
  for (const std::size_t position : {input::initial_h, input::initial_c}) {
    if (!left.has(position)) continue;
    Tensor state = left.tensor({N, D, H});
    for (std::int64_t d = 0; d < D; ++d) {
      for (std::int64_t n = 0; n < N; ++n) {
        for (std::int64_t j = 0; j < H; ++j)
          copy_element(left.input(position), left.state_at(d, n, j), state, right.state_at(d, n, j));
      }
    }
    right.set(position, std::move(state));
  }
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
