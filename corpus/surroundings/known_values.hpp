#pragma once

#include <optional>
#include <string>

#include "corpus/surroundings/moves.hpp"

namespace cellproof::corpus {

/// The output of a Constant, ConstantOfShape, Shape, Cast, QuantizeLinear or DequantizeLinear node, each number as the
/// operator's page says, rounded once; nullopt for a node of any other operator, and for one that would need the value
/// of a tensor that is not known, or take a type or an attribute that is not treated here. Throws CorpusError for a
/// malformed one, and for a number that honest arithmetic takes to several codes.
std::optional<Tensor> known_value_of(const onnx::NodeProto& node, const Operands& inputs, const std::string& where,
                                     const std::string& directory);

}  // namespace cellproof::corpus
