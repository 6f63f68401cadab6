#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "spec/problem.hpp"

namespace cellproof::corpus {

/// A file that cannot be read as what it should be: "WHERE: what, what was expected".
class CorpusError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The lowest opset of the operator's domain that means this version (its since_version), and the lowest IR version that
/// allows the model (bfloat16 and old opsets included).
int lowest_opset(OperatorVersion version);

/// The problem as a serialised ModelProto with one node: initializers inside, graph inputs and outputs named as the formal
/// names of the operator ("X", "Y_h"), with types and full shapes.
std::string to_model(const Problem& problem);

/// A model read back: exactly one recurrent node (with initializers, Constant nodes and graph inputs) or CorpusError by name.
/// Graph inputs come back as Given inputs without a tensor; bind_inputs sets them.
struct ModelNode {
  Problem problem;
  std::string node_name;
  int opset = 0;                            ///< imported for the operator's domain
  std::vector<std::string> graph_inputs;    ///< in the graph's order
  std::vector<std::string> graph_outputs;   ///< in the graph's order
  std::vector<std::size_t> input_positions; ///< node position that graph_inputs[i] feeds
  std::vector<std::size_t> output_positions;///< node output position that graph_outputs[i] is
};

/// `directory`: where external data may lie (never outside it); empty forbids external data.
ModelNode from_model(std::string_view serialized, const std::string& where, const std::string& directory = {});

/// TensorProto to and from Tensor: raw and typed fields, all eight element types, external data only inside `directory`.
std::string to_tensor_proto(const Tensor& tensor, std::string_view name);
Tensor from_tensor_proto(std::string_view serialized, const std::string& where, const std::string& directory = {});

}  // namespace cellproof::corpus
