#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/scaled.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> power_of_two(const Problem& problem) {
  if (!is_rnn_of(problem, {"Relu"}) || problem.attributes.clip) return std::nullopt;
  const Node left(problem);
  return compare(
      left, scaled(left, 2), [](const At& at) { return std::optional(at); }, 0.5);
}

}  // namespace cellproof::fuzz::law
