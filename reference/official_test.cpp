// ONNX's own node tests for the recurrent operators (onnx/backend/test/case/node), as set-up wrote them below .deps.
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "reference/reference.hpp"

namespace cellproof::reference {
namespace {

const std::filesystem::path root = CELLPROOF_SOURCE_DIR "/.deps/backend-tests";

template <class Message>
Message read(const std::filesystem::path& path) {
  Message message;
  std::ifstream file(path, std::ios::binary);
  if (!file || !message.ParseFromIstream(&file)) throw std::runtime_error("cannot read " + path.string());
  return message;
}

Tensor tensor_of(const onnx::TensorProto& proto) {
  const bool is_float = proto.data_type() == onnx::TensorProto::FLOAT;
  if (!is_float && proto.data_type() != onnx::TensorProto::INT32) throw std::runtime_error("neither float nor int32");
  std::vector<std::byte> bytes(proto.raw_data().size());
  std::memcpy(bytes.data(), proto.raw_data().data(), bytes.size());
  return {is_float ? ElementType::Float : ElementType::Int32, Shape(proto.dims().begin(), proto.dims().end()), bytes};
}

/// The attributes that the official tests write; any other is a reason to extend this function.
Attributes attributes_of(const onnx::NodeProto& node) {
  Attributes attributes;
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == "hidden_size") {
      attributes.hidden_size = attribute.i();
    } else if (attribute.name() == "layout") {
      attributes.layout = attribute.i();
    } else if (attribute.name() == "direction") {
      attributes.direction = attribute.s();
    } else {
      throw std::runtime_error("attribute " + attribute.name());
    }
  }
  return attributes;
}

struct NodeTest {
  Problem problem;
  std::map<std::size_t, Tensor> expected;  ///< by output position
};

NodeTest read_node_test(const std::filesystem::path& directory) {
  const auto model = read<onnx::ModelProto>(directory / "model.onnx");
  if (model.graph().node_size() != 1) throw std::runtime_error("not one node");
  const auto& node = model.graph().node(0);
  const auto data = directory / "test_data_set_0";
  int opset = 0;
  for (const auto& import : model.opset_import()) opset = static_cast<int>(import.version());
  NodeTest test;
  for (OperatorVersion version : all_operator_versions()) {
    if (name(version.op) == node.op_type()) test.problem.version = *version_in_opset(version.op, opset);
  }
  test.problem.attributes = attributes_of(node);
  int file = 0;
  for (const std::string& input : node.input()) {
    if (input.empty()) {
      test.problem.inputs.push_back({Presence::Empty, Source::GraphInput, {}});
      continue;
    }
    const auto path = data / ("input_" + std::to_string(file++) + ".pb");
    test.problem.inputs.push_back({Presence::Given, Source::GraphInput, tensor_of(read<onnx::TensorProto>(path))});
  }
  file = 0;
  for (const std::string& output : node.output()) {
    test.problem.outputs.push_back(output.empty() ? Presence::Empty : Presence::Given);
    if (output.empty()) continue;
    const auto path = data / ("output_" + std::to_string(file++) + ".pb");
    test.expected.emplace(test.problem.outputs.size() - 1, tensor_of(read<onnx::TensorProto>(path)));
  }
  return test;
}

TEST(OfficialNodeTests, AllEighteenPass) {
  ASSERT_TRUE(std::filesystem::is_directory(root)) << root << " is missing: set-up writes it";
  std::size_t tests = 0, values = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (!entry.is_directory()) continue;  // the stamp of set-up
    SCOPED_TRACE(entry.path().filename().string());
    ++tests;
    const NodeTest test = read_node_test(entry.path());
    const auto actual = run(test.problem);
    for (const auto& [position, expected] : test.expected) {
      ASSERT_TRUE(actual.at(position).has_value());
      ASSERT_EQ(actual[position]->shape(), expected.shape());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        // A hundred times sharper than the official tolerance (1e-3 relative): their helper computes in float.
        const double tolerance = 1e-7 + 1e-5 * std::abs(expected.value(i));
        ASSERT_NEAR(actual[position]->value(i), expected.value(i), tolerance)
            << "output " << position << "[" << i << "]";
        ++values;
      }
    }
  }
  EXPECT_EQ(tests, 18U);
  EXPECT_EQ(values, 300U);
}

}  // namespace
}  // namespace cellproof::reference
