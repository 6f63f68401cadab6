#pragma once

#include <optional>

#include "spec/operator.hpp"

namespace onnx {
class NodeProto;
}

namespace cellproof::corpus {

/// The recurrent operator that a node is of, by type and domain.
std::optional<Operator> recurrent_operator(const onnx::NodeProto& node);

}  // namespace cellproof::corpus
