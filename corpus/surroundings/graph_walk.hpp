#pragma once

#include <map>
#include <string>
#include <vector>

#include "corpus/surroundings/moves.hpp"
#include "spec/problem.hpp"

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

/// Follows the tensors of a graph with one recurrent node, node by node.
class GraphWalk {
 public:
  /// All three must outlive the walk.
  GraphWalk(const onnx::ModelProto& model, const std::string& where, const std::string& directory)
      : model_(model), where_(where), directory_(directory) {}

  /// An initializer or a graph input. Throws CorpusError for a name that is taken.
  void begin_with(const std::string& name, Tensor value, bool is_input);
  /// Throws CorpusError where an input of the recurrent node cannot be told.
  void run();

  /// A tensor of the graph. Throws CorpusError for one that is not there.
  const Operand& value(const std::string& name) const;
  /// The recurrent node with its inputs bound, no outputs asked for.
  const Problem& problem() const { return problem_; }
  /// Shapes of all outputs that its operator has.
  std::vector<Shape> output_shapes() const;
  /// The same node with some outputs asked for, by position, and the opset of its domain.
  Problem problem_with(const std::vector<bool>& asked, int& opset) const;

 private:
  void define(const std::string& name, Operand operand);
  Operands operands_of(const onnx::NodeProto& node) const;
  void meet(const onnx::NodeProto& node);
  void meet_recurrent(const onnx::NodeProto& node);
  std::vector<Operand> results_of(const onnx::NodeProto& node, const Operands& operands) const;
  Operand moved(const Move& move, const Operands& operands) const;

  const onnx::ModelProto& model_;
  const std::string& where_;
  const std::string& directory_;
  std::map<std::string, Operand> values_;
  const onnx::NodeProto* node_ = nullptr;
  Problem problem_;
};

}  // namespace cellproof::corpus
