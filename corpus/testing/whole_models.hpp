#pragma once

#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "corpus/tensor_proto.hpp"
#include "spec/case.hpp"

/// Small models with recurrent nodes at every place that a model has. All take x, float [T,N,4], and give yh.
namespace cellproof::corpus::testing {

inline constexpr std::int64_t model_inputs = 4, model_hidden = 5;

inline Problem problem_in_models(Operator op) {
  return make_problem(plain_case({op, 14}, ElementType::Float, 3, 2, model_inputs, model_hidden));
}

inline onnx::NodeProto node_of(const char* type, std::vector<std::string> inputs, std::vector<std::string> outputs,
                               const char* name = "") {
  onnx::NodeProto node;
  node.set_op_type(type);
  node.set_name(name);
  for (auto& input : inputs) node.add_input(std::move(input));
  for (auto& output : outputs) node.add_output(std::move(output));
  return node;
}

inline onnx::AttributeProto& attribute_of(onnx::NodeProto& node, const char* name) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  return attribute;
}

inline void set_hidden_size(onnx::NodeProto& node) {
  auto& attribute = attribute_of(node, "hidden_size");
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(model_hidden);
}

inline void set_graph(onnx::NodeProto& node, const char* name, const onnx::GraphProto& graph) {
  auto& attribute = attribute_of(node, name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  *attribute.mutable_g() = graph;
}

inline onnx::NodeProto recurrent_node(Operator op, std::vector<std::string> inputs, std::vector<std::string> outputs,
                                      const char* name_of_node) {
  auto node = node_of(std::string(name(op)).c_str(), std::move(inputs), std::move(outputs), name_of_node);
  set_hidden_size(node);
  return node;
}

/// A dimension that is a number, or a symbol where it begins with a letter.
inline void declare(onnx::ValueInfoProto& info, const char* name, onnx::TensorProto::DataType type,
                    const std::vector<std::string>& dimensions) {
  info.set_name(name);
  auto& tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  auto& shape = *tensor.mutable_shape();
  for (const auto& dimension : dimensions) {
    auto& dim = *shape.add_dim();
    if (std::isdigit(static_cast<unsigned char>(dimension[0])) != 0)
      dim.set_dim_value(std::stoll(dimension));
    else
      dim.set_dim_param(dimension);
  }
}

inline void declare_output(onnx::GraphProto& graph, const char* name,
                           onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT) {
  graph.add_output()->set_name(name);
  graph.mutable_output(graph.output_size() - 1)->mutable_type()->mutable_tensor_type()->set_elem_type(type);
}

inline void add_weights(onnx::GraphProto& graph, Operator op, const std::string& suffix = "") {
  const Problem problem = problem_in_models(op);
  write_tensor(*problem.inputs[input::W].tensor, "W" + suffix, *graph.add_initializer());
  write_tensor(*problem.inputs[input::R].tensor, "R" + suffix, *graph.add_initializer());
}

inline void add_integer(onnx::GraphProto& graph, const char* name, std::int64_t value, bool is_list = false) {
  auto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  if (is_list) tensor.add_dims(1);
  tensor.add_int64_data(value);
}

/// A model with x and yh, and nothing between.
inline onnx::ModelProto empty_model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("test");
  model.add_opset_import()->set_version(14);
  auto& graph = *model.mutable_graph();
  graph.set_name("graph");
  declare(*graph.add_input(), "x", onnx::TensorProto::FLOAT, {"T", "N", "4"});
  declare_output(graph, "yh");
  return model;
}

/// One node that gives its last state alone.
inline onnx::ModelProto model_at_top(Operator op = Operator::LSTM) {
  auto model = empty_model();
  add_weights(*model.mutable_graph(), op);
  *model.mutable_graph()->add_node() = recurrent_node(op, {"x", "W", "R"}, {"", "yh"}, "cell");
  return model;
}

inline onnx::GraphProto branch(const std::string& suffix) {
  onnx::GraphProto graph;
  graph.set_name("branch" + suffix);
  add_weights(graph, Operator::LSTM, suffix);
  auto& weights = *graph.mutable_initializer(0);  // computed in the branch, as exporters of torch leave them
  weights.mutable_dims()->erase(weights.dims().begin());
  *graph.add_node() = node_of("Unsqueeze", {"W" + suffix, "axis"}, {"W3" + suffix});
  *graph.add_node() =
      recurrent_node(Operator::LSTM, {"x", "W3" + suffix, "R" + suffix}, {"", "h" + suffix}, ("cell" + suffix).c_str());
  declare_output(graph, ("h" + suffix).c_str());
  return graph;
}

