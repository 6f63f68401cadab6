#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "fuzz/laws/scaled.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> odd_function(const Problem& problem) {
  if (!is_rnn_of(problem, {"Tanh", "Softsign"})) return std::nullopt;
  const Node left(problem);
  return compare(
      left, scaled(left, -1), [](const At& at) { return std::optional(at); }, -1);
}

}  // namespace cellproof::fuzz::law
