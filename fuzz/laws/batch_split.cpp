#include <cstdint>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/with_rows.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> batch_split(const Problem& problem) {
  const Node left(problem);
  const std::int64_t last = left.sizes().N - 1;
  if (last < 1) return std::nullopt;
  return compare(left, with_rows(left, {last}), [last](At at) {
    const bool is_it = at.n == last;
    at.n = 0;
    return is_it ? std::optional(at) : std::nullopt;
  });
}

}  // namespace cellproof::fuzz::law