/// A node in each branch of an If; the input `rate` chooses: 16000 or any other.
inline onnx::ModelProto model_with_if() {
  auto model = empty_model();
  auto& graph = *model.mutable_graph();
  declare(*graph.add_input(), "rate", onnx::TensorProto::INT64, {});
  add_integer(graph, "wide", 16000);
  add_integer(graph, "axis", 0, true);
  *graph.add_node() = node_of("Equal", {"rate", "wide"}, {"is_wide"});
  auto choice = node_of("If", {"is_wide"}, {"yh"}, "choice");
  set_graph(choice, "then_branch", branch("a"));
  set_graph(choice, "else_branch", branch("b"));
  *graph.add_node() = choice;
  return model;
}

/// A node that a Loop runs three times, each time from the last state of the time before.
inline onnx::ModelProto model_with_loop() {
  auto model = empty_model();
  auto& graph = *model.mutable_graph();
  declare(*graph.add_input(), "h0", onnx::TensorProto::FLOAT, {"1", "N", "5"});
  add_weights(graph, Operator::RNN);
  add_integer(graph, "trips", 3);
  auto& go_on = *graph.add_initializer();
  go_on.set_name("go_on");
  go_on.set_data_type(onnx::TensorProto::BOOL);
  go_on.add_int32_data(1);
  onnx::GraphProto body;
  body.set_name("body");
  declare(*body.add_input(), "trip", onnx::TensorProto::INT64, {});
  declare(*body.add_input(), "condition", onnx::TensorProto::BOOL, {});
  declare(*body.add_input(), "h", onnx::TensorProto::FLOAT, {"1", "N", "5"});
  *body.add_node() = recurrent_node(Operator::RNN, {"x", "W", "R", "", "", "h"}, {"", "next_h"}, "cell");
  *body.add_node() = node_of("Identity", {"condition"}, {"next_condition"});
  declare_output(body, "next_condition", onnx::TensorProto::BOOL);
  declare_output(body, "next_h");
  auto loop = node_of("Loop", {"trips", "go_on", "h0"}, {"yh"}, "loop");
  set_graph(loop, "body", body);
  *graph.add_node() = loop;
  return model;
}

/// A node in a model-local function, which takes hidden_size from its call.
inline onnx::ModelProto model_with_function() {
  auto model = empty_model();
  auto& graph = *model.mutable_graph();
  auto& import = *model.add_opset_import();
  import.set_domain("local");
  import.set_version(1);
  add_weights(graph, Operator::GRU);
  auto& function = *model.add_functions();
  function.set_domain("local");
  function.set_name("Cell");
  for (const char* name : {"a", "b", "c"}) function.add_input(name);
  function.add_output("d");
  function.add_attribute("size");
  function.add_opset_import()->set_version(14);
  auto node = node_of("GRU", {"a", "b", "c"}, {"", "e"}, "inner");
  auto& size = attribute_of(node, "hidden_size");
  size.set_type(onnx::AttributeProto::INT);
  size.set_ref_attr_name("size");
  *function.add_node() = node;
  *function.add_node() = node_of("Identity", {"e"}, {"d"});
  auto call = node_of("Cell", {"x", "W", "R"}, {"yh"}, "call");
  call.set_domain("local");
  auto& given = attribute_of(call, "size");
  given.set_type(onnx::AttributeProto::INT);
  given.set_i(model_hidden);
  *graph.add_node() = call;
  return model;
}

/// Codes of a weight, a scale for each row of gates or one for all, and the DequantizeLinear that makes it of them.
inline void add_codes(onnx::GraphProto& graph, const Tensor& weight, const std::string& name, bool per_row) {
  constexpr double codes_per_unit = 100;
  Tensor codes(ElementType::Int8, weight.shape());
  for (std::size_t k = 0; k < weight.size(); ++k)
    codes.set_value(k, std::clamp(std::round(weight.value(k) * codes_per_unit), -128.0, 127.0));
  Tensor scale(ElementType::Float, per_row ? Shape{weight.shape()[1]} : Shape{});
  for (std::size_t k = 0; k < scale.size(); ++k) scale.set_value(k, (1 + static_cast<double>(k % 3)) / codes_per_unit);
  write_tensor(codes, name + "_codes", *graph.add_initializer());
  write_tensor(scale, name + "_scale", *graph.add_initializer());
  auto node = node_of("DequantizeLinear", {name + "_codes", name + "_scale"}, {name});
  auto& axis = attribute_of(node, "axis");
  axis.set_type(onnx::AttributeProto::INT);
  axis.set_i(1);
  *graph.add_node() = node;
}

