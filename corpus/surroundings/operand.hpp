#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/tensor.hpp"

namespace cellproof::corpus {

/// Element of an output of the recurrent node.
struct Origin {
  std::uint32_t output = 0;
  std::uint64_t element = 0;
};

/// A tensor of a graph around a recurrent node: its numbers are known before the node runs, or each is an element that
/// the node gives, or nothing can be told of it.
struct Operand {
  Shape shape;
  std::optional<Tensor> known;
  std::vector<Origin> origins;  ///< by element, where not known
  std::string trouble;          ///< the node that makes it, where nothing can be told
  bool depends_on_inputs = false;

  bool is_told() const { return trouble.empty(); }
};

}  // namespace cellproof::corpus
