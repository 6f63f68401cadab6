#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "corpus/model.hpp"
#include "corpus/testing/cases.hpp"
#include "corpus/testing/files.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

onnx::ModelProto plain_model() {
  onnx::ModelProto model;
  EXPECT_TRUE(
      model.ParseFromString(to_model(make_problem(plain_case({Operator::LSTM, 14}, ElementType::Float, 5, 3, 4, 6)))));
  return model;
}

onnx::NodeProto node_of(const char* op_type, const char* name, const char* domain = "") {
  onnx::NodeProto node;
  node.set_op_type(op_type);
  node.set_name(name);
  node.set_domain(domain);
  node.add_output("z");
  return node;
}

onnx::AttributeProto attribute_of(const char* name, onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto attribute;
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

/// A change that makes the plain LSTM model unreadable, and the words by which it must be named.
struct DamagedModel {
  const char* name;
  std::function<void(onnx::ModelProto&)> apply;
  const char* words;
};

using Model = onnx::ModelProto;

const DamagedModel damaged_models[] = {
    {"no ir_version", [](Model& m) { m.clear_ir_version(); }, "ir_version 0, expected 1 to 14"},
    {"future ir_version", [](Model& m) { m.set_ir_version(99); }, "ir_version 99"},
    {"no graph", [](Model& m) { m.clear_graph(); }, "no graph"},
    {"function", [](Model& m) { m.add_functions()->set_name("F"); }, "model function 'F'"},
    {"training", [](Model& m) { m.add_training_info(); }, "training_info"},
    {"sparse initializer", [](Model& m) { m.mutable_graph()->add_sparse_initializer(); }, "sparse initializer"},
    {"no node", [](Model& m) { m.mutable_graph()->clear_node(); },
     "no node, expected exactly one LSTM, GRU, RNN or DynamicQuantizeLSTM node"},
    {"another operator", [](Model& m) { *m.mutable_graph()->add_node() = node_of("Add", "plus"); },
     "node 'plus' (Add), expected exactly one LSTM, GRU, RNN or DynamicQuantizeLSTM node"},
    {"two recurrent nodes", [](Model& m) { *m.mutable_graph()->add_node() = node_of("GRU", "second"); },
     "node 'second' (GRU), expected exactly one"},
    {"a control-flow node", [](Model& m) { *m.mutable_graph()->add_node() = node_of("Loop", "loop"); },
     "node 'loop' (Loop)"},
    {"another domain", [](Model& m) { m.mutable_graph()->mutable_node(0)->set_domain("com.microsoft"); },
     "node 'LSTM' (LSTM), expected exactly one"},
    {"op_type of control characters", [](Model& m) { m.mutable_graph()->mutable_node(0)->set_op_type("L\nS"); },
     "(L\\x0aS)"},
    {"no opset_import", [](Model& m) { m.clear_opset_import(); }, "no opset_import, expected one for domain ai.onnx"},
    {"opset 0", [](Model& m) { m.mutable_opset_import(0)->set_version(0); },
     "opset 0 of domain ai.onnx, expected 1 to 28"},
    {"opset 29", [](Model& m) { m.mutable_opset_import(0)->set_version(29); }, "opset 29 of domain ai.onnx"},
    {"two opsets", [](Model& m) { m.add_opset_import()->set_version(7); }, "opset 14 and 7 of one domain"},
    {"dangling input", [](Model& m) { m.mutable_graph()->mutable_node(0)->set_input(1, "nowhere"); },
     "node input 'nowhere' is not defined"},
    {"graph input twice", [](Model& m) { *m.mutable_graph()->add_input() = m.graph().input(0); },
     "graph input 'X' twice"},
    {"graph input unused",
     [](Model& m) {
       auto& info = *m.mutable_graph()->add_input();
       info = m.graph().input(0);
       info.set_name("spare");
     },
     "graph input 'spare' feeds nothing"},
    {"graph input of strings",
     [](Model& m) { m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(8); },
     "graph input 'X' of element type STRING"},
    {"graph input without type", [](Model& m) { m.mutable_graph()->mutable_input(0)->clear_type(); },
     "graph input 'X' is no tensor"},
    {"graph input is a sequence",
     [](Model& m) { m.mutable_graph()->mutable_input(0)->mutable_type()->mutable_sequence_type(); },
     "graph input 'X' is no tensor"},
    {"initializer twice", [](Model& m) { *m.mutable_graph()->add_initializer() = m.graph().initializer(0); },
     "tensor 'W' defined twice"},
    {"initializer of 2 GiB", [](Model& m) { m.mutable_graph()->mutable_initializer(0)->set_dims(0, 1 << 29); },
     "initializer 'W': dims ask for more than 1 GiB"},
    {"initializer with a negative dim", [](Model& m) { m.mutable_graph()->mutable_initializer(0)->set_dims(0, -1); },
     "initializer 'W': dimension -1"},
    {"external initializer",
     [](Model& m) {
       auto& w = *m.mutable_graph()->mutable_initializer(0);
       w.clear_raw_data();
       w.set_data_location(onnx::TensorProto::EXTERNAL);
       auto& entry = *w.add_external_data();
       entry.set_key("location");
       entry.set_value("../secret");
     },
     "external data '../secret'"},
    {"too many inputs",
     [](Model& m) {
       for (int i = 0; i < 1000; ++i) m.mutable_graph()->mutable_node(0)->add_input("W");
     },
     "with 1003 inputs"},
    {"too many outputs",
     [](Model& m) {
       for (int i = 0; i < 1000; ++i) m.mutable_graph()->mutable_node(0)->add_output("");
     },
     "with 1003 outputs"},
    {"node output twice", [](Model& m) { m.mutable_graph()->mutable_node(0)->set_output(1, "Y"); },
     "tensor 'Y' defined twice"},
    {"node output is an initializer", [](Model& m) { m.mutable_graph()->mutable_node(0)->set_output(1, "W"); },
     "tensor 'W' defined twice"},
    {"graph output from elsewhere", [](Model& m) { m.mutable_graph()->mutable_output(0)->set_name("X"); },
     "graph output 'X', expected an output of the recurrent node"},
    {"graph output twice", [](Model& m) { *m.mutable_graph()->add_output() = m.graph().output(0); },
     "graph output 'Y' twice"},
    {"attribute is a graph",
     [](Model& m) {
       auto attribute = attribute_of("body", onnx::AttributeProto::GRAPH);
       attribute.mutable_g()->set_name("sub");
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute;
     },
     "attribute 'body': type GRAPH"},
    {"attribute is a tensor",
     [](Model& m) {
       auto attribute = attribute_of("clip", onnx::AttributeProto::TENSOR);
       attribute.mutable_t();
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute;
     },
     "attribute 'clip': type TENSOR"},
    {"attribute that is no text",
     [](Model& m) {
       auto attribute = attribute_of("direction", onnx::AttributeProto::STRING);
       attribute.set_s("for\xffward");
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute;
     },
     "attribute 'direction': bytes that are no UTF-8, expected text"},
    {"attribute reference",
     [](Model& m) { m.mutable_graph()->mutable_node(0)->mutable_attribute(0)->set_ref_attr_name("alpha"); },
     "a reference to a function's attribute"},
    {"attribute without value",
     [](Model& m) {
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute_of("clip", onnx::AttributeProto::FLOAT);
     },
     "attribute 'clip': no value, expected one of type FLOAT"},
    {"attribute without type",
     [](Model& m) {
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute_of("clip", onnx::AttributeProto::UNDEFINED);
     },
     "neither type nor value"},
    {"attribute with another value than type",
     [](Model& m) {
       auto attribute = attribute_of("clip", onnx::AttributeProto::FLOAT);
       attribute.set_i(1);
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute;
     },
     "a value of type INT, expected type FLOAT"},
    {"attribute with two values",
     [](Model& m) {
       auto attribute = attribute_of("clip", onnx::AttributeProto::FLOAT);
       attribute.set_i(1);
       attribute.set_f(1);
       *m.mutable_graph()->mutable_node(0)->add_attribute() = attribute;
     },
     "values of type FLOAT and INT, expected one value"},
    {"Constant of strings",
     [](Model& m) {
       auto node = node_of("Constant", "c");
       *node.add_attribute() = attribute_of("value_string", onnx::AttributeProto::STRING);
       *m.mutable_graph()->add_node() = node;
     },
     "Constant with attribute 'value_string'"},
    {"Constant without value", [](Model& m) { *m.mutable_graph()->add_node() = node_of("Constant", "c"); },
     "a Constant node with 0 attributes"},
    {"Constant with an input",
     [](Model& m) {
       auto node = node_of("Constant", "c");
       node.add_input("X");
       *m.mutable_graph()->add_node() = node;
     },
     "a Constant node with inputs"},
    {"Constant without output",
     [](Model& m) {
       auto node = node_of("Constant", "c");
       node.clear_output();
       *m.mutable_graph()->add_node() = node;
     },
     "with 0 outputs, expected one output"},
};

TEST(ModelDamage, EachIsNamed) {
  for (const auto& damage : damaged_models) {
    auto model = plain_model();
    damage.apply(model);
    const auto message = corpus_error_of([&] { from_model(model.SerializeAsString(), "dir/model.onnx"); });
    EXPECT_THAT(message, StartsWith("dir/model.onnx: ")) << damage.name;
    EXPECT_THAT(message, HasSubstr(damage.words)) << damage.name;
    EXPECT_THAT(message, HasSubstr(", expected ")) << damage.name;
  }
}

TEST(ModelDamage, BytesThatAreNoModel) {
  for (const std::string& bytes :
       {std::string(), std::string("not a model"), std::string(1000, '\xff'), std::string(64, '\0')}) {
    corpus_error_of([&] { from_model(bytes, "model.onnx"); });
  }
}

TEST(ModelDamage, DeepNestingIsRefusedByTheParser) {
  // GraphProto.node(1) -> NodeProto.attribute(5) -> AttributeProto.g(6) -> ..., 10,000 deep, lengths not even right.
  std::string bytes;
  for (int i = 0; i < 10000; ++i) bytes += "\x3a\x7f\x0a\x7f\x2a\x7f\x32\x7f";
  corpus_error_of([&] { from_model(bytes, "model.onnx"); });
}

TEST(ModelDamage, EveryTruncationIsRefused) {
  const std::string whole = plain_model().SerializeAsString();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      // A cut between two fields may leave a readable model; then it must still be bound by what it says.
      const auto model = from_model(whole.substr(0, length), "cut");
      ADD_FAILURE() << "read from the first " << length << " bytes";
    } catch (const CorpusError&) {
    }
  }
}

RC_GTEST_PROP(ModelDamage, MutatedBytesGiveAModelOrACorpusError, ()) {
  static const std::string whole = plain_model().SerializeAsString();
  std::string bytes = whole;
  const auto changes = *rc::gen::inRange(1, 6);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        bytes[at] = *rc::gen::arbitrary<char>();
        break;
      case 1:
        bytes.erase(at, 1);
        break;
      default:
        bytes.insert(at, 1, *rc::gen::arbitrary<char>());
    }
  }
  try {
    const auto model = from_model(bytes, "mutated");
    RC_ASSERT(model.input_positions.size() == model.graph_inputs.size());
    for (const auto& in : model.problem.inputs) {
      RC_ASSERT((in.presence == Presence::Given && in.source != Source::GraphInput) == in.tensor.has_value());
    }
  } catch (const CorpusError&) {
    RC_TAG("refused");
  }
}

}  // namespace
}  // namespace cellproof::corpus
