#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/model.hpp"

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

/// A recurrent node with its inputs bound, and what was seen of its outputs.
struct SeenNode {
  Problem problem;
  Outputs outputs;
  int opset = 0;
};

/// A model in which one recurrent node stands among others, as exporters write it: `Transpose` before and behind it,
/// states made of the size of the batch, `Squeeze`. What the node takes follows from the graph inputs, and what it gave
/// from the graph outputs, without running anything, where the nodes in between compute nothing: they move elements, or
/// their numbers are known at the start.
class NodeAmongMoves {
 public:
  /// nullopt for a model whose graph holds one recurrent node and Constant nodes alone, or not exactly one recurrent
  /// node: from_model reads that or says what it lacks. Throws CorpusError.
  static std::optional<NodeAmongMoves> read(std::string_view serialized, const std::string& where,
                                            const std::string& directory);

  /// Those without an initializer, in the graph's order.
  const std::vector<std::string>& graph_inputs() const { return graph_inputs_; }
  const std::vector<std::string>& graph_outputs() const { return graph_outputs_; }

  /// The node in one run. `inputs`, `outputs`: in the order of the graph; an output that nobody saw is nullopt, and one
  /// that is computed from the node's is no help. Of Y the last step of each direction is enough, where no row ends
  /// before: it is Y_h. Throws CorpusError where an input of the node, or too much of its outputs, cannot be told.
  SeenNode seen(const std::vector<Tensor>& inputs, const Outputs& outputs, const std::string& where) const;

 private:
  NodeAmongMoves(std::shared_ptr<const onnx::ModelProto> model, std::string where, std::string directory);

  std::shared_ptr<const onnx::ModelProto> model_;
  std::string where_, directory_;
  std::vector<std::string> graph_inputs_, graph_outputs_;
  std::vector<DeclaredInput> declared_;  ///< by graph_inputs_
};

}  // namespace cellproof::corpus
