#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/joined_node.hpp"
#include "spec/tensor.hpp"

namespace cellproof::corpus {

/// A tensor of a graph around recurrent nodes: its numbers are known before the nodes run, or each is an element that
/// one of the nodes gives, or nothing can be told of it.
struct Operand {
  Shape shape;
  std::optional<Tensor> known;
  std::vector<NodeElement> origins;  ///< by element, where not known
  std::string trouble;               ///< the node that makes it, where nothing can be told
  bool depends_on_inputs = false;

  bool is_told() const { return trouble.empty(); }
};

}  // namespace cellproof::corpus
