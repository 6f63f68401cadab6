#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> row_repeated(const Problem& problem) {
  const Node left(problem);
  const std::int64_t N = left.sizes().N;
  if (N < 1) return std::nullopt;
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n <= N; ++n) rows.push_back(n % N);
  return compare(left, with_rows(left, rows), [N](At at) {
    if (at.n == 0) at.n = N;
    return std::optional(at);
  });
}

}  // namespace cellproof::fuzz::law
