// Recurrent nodes found in whole models, wherever they are, and the copies of those models that show their tensors.
#include "corpus/models/whole_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include "corpus/files.hpp"
#include "corpus/model.hpp"
#include "corpus/models/model_inputs.hpp"
#include "corpus/testing/whole_models.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AWholeModel : public ::testing::Test {
 protected:
  WholeModel read(const onnx::ModelProto& model) const {
    std::filesystem::remove(file());
    write_file(file(), model.SerializeAsString());
    return read_whole_model(file());
  }

  std::string refusal(const onnx::ModelProto& model) const {
    try {
      read(model);
    } catch (const CorpusError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path file() const { return folder_ / "model.onnx"; }

  TemporaryFolder folder_;
};

std::vector<std::string> paths_of(const WholeModel& model) {
  std::vector<std::string> paths;
  for (const RecurrentNode& node : model.nodes) paths.push_back(node.path);
  return paths;
}

TEST_F(AWholeModel, NamesItsNodesByTheirPlace) {
  EXPECT_THAT(paths_of(read(testing::model_at_top())), ElementsAre("cell"));
  EXPECT_THAT(paths_of(read(testing::model_with_if())), ElementsAre("choice.then/cella", "choice.else/cellb"));
  EXPECT_THAT(paths_of(read(testing::model_with_loop())), ElementsAre("loop.body/cell"));
  EXPECT_THAT(paths_of(read(testing::model_with_function())), ElementsAre("call/inner"));
}

TEST_F(AWholeModel, SaysWhereWeightsComeFromAndWhatIsUnusual) {
  const WholeModel model = read(testing::model_with_if());
  const RecurrentNode& node = model.nodes.at(0);
  EXPECT_EQ(node.version, (OperatorVersion{Operator::LSTM, 14}));
  EXPECT_EQ(node.inputs.at(input::X).origin, "graph input x");
  EXPECT_EQ(node.inputs.at(input::W).origin, "Unsqueeze of an initializer");
  EXPECT_EQ(node.inputs.at(input::W).constant, nullptr);
  EXPECT_EQ(node.inputs.at(input::R).origin, "initializer");
  EXPECT_NE(node.inputs.at(input::R).constant, nullptr);
  EXPECT_EQ(node.hidden_size, testing::model_hidden);
  EXPECT_THAT(node.unusual, Contains("Y is not used"));
  EXPECT_THAT(node.unusual, Contains(HasSubstr("W computed")));
  EXPECT_EQ(read(testing::model_at_top()).nodes.at(0).input_size, testing::model_inputs);
}

TEST_F(AWholeModel, TakesAttributesOfAFunctionFromItsCall) {
  EXPECT_EQ(read(testing::model_with_function()).nodes.at(0).attributes.hidden_size, testing::model_hidden);
}

TEST_F(AWholeModel, SeesOneTensorForBothStates) {
  auto proto = testing::model_at_top();
  auto& node = *proto.mutable_graph()->mutable_node(0);
  for (const char* name : {"", "", "state", "state"}) node.add_input(name);
  testing::declare(*proto.mutable_graph()->add_input(), "state", onnx::TensorProto::FLOAT, {"1", "N", "5"});
  EXPECT_THAT(read(proto).nodes.at(0).unusual, Contains("initial_h and initial_c are one tensor"));
}

/// Each node's computed tensors leave the graph, with Y among them, in both branches of an If alike.
TEST_F(AWholeModel, ShowsItsTensorsInTheTappedCopy) {
  for (const auto& proto : {testing::model_at_top(), testing::model_with_if(), testing::model_with_loop()}) {
    const WholeModel model = read(proto);
    onnx::ModelProto tapped;
    ASSERT_TRUE(tapped.ParseFromString(tapped_pieces(model).text()));
    EXPECT_EQ(static_cast<std::size_t>(tapped.graph().output_size()), 1 + model.taps.size());
    for (const RecurrentNode& node : model.nodes) {
      EXPECT_EQ(node.outputs.at(output::Y).presence, Presence::Given);
      for (const NodeTensor& tensor : node.inputs)
        EXPECT_EQ(tensor.tap.has_value(), tensor.presence == Presence::Given && tensor.constant == nullptr);
    }
    for (const auto& node : tapped.graph().node()) {
      if (node.op_type() != "If") continue;
      for (const auto& attribute : node.attribute()) EXPECT_EQ(attribute.g().output_size(), node.output_size());
    }
  }
}

TEST_F(AWholeModel, CutsTheTripsOfALoopApart) {
  const WholeModel model = read(testing::model_with_loop());
  const RecurrentNode& node = model.nodes.at(0);
  ASSERT_EQ(node.loops, 1U);
  Outputs values(model.taps.size());
  const auto numbered = [](Shape shape) {
    Tensor tensor(ElementType::Float, std::move(shape));
    for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, static_cast<double>(k));
    return tensor;
  };
  values.at(*node.inputs.at(input::X).tap) = numbered({3, 2, 1, 4});
  values.at(*node.inputs.at(input::initial_h).tap) = numbered({3, 1, 1, 5});
  values.at(*node.outputs.at(output::Y).tap) = numbered({3, 2, 1, 1, 5});
  values.at(*node.outputs.at(output::Y_h).tap) = numbered({3, 1, 1, 5});
  ASSERT_EQ(count_calls(model, node, values), 3U);
  const NodeCall third = call_of(model, node, values, 2);
  EXPECT_EQ(third.problem.input(input::X)->shape(), (Shape{2, 1, 4}));
  EXPECT_EQ(third.problem.input(input::X)->value(0), 16);
  EXPECT_EQ(call_of(model, node, values, 1).outputs.at(output::Y_h)->value(0), 5);
  values.at(*node.inputs.at(input::X).tap) = Tensor(ElementType::Float, {0});
  EXPECT_EQ(count_calls(model, node, values), 0U);
}

