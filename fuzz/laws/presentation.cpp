#include <cstddef>
#include <optional>
#include <vector>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz {
namespace {

/// One of the presentations beside the usual one: which, the sizes say, so that all of them have their turn.
Presentation another(const Dimensions& sizes) {
  const auto dims = all_dims().subspan(1);
  const auto nestings = all_nestings().subspan(1);
  const auto sum = static_cast<std::size_t>(sizes.T + sizes.N + sizes.I + sizes.H + sizes.D);
  const std::size_t which = sum % (dims.size() + nestings.size() + 1);
  if (which < dims.size()) return {.dims = dims[which]};
  if (which == dims.size() + nestings.size()) return {.weights = Weights::Computed};
  return {.nesting = nestings[which - dims.size()]};
}

/// Any problem. It is compared with the usual presentation; where it has that itself, with another one.
std::optional<Experiment> presentation(const Problem& problem) {
  const Node left(problem);
  Node right(problem);
  Presentation& changed = right.problem().presentation;
  changed = changed == Presentation{} ? another(left.sizes()) : Presentation{};
  return compare(left, right);
}

}  // namespace

std::span<const Law> presentation_laws() {
  static const std::vector<Law> list = {
      {.id = "presentation",
       .what = "outputs do not depend on how the node is put before the engine",
       .experiment = presentation,
       .about = {"dims=TN lengths=ragged", "nesting=nested-if weights=computed"}},
  };
  return list;
}

}  // namespace cellproof::fuzz
