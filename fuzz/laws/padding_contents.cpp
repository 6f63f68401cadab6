#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {
namespace {

/// The node with every number behind the end of a row replaced.
Node padded_with(double value, const Node& node) {
  Node result = node;
  const std::vector<std::int64_t> lengths = node.lengths();
  for (std::int64_t n = 0; n < node.sizes().N; ++n) {
    for (std::int64_t t = lengths[static_cast<std::size_t>(n)]; t < node.sizes().T; ++t) {
      for (std::int64_t i = 0; i < node.sizes().I; ++i)
        result.mutable_input(input::X).set_value(node.x_at(t, n, i), value);
    }
  }
  return result;
}

}  // namespace

std::optional<Experiment> padding_contents(const Problem& problem) {
  const Node left(problem);
  std::optional<Experiment> experiment;
  // A mask that is multiplied lets through what is not finite.
  for (const double value : {3.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const Node right = padded_with(value, left);
    if (right.problem() == left.problem()) continue;
    Experiment other = compare(left, right);
    if (!experiment) {
      experiment = std::move(other);
      continue;
    }
    for (Equation& equation : other.equations) {
      equation.right.run = experiment->problems.size();
      experiment->equations.push_back(equation);
    }
    experiment->problems.push_back(std::move(other.problems.back()));
  }
  if (experiment) experiment->bounded_by = written(left.problem());
  return experiment;
}

}  // namespace cellproof::fuzz::law