/// The values of a state that another node gives are the engine's own.
TEST_F(AWholeModel, TakesStatesOfAnotherNodeFromTheTaps) {
  const WholeModel model = read(testing::model_with_encoder());
  const RecurrentNode& decoder = model.nodes.at(1);
  for (const auto position : {input::initial_h, input::initial_c}) {
    EXPECT_EQ(decoder.inputs.at(position).constant, nullptr);
    ASSERT_TRUE(decoder.inputs.at(position).tap);
  }
  Outputs values(model.taps.size(), Tensor(ElementType::Float, {1, 1, 5}));
  values.at(*decoder.inputs.at(input::initial_h).tap)->set_value(3, 0.5);
  EXPECT_EQ(call_of(model, decoder, values, 0).problem.input(input::initial_h)->value(3), 0.5);
}

TEST_F(AWholeModel, ReadsExternalDataInsideItsFolderAlone) {
  auto proto = testing::model_at_top();
  const auto original = proto.graph().initializer(0).raw_data();
  write_file(folder_ / "weights.bin", testing::move_outside(proto, "weights.bin"));
  EXPECT_EQ(read(proto).nodes.at(0).inputs.at(input::W).constant->raw_data(), original);
  proto.mutable_graph()->mutable_initializer(0)->mutable_external_data(0)->set_value("../weights.bin");
  EXPECT_THAT(refusal(proto), HasSubstr(".."));
}

TEST_F(AWholeModel, SaysWhatElseIsRecurrent) {
  auto proto = testing::model_with_loop();
  auto& body = *proto.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
  *body.mutable_node(0) = testing::node_of("MatMul", {"h", "R"}, {"next_h"});
  const WholeModel model = read(proto);
  EXPECT_THAT(model.nodes, IsEmpty());
  EXPECT_THAT(model.other_recurrences, ElementsAre("Loop 'loop': no recurrent operator; 1 MatMul in its body"));
}

/// Each function calls the one before twice: 2^30 nodes, if they were all written out.
TEST_F(AWholeModel, IsRefusedWhereItsFunctionsGrowWithoutEnd) {
  auto model = testing::model_with_function();
  for (int k = 0; k < 30; ++k) {
    onnx::FunctionProto next = model.functions(0);
    next.set_name("Cell" + std::to_string(k));
    next.clear_node();
    for (int twice = 0; twice < 2; ++twice) {
      auto call = testing::node_of(k == 0 ? "Cell" : ("Cell" + std::to_string(k - 1)).c_str(), {"a", "b", "c"}, {"d"});
      call.set_domain("local");
      *next.add_node() = call;
    }
    *model.add_functions() = next;
  }
  model.mutable_graph()->mutable_node(0)->set_op_type("Cell29");
  EXPECT_THAT(refusal(model), HasSubstr("too many nodes"));
}

/// Whatever has become of its bytes, it is read or refused.
TEST_F(AWholeModel, IsReadOrRefusedWhenDamaged) {
  int refused = 0, read_all_the_same = 0;
  for (const auto& model : {testing::model_with_if(), testing::model_with_loop(), testing::model_with_function()}) {
    const std::string whole = model.SerializeAsString();
    for (std::size_t place = 0; place < whole.size(); place += 3) {
      std::string damaged = whole;
      damaged[place] = static_cast<char>(damaged[place] ^ (1 << (place % 8)));
      std::filesystem::remove(file());
      write_file(file(), damaged);
      try {
        const WholeModel found = read_whole_model(file());
        draw_inputs(found, {});
        ++read_all_the_same;
      } catch (const CorpusError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(read_all_the_same, 50);
}

TEST_F(AWholeModel, IsRefusedWithTheReason) {
  auto recursive = testing::model_with_function();
  auto& function = *recursive.mutable_functions(0);
  *function.add_node() = recursive.graph().node(0);
  EXPECT_THAT(refusal(recursive), HasSubstr("calls itself"));
  auto other_opset = testing::model_with_function();
  other_opset.mutable_functions(0)->mutable_opset_import(0)->set_version(13);
  EXPECT_THAT(refusal(other_opset), HasSubstr("function 'Cell' imports opset 13"));
  auto no_import = testing::model_at_top(Operator::GRU);
  no_import.mutable_opset_import(0)->set_domain("elsewhere");
  EXPECT_THAT(refusal(no_import), HasSubstr("opset_import"));
  std::filesystem::remove(file());
  write_file(file(), "no model at all");
  EXPECT_THROW(read_whole_model(file()), CorpusError);
}

}  // namespace
}  // namespace cellproof::corpus
