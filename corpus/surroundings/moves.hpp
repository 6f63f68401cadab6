#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus/surroundings/operand.hpp"

namespace onnx {
class NodeProto;
}

namespace cellproof::corpus {

/// A tensor whose elements are elements of a node's inputs.
struct Move {
  Shape shape;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> from;  ///< by element: input of the node, element of it
};

/// Inputs of a node by position; nullptr where one is not given.
using Operands = std::vector<const Operand*>;

/// The outputs of a node that only moves elements (Identity, Dropout, Squeeze, Unsqueeze, Flatten, Reshape, Transpose,
/// Slice, Split, Concat, Expand, Gather), by position; nullopt for a node of any other operator. Throws CorpusError for
/// one that its inputs do not fit, or whose axes, shapes or indices are not known.
std::optional<std::vector<Move>> moves_of(const onnx::NodeProto& node, const Operands& inputs,
                                          const std::string& where);

}  // namespace cellproof::corpus
