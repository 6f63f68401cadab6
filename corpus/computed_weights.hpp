#pragma once

#include <string>

#include "spec/presentation.hpp"
#include "spec/tensor.hpp"

namespace onnx {
class GraphProto;
class ModelProto;
}  // namespace onnx

namespace cellproof::corpus {

/// Has each direction of the tensor, which its first axis counts, a place of its own? Then it can be computed.
bool can_be_computed(const Tensor& tensor);

/// Adds initializers for each direction, and the nodes that make the tensor `name` of them. `opset`: of ai.onnx.
void write_computed(const Tensor& tensor, const std::string& name, int opset, onnx::GraphProto& graph);

/// Takes such nodes out of the model's graph again, and puts initializers in their place. Changes nothing, and returns
/// Stored, where a graph holds any other node beside a recurrent one and Constant nodes. Throws CorpusError.
Weights store_computed(onnx::ModelProto& model, const std::string& where, const std::string& directory);

}  // namespace cellproof::corpus
