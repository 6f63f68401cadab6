#include "corpus/constant_node.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include "corpus/message.hpp"

namespace cellproof::corpus {

onnx::TensorProto constant_value(const onnx::NodeProto& node, const std::string& where) {
  if (node.input_size() != 0) refuse(where, "a Constant node with inputs", "none");
  if (node.attribute_size() != 1) {
    refuse(where, fmt::format("a Constant node with {} attributes", node.attribute_size()), "one");
  }
  const auto& attribute = node.attribute(0);
  onnx::TensorProto result;
  if (attribute.name() == "value" && attribute.has_t()) {
    result = attribute.t();
  } else if (attribute.name() == "value_float" && attribute.has_f()) {
    result.set_data_type(onnx::TensorProto::FLOAT);
    result.add_float_data(attribute.f());
  } else if (attribute.name() == "value_floats") {
    result.set_data_type(onnx::TensorProto::FLOAT);
    result.add_dims(attribute.floats_size());
    *result.mutable_float_data() = attribute.floats();
  } else if (attribute.name() == "value_int" && attribute.has_i()) {
    result.set_data_type(onnx::TensorProto::INT64);
    result.add_int64_data(attribute.i());
  } else if (attribute.name() == "value_ints") {
    result.set_data_type(onnx::TensorProto::INT64);
    result.add_dims(attribute.ints_size());
    *result.mutable_int64_data() = attribute.ints();
  } else {
    refuse(where, fmt::format("Constant with attribute {}", in_quotes(attribute.name())),
           "value, value_float, value_floats, value_int or value_ints");
  }
  return result;
}

}  // namespace cellproof::corpus
