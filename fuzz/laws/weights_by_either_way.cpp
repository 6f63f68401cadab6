#include <optional>

#include "fuzz/laws/laws.hpp"
#include "fuzz/laws/node.hpp"

namespace cellproof::fuzz::law {

std::optional<Experiment> weights_by_either_way(const Problem& problem) {
  const Node left(problem);
  Node right(problem);
  for (const std::size_t position : {input::W, input::R, input::B}) {
    Source& source = right.problem().inputs[position].source;
    source = source == Source::Initializer ? Source::GraphInput : Source::Initializer;
  }
  return compare(left, right);
}

}  // namespace cellproof::fuzz::law
