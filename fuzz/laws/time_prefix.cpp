#include <cstdint>
#include <optional>
#include <utility>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> time_prefix(const Problem& problem) {
  if (problem.version.since_version < 7) return std::nullopt;  // there Y alone is not always to be had
  const Node left(problem);
  const auto [T, N, I, H, D] = left.sizes();
  if (left.direction() != Direction::Forward || T < 2 || left.has(input::sequence_lens)) return std::nullopt;
  Node right(problem);
  Tensor x = left.tensor(left.x_shape(T - 1, N, I));
  right.set(input::X, std::move(x));
  for (std::int64_t t = 0; t + 1 < T; ++t) {
    for (std::int64_t n = 0; n < N; ++n) {
      for (std::int64_t i = 0; i < I; ++i)
        copy_element(left.input(input::X), left.x_at(t, n, i), right.mutable_input(input::X), right.x_at(t, n, i));
    }
  }
  right.problem().outputs = {Presence::Given};
  return compare(left, right, [T](const At& at) { return at.t + 1 < T ? std::optional(at) : std::nullopt; });
}

}  // namespace cellproof::fuzz::law
