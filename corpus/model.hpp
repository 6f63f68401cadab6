#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spec/problem.hpp"

namespace cellproof::corpus {

/// A file that cannot be read as what it should be: "WHERE: what, expected what".
class CorpusError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The newest opset of the standard domain that the pinned ONNX knows; models may import no newer one.
inline constexpr int newest_opset = 28;

/// The lowest opset of the operator's domain that means this version: its since_version.
int lowest_opset(OperatorVersion version);

/// The problem as a serialised ModelProto with one recurrent node, in the graph that the presentation says:
/// initializers inside, graph inputs and outputs named as the formal names of the operator ("X", "Y_h"), with types and
/// with shapes as the presentation says. Inputs beyond the operator's list are "input_K". The problem may be invalid;
/// output shapes that cannot be told are left open then. Throws std::invalid_argument for a Given input without a
/// tensor.
std::string to_model(const Problem& problem);

/// Declaration of a graph input. A dimension that is a symbol or missing is nullopt.
struct DeclaredInput {
  ElementType type = ElementType::Float;
  std::optional<std::vector<std::optional<std::int64_t>>> shape;
};

/// A model read back: exactly one recurrent node, in the graph or where to_model puts it otherwise (with initializers,
/// Constant nodes and graph inputs) or CorpusError by name. Graph inputs come back as Given inputs without a tensor;
/// bind_inputs sets them. Graph inputs that have an initializer (all of them have in IR versions before 4) come back as
/// initializers. A node output that is not a graph output is Empty: nobody can see it. The presentation is the one by
/// which to_model writes such declarations, or the nearest.
struct ModelNode {
  Problem problem;
  std::string node_name;
  int opset = 0;                             ///< imported for the operator's domain
  std::vector<std::string> graph_inputs;     ///< in the graph's order, those with an initializer left out
  std::vector<std::string> graph_outputs;    ///< in the graph's order
  std::vector<std::size_t> input_positions;  ///< node position that graph_inputs[i] feeds first
  /// Node positions that a graph input feeds besides its first: {position, first position}.
  std::vector<std::pair<std::size_t, std::size_t>> tied_positions;
  std::vector<std::size_t> output_positions;   ///< node output position that graph_outputs[i] is
  std::vector<DeclaredInput> declared_inputs;  ///< by graph_inputs
};

/// `directory`: where external data may lie (never outside it); empty forbids external data.
ModelNode from_model(std::string_view serialized, const std::string& where, const std::string& directory = {});

/// The problem with its graph inputs set, `tensors` in the order of graph_inputs. Throws CorpusError when their number,
/// or the type or shape of one of them, is not what the graph declares.
Problem bind_inputs(const ModelNode& model, std::vector<Tensor> tensors, const std::string& where);

/// TensorProto to and from Tensor: raw and typed fields, all eight element types, external data only inside
/// `directory`.
std::string to_tensor_proto(const Tensor& tensor, std::string_view name);
Tensor from_tensor_proto(std::string_view serialized, const std::string& where, const std::string& directory = {});

}  // namespace cellproof::corpus
