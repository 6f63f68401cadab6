#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> batch_permutation(const Problem& problem) {
  const Node left(problem);
  const std::int64_t N = left.sizes().N;
  if (N < 2) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n < N; ++n) rows.push_back((n + 1) % N);
  return compare(left, with_rows(left, rows), [N](At at) {
    at.n = (at.n + N - 1) % N;
    return std::optional(at);
  });
}

}  // namespace cellproof::fuzz::law
