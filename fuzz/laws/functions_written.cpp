#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> functions_written(const Problem& problem) {
  if (problem.attributes.activations) return std::nullopt;
  const Node left(problem);
  Node right(problem);
  std::vector<std::string>& names = right.problem().attributes.activations.emplace();
  for (std::int64_t d = 0; d < left.sizes().D; ++d) {
    for (const std::string_view name : rules_of(problem.version).default_activations) names.emplace_back(name);
  }
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
