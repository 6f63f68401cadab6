#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> full_lengths(const Problem& problem) {
  Node left(problem);
  left.set_lengths(std::vector<std::int64_t>(static_cast<std::size_t>(left.sizes().N), left.sizes().T));
  Node right(problem);
  right.remove(input::sequence_lens);
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
