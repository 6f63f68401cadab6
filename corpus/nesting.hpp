#pragma once

#include <vector>

#include "spec/presentation.hpp"
#include "spec/tensor.hpp"

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

/// Moves the model's last node, which is its recurrent one, to where it is to stand. Its inputs stay in the graph
/// around it. `shapes`: of the graph's outputs. The condition of an If is a size of X that is never 0, so that it is
/// known at the start only where that is. The other branch gives zeros.
void nest_node(onnx::ModelProto& model, Nesting nesting, const std::vector<Shape>& shapes);

/// Moves the node back where nest_node put it, and says where that was; leaves any other model as it is.
Nesting unnest_node(onnx::ModelProto& model);

}  // namespace cellproof::corpus
