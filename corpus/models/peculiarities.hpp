#pragma once

#include <string>
#include <vector>

namespace onnx {
class GraphProto;
}

namespace cellproof::corpus {

struct RecurrentNode;
class GraphScope;

/// Notes for a person: each way in which a node differs from a forward node with weights as initializers and Y used.
std::vector<std::string> peculiarities_of(const RecurrentNode& node, const GraphScope& scope);

/// The content of a loop without a recurrent operator: "no recurrent operator; 4 MatMul, 2 Sigmoid, 1 Tanh in its
/// body".
std::string loop_content(const onnx::GraphProto& body);

/// A sentence about a graph that looks like a recurrence written out step by step; "" for any other.
std::string unrolled_recurrence(const onnx::GraphProto& graph);

}  // namespace cellproof::corpus
