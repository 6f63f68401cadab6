#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {
namespace {

/// What double computes of such numbers with functions that have limits stays far below the largest float.
constexpr double modest = 1e15;

bool is_modest(const Problem& problem) {
  for (const Input& in : problem.inputs) {
    for (std::size_t k = 0; in.tensor && k < in.tensor->size(); ++k) {
      if (!(std::abs(in.tensor->value(k)) < modest)) return false;
    }
  }
  return !problem.attributes.activations;
}

}  // namespace

std::optional<Experiment> clip_beyond_everything(const Problem& problem) {
  if (problem.attributes.clip) return std::nullopt;
  const Node left(problem);
  if (left.input(input::X).type() == ElementType::Double && !is_modest(problem)) return std::nullopt;
  Node right(problem);
  right.problem().attributes.clip = std::numeric_limits<float>::max();
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
