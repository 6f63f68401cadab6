#pragma once

#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "spec/element_type.hpp"

namespace onnx {
class GraphProto;
class NodeProto;
class TensorProto;
class ValueInfoProto;
}  // namespace onnx

namespace cellproof::corpus {

/// The tensors that nodes of a graph can name: its own, and those of the graphs around it.
class GraphScope {
 public:
  /// Values of Constant nodes are put into `constants`. Graph and scope around it must outlive this object.
  GraphScope(const onnx::GraphProto& graph, const GraphScope* outer, std::list<onnx::TensorProto>& constants);

  /// A tensor that has its value in the model; nullptr for any other.
  const onnx::TensorProto* constant(const std::string& name) const;
  /// Is it the value of a Constant node?
  bool is_of_constant_node(const std::string& name) const;
  /// "initializer", "Unsqueeze of an initializer", "graph input x", "carried by a loop", "LSTM lstm_1".
  std::string origin_of(const std::string& name) const;
  /// Element type of a tensor, where the model says it or it follows through nodes that keep it.
  std::optional<ElementType> type_of(const std::string& name, int depth = 0) const;
  /// Does any node of the graph, or in a graph of it, or the graph itself, use the tensor?
  bool is_used(const std::string& name) const { return used_.contains(name); }
  /// The node that gives a tensor; nullptr for one of another kind.
  const onnx::NodeProto* producer(const std::string& name) const;

 private:
  const GraphScope* outer_;
  std::map<std::string, const onnx::TensorProto*> constants_;
  std::set<std::string> of_constant_nodes_;
  std::map<std::string, const onnx::NodeProto*> producers_;
  std::map<std::string, const onnx::ValueInfoProto*> infos_;
  std::set<std::string> inputs_, used_;
};

}  // namespace cellproof::corpus
