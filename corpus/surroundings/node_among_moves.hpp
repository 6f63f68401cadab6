#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/model.hpp"
#include "spec/joined_node.hpp"

namespace onnx {
class ModelProto;
}

namespace cellproof::corpus {

/// A model in which recurrent nodes stand among others, as exporters write it: `Transpose` before and behind them,
/// states made of the size of the batch, `Squeeze`. What the nodes take follows from the graph inputs, and what they
/// gave from the graph outputs, without running anything, where the nodes in between compute nothing: they move
/// elements, or their numbers are known at the start.
class NodesAmongMoves {
 public:
  /// nullopt for a model whose graph holds one recurrent node and Constant nodes alone, or no recurrent node:
  /// from_model reads that or says what it lacks. Throws CorpusError.
  static std::optional<NodesAmongMoves> read(std::string_view serialized, const std::string& where,
                                             const std::string& directory);

  /// Those without an initializer, in the graph's order.
  const std::vector<std::string>& graph_inputs() const { return graph_inputs_; }
  const std::vector<std::string>& graph_outputs() const { return graph_outputs_; }

  /// The recurrent nodes in one run, in the graph's order. `inputs`, `outputs`: in the order of the graph; an output
  /// that nobody saw is nullopt, and one that is computed from a node's is no help. Of Y the last step of each
  /// direction is enough, where no row ends before: it is Y_h. Throws CorpusError where an input of a node cannot be
  /// told, or nothing whole of any node's outputs.
  std::vector<JoinedNode> seen(const std::vector<Tensor>& inputs, const Outputs& outputs,
                               const std::string& where) const;

 private:
  NodesAmongMoves(std::shared_ptr<const onnx::ModelProto> model, std::string where, std::string directory);

  std::shared_ptr<const onnx::ModelProto> model_;
  std::string where_, directory_;
  std::vector<std::string> graph_inputs_, graph_outputs_;
  std::vector<DeclaredInput> declared_;  ///< by graph_inputs_
};

}  // namespace cellproof::corpus
