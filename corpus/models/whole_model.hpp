#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spec/element_type.hpp"
#include "spec/files/pieces.hpp"
#include "spec/problem.hpp"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace cellproof::corpus {

/// One size of a declared shape: a number, a symbol, or neither.
struct DeclaredSize {
  std::optional<std::int64_t> size;
  std::string symbol;
};

/// A graph input or output of a whole model.
struct DeclaredTensor {
  std::string name;
  std::optional<ElementType> type;  ///< nullopt: one that no recurrent operator has
  std::string type_name;            ///< "FLOAT", "STRING", "no tensor"
  std::optional<std::vector<DeclaredSize>> shape;
};
/// "x FLOAT [batch,?,3]"
std::string declaration_text(const DeclaredTensor& tensor);

/// One input or output of a recurrent node, and the way to its value.
struct NodeTensor {
  Presence presence = Presence::Absent;
  std::string name;                             ///< in the model
  std::string origin;                           ///< of an input: "initializer", "Unsqueeze of an initializer", ...
  const onnx::TensorProto* constant = nullptr;  ///< of an initializer or a Constant node
  Source source = Source::GraphInput;           ///< as the node alone would get it
  std::optional<std::size_t> tap;               ///< of any other: its place among the model's taps
  bool is_dequantised = false;                  ///< of an input: does DequantizeLinear give it?
  std::optional<std::size_t> unquantised_tap;   ///< of the same before QuantizeLinear, where the model has that
  bool used = true;                             ///< of an output: does anything in the model read it?
};

/// A recurrent node somewhere in a model.
struct RecurrentNode {
  std::string path;  ///< "encoder/lstm", "If_3.then/LSTM#2": names of the nodes around it, and its own
  OperatorVersion version;
  int opset = 0;  ///< imported for the operator's domain
  Attributes attributes;
  std::vector<NodeTensor> inputs, outputs;  ///< by position
  std::size_t loops = 0;                    ///< Loop and Scan nodes around it: dimensions in front of its taps
  std::optional<std::int64_t> input_size, hidden_size;
  std::vector<std::string> unusual;  ///< for a person: "initial_h and initial_c are one tensor"
};

/// A model with all that is recurrent in it, and a copy that gives each such node's inputs and outputs as outputs of
/// its own.
struct WholeModel {
  std::filesystem::path path;
  std::int64_t opset = 0;               ///< of ai.onnx; 0: not imported
  std::string producer;                 ///< "pytorch 2.3.0"
  std::vector<DeclaredTensor> inputs;   ///< those that have no initializer
  std::vector<DeclaredTensor> outputs;  ///< in the graph's order
  std::vector<RecurrentNode> nodes;     ///< in the graph's order
  /// Loops without a recurrent operator, and what looks like an unrolled recurrence, each in a sentence.
  std::vector<std::string> other_recurrences;
  Pieces unmodified;                               ///< the model as it is, serialised, its external data inside
  std::vector<std::string> taps;                   ///< names of the graph outputs that the copy has in addition
  std::shared_ptr<const onnx::ModelProto> tapped;  ///< large initializers as external data
  std::string directory;                           ///< of these
  std::shared_ptr<const void> constants;           ///< keeps values alive that nodes point to
};

/// Reads a model file; external data may lie inside its folder. Throws CorpusError.
WholeModel read_whole_model(const std::filesystem::path& file);

/// The tapped copy, serialised, all data inside. Throws CorpusError.
Pieces tapped_pieces(const WholeModel& model);

/// One call of a recurrent node: as often as a loop around it goes round, never where its branch is not taken.
struct NodeCall {
  Problem problem;
  Outputs outputs;
  Outputs unquantised;  ///< by input: its value before QuantizeLinear, where the model has that
};
/// Counts the calls of a node, from the values that a run gave to the model's taps. Throws CorpusError where the values
/// do not fit together.
std::size_t count_calls(const WholeModel& model, const RecurrentNode& node, const Outputs& tap_values);
/// Makes one of them, from 0 on: each has a copy of the weights. Throws as count_calls does.
NodeCall call_of(const WholeModel& model, const RecurrentNode& node, const Outputs& tap_values, std::size_t number);

}  // namespace cellproof::corpus
