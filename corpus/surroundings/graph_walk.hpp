#pragma once

#include <map>
#include <string>
#include <vector>

#include "corpus/model.hpp"
#include "corpus/surroundings/moves.hpp"
#include "spec/joined_node.hpp"
#include "spec/problem.hpp"

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

/// Follows the tensors of a graph with recurrent nodes, node by node.
class GraphWalk {
 public:
  /// All three must outlive the walk.
  GraphWalk(const onnx::ModelProto& model, const std::string& where, const std::string& directory)
      : model_(model), where_(where), directory_(directory) {}

  /// An initializer or a graph input. Throws CorpusError for a name that is taken.
  void begin_with(const std::string& name, Tensor value, bool is_input);
  /// Throws CorpusError where an input of a recurrent node cannot be told, or one but X is another's output.
  void run();

  /// A tensor of the graph. Throws CorpusError for one that is not there.
  const Operand& value(const std::string& name) const;
  /// The recurrent nodes with their inputs bound, no outputs asked for, in the graph's order.
  const std::vector<JoinedNode>& nodes() const { return nodes_; }
  /// Shapes of all outputs that a node's operator has.
  std::vector<Shape> output_shapes(std::size_t node) const;
  /// The same node with some outputs asked for, by position.
  Problem problem_with(std::size_t node, const std::vector<bool>& asked) const;

 private:
  void define(const std::string& name, Operand operand);
  Operands operands_of(const onnx::NodeProto& node) const;
  void meet(const onnx::NodeProto& node);
  void meet_recurrent(const onnx::NodeProto& node);
  Tensor stand_in_for_X(const onnx::NodeProto& node, JoinedNode& joined) const;
  ModelNode read_alone(const onnx::NodeProto& node, const std::vector<bool>& asked, const Tensor& X) const;
  std::vector<Operand> results_of(const onnx::NodeProto& node, const Operands& operands) const;
  Operand moved(const Move& move, const Operands& operands) const;

  const onnx::ModelProto& model_;
  const std::string& where_;
  const std::string& directory_;
  std::map<std::string, Operand> values_;
  std::vector<const onnx::NodeProto*> protos_;  ///< of the recurrent nodes
  std::vector<JoinedNode> nodes_;
};

}  // namespace cellproof::corpus
