#include "corpus/node_attributes.hpp"

#include <fmt/format.h>
#include <onnx/onnx-ml.pb.h>

#include <algorithm>
#include <array>
#include <utility>

#include "corpus/message.hpp"
#include "spec/utf8.hpp"

namespace cellproof::corpus {
namespace {

using onnx::AttributeProto;

void set_value(AttributeProto& proto, std::int64_t value) {
  proto.set_type(AttributeProto::INT);
  proto.set_i(value);
}
void set_value(AttributeProto& proto, float value) {
  proto.set_type(AttributeProto::FLOAT);
  proto.set_f(value);
}
void set_value(AttributeProto& proto, const std::string& value) {
  proto.set_type(AttributeProto::STRING);
  proto.set_s(value);
}
void set_value(AttributeProto& proto, const std::vector<std::int64_t>& values) {
  proto.set_type(AttributeProto::INTS);
  proto.mutable_ints()->Add(values.begin(), values.end());
}
void set_value(AttributeProto& proto, const std::vector<float>& values) {
  proto.set_type(AttributeProto::FLOATS);
  proto.mutable_floats()->Add(values.begin(), values.end());
}
void set_value(AttributeProto& proto, const std::vector<std::string>& values) {
  proto.set_type(AttributeProto::STRINGS);
  proto.mutable_strings()->Add(values.begin(), values.end());
}

std::string type_name(int type) {
  if (!AttributeProto::AttributeType_IsValid(type)) return fmt::format("{}", type);
  return AttributeProto::AttributeType_Name(static_cast<AttributeProto::AttributeType>(type));
}

/// The types of the values that the proto holds, whatever its `type` says.
std::vector<AttributeProto::AttributeType> held_types(const AttributeProto& proto) {
  const std::array<std::pair<bool, AttributeProto::AttributeType>, 14> held{{
      {proto.has_f(), AttributeProto::FLOAT},
      {proto.has_i(), AttributeProto::INT},
      {proto.has_s(), AttributeProto::STRING},
      {proto.has_t(), AttributeProto::TENSOR},
      {proto.has_g(), AttributeProto::GRAPH},
      {proto.has_sparse_tensor(), AttributeProto::SPARSE_TENSOR},
      {proto.has_tp(), AttributeProto::TYPE_PROTO},
      {proto.floats_size() > 0, AttributeProto::FLOATS},
      {proto.ints_size() > 0, AttributeProto::INTS},
      {proto.strings_size() > 0, AttributeProto::STRINGS},
      {proto.tensors_size() > 0, AttributeProto::TENSORS},
      {proto.graphs_size() > 0, AttributeProto::GRAPHS},
      {proto.sparse_tensors_size() > 0, AttributeProto::SPARSE_TENSORS},
      {proto.type_protos_size() > 0, AttributeProto::TYPE_PROTOS},
  }};
  std::vector<AttributeProto::AttributeType> result;
  for (const auto& [is_held, type] : held) {
    if (is_held) result.push_back(type);
  }
  return result;
}

/// The declared type, or the type of the one value held where a model of IR version 1 declares none.
AttributeProto::AttributeType type_of(const AttributeProto& proto, const std::string& where) {
  const auto held = held_types(proto);
  if (held.size() > 1) {
    refuse(where, fmt::format("values of type {} and {}", type_name(held[0]), type_name(held[1])), "one value");
  }
  if (proto.type() == AttributeProto::UNDEFINED) {
    if (held.empty()) refuse(where, "neither type nor value", "one value");
    return held[0];
  }
  const bool may_be_empty = proto.type() == AttributeProto::FLOATS || proto.type() == AttributeProto::INTS ||
                            proto.type() == AttributeProto::STRINGS;
  if (held.empty() && !may_be_empty) refuse(where, "no value", fmt::format("one of type {}", type_name(proto.type())));
  if (!held.empty() && held[0] != proto.type()) {
    refuse(where, fmt::format("a value of type {}", type_name(held[0])),
           fmt::format("type {}", type_name(proto.type())));
  }
  return proto.type();
}

AttributeValue value_of(const AttributeProto& proto, const std::string& where) {
  const bool is_text = is_utf8(proto.s()) && std::all_of(proto.strings().begin(), proto.strings().end(), is_utf8);
  if (!is_text) refuse(where, "bytes that are no UTF-8", "text");
  switch (const auto type = type_of(proto, where)) {
    case AttributeProto::FLOAT:
      return proto.f();
    case AttributeProto::INT:
      return proto.i();
    case AttributeProto::STRING:
      return proto.s();
    case AttributeProto::FLOATS:
      return std::vector<float>(proto.floats().begin(), proto.floats().end());
    case AttributeProto::INTS:
      return std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
    case AttributeProto::STRINGS:
      return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
    default:
      refuse(where, fmt::format("type {}", type_name(type)), "INT, FLOAT, STRING, INTS, FLOATS or STRINGS");
  }
}

}  // namespace

void write_attributes(const Attributes& attributes, onnx::NodeProto& node) {
  for_each_attribute(attributes, [&](const char* name, const auto& member) {
    if (!member) return;
    auto& proto = *node.add_attribute();
    proto.set_name(name);
    set_value(proto, *member);
  });
  for (const auto& other : attributes.others) {
    auto& proto = *node.add_attribute();
    proto.set_name(other.name);
    std::visit([&](const auto& value) { set_value(proto, value); }, other.value);
  }
}

Attributes read_attributes(const onnx::NodeProto& node, const std::string& where) {
  Attributes result;
  for (const auto& proto : node.attribute()) {
    const std::string here = fmt::format("{}: attribute {}", where, in_quotes(proto.name()));
    if (!is_utf8(proto.name())) refuse(here, "a name that is no UTF-8", "text");
    if (!proto.ref_attr_name().empty()) refuse(here, "a reference to a function's attribute", "a value");
    AttributeValue value = value_of(proto, here);
    bool known = false;
    for_each_attribute(result, [&]<typename T>(const char* name, std::optional<T>& member) {
      if (proto.name() != name || member || !std::holds_alternative<T>(value)) return;
      member = std::get<T>(value);
      known = true;
    });
    if (!known) result.others.push_back({proto.name(), std::move(value)});
  }
  return result;
}

}  // namespace cellproof::corpus