/// x goes through codes of a half each, and weights are made of codes.
inline onnx::ModelProto quantised_model(Operator op, bool per_row = false) {
  auto model = empty_model();
  auto& graph = *model.mutable_graph();
  const Problem problem = problem_in_models(op);
  add_codes(graph, *problem.inputs[input::W].tensor, "W", per_row);
  add_codes(graph, *problem.inputs[input::R].tensor, "R", per_row);
  Tensor half(ElementType::Float, {});
  half.set_value(0, 0.5);
  write_tensor(half, "step", *graph.add_initializer());
  write_tensor(Tensor(ElementType::Int8, {}), "zero", *graph.add_initializer());
  *graph.add_node() = node_of("QuantizeLinear", {"x", "step", "zero"}, {"x_codes"});
  *graph.add_node() = node_of("DequantizeLinear", {"x_codes", "step", "zero"}, {"x_back"});
  *graph.add_node() = node_of("Identity", {"x_back"}, {"x_same"});
  *graph.add_node() = recurrent_node(op, {"x_same", "W", "R"}, {"", "yh"}, "cell");
  return model;
}

/// The nodes of such a model in a branch of an If that is taken; the other one gives zeros.
inline onnx::ModelProto quantised_model_in_if(Operator op) {
  auto model = quantised_model(op);
  auto& graph = *model.mutable_graph();
  onnx::GraphProto taken, other;
  taken.set_name("taken");
  other.set_name("other");
  taken.mutable_node()->Swap(graph.mutable_node());
  *other.add_node() = node_of("Identity", {"none"}, {"zeros"});
  declare_output(taken, "yh");
  declare_output(other, "zeros");
  write_tensor(Tensor(ElementType::Float, {1, 1, model_hidden}), "none", *graph.add_initializer());
  auto& is_taken = *graph.add_initializer();
  is_taken.set_name("is_taken");
  is_taken.set_data_type(onnx::TensorProto::BOOL);
  is_taken.add_int32_data(1);
  auto choice = node_of("If", {"is_taken"}, {"result"}, "choice");
  set_graph(choice, "then_branch", taken);
  set_graph(choice, "else_branch", other);
  *graph.add_node() = choice;
  graph.mutable_output(0)->set_name("result");
  return model;
}

/// The nodes of such a model in a Loop of three trips.
inline onnx::ModelProto quantised_model_in_loop(Operator op) {
  auto quantised = quantised_model(op);
  auto model = model_with_loop();
  auto& graph = *model.mutable_graph();
  graph.mutable_initializer()->MergeFrom(quantised.graph().initializer());
  graph.mutable_initializer()->DeleteSubrange(0, 2);  // the weights of the node that goes
  for (auto& attribute : *graph.mutable_node(0)->mutable_attribute()) {
    auto& nodes = *attribute.mutable_g()->mutable_node();
    nodes.DeleteSubrange(0, 1);
    for (auto& node : *quantised.mutable_graph()->mutable_node()) {
      for (auto& output : *node.mutable_output())
        if (output == "yh") output = "next_h";
      *nodes.Add() = node;
    }
  }
  return model;
}

/// A node whose Y leaves the model through codes alone.
inline onnx::ModelProto model_with_quantised_output() {
  auto model = model_at_top();
  auto& graph = *model.mutable_graph();
  Tensor step(ElementType::Float, {});
  step.set_value(0, 1.0 / 128);
  write_tensor(step, "step", *graph.add_initializer());
  write_tensor(Tensor(ElementType::Int8, {}), "zero", *graph.add_initializer());
  *graph.mutable_node(0) = recurrent_node(Operator::LSTM, {"x", "W", "R"}, {"y"}, "cell");
  *graph.add_node() = node_of("QuantizeLinear", {"y", "step", "zero"}, {"codes"});
  *graph.add_node() = node_of("DequantizeLinear", {"codes", "step", "zero"}, {"yh"});
  return model;
}

/// A decoder that begins with the last states of an encoder.
inline onnx::ModelProto model_with_encoder() {
  auto model = empty_model();
  auto& graph = *model.mutable_graph();
  add_weights(graph, Operator::LSTM);
  *graph.add_node() = recurrent_node(Operator::LSTM, {"x", "W", "R"}, {"", "h", "c"}, "encoder");
  *graph.add_node() = recurrent_node(Operator::LSTM, {"x", "W", "R", "", "", "h", "c"}, {"", "yh"}, "decoder");
  return model;
}

/// Moves the data of the first initializer out of the model: its bytes, to be written as `file` beside it.
inline std::string move_outside(onnx::ModelProto& model, const char* file) {
  auto& tensor = *model.mutable_graph()->mutable_initializer(0);
  std::string bytes = tensor.raw_data();
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& entry = *tensor.add_external_data();
  entry.set_key("location");
  entry.set_value(file);
  return bytes;
}

}  // namespace cellproof::corpus::testing
