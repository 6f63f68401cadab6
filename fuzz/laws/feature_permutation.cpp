#include <cstdint>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> feature_permutation(const Problem& problem) {
  const Node left(problem);
  const std::int64_t I = left.sizes().I;
  if (I < 2) return std::nullopt;
  Node right(problem);
  for (const std::size_t position : {input::X, input::W}) {
    const Tensor& from = left.input(position);
    for (std::int64_t k = 0; k < static_cast<std::int64_t>(from.size()); ++k) {
      copy_element(from, static_cast<std::size_t>(k), right.mutable_input(position),
                   static_cast<std::size_t>(k - k % I + (k % I + 1) % I));
    }
  }
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
