// The rule tables against the schemas that ONNX 1.23.2 itself registers: every row, both ways.
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "spec/rules/rules.hpp"

namespace cellproof {
namespace {

const ONNX_NAMESPACE::OpSchema* schema_of(OperatorVersion version) {
  return ONNX_NAMESPACE::OpSchemaRegistry::Schema(std::string(name(version.op)), version.since_version,
                                                  std::string(domain(version.op)));
}

std::vector<OperatorVersion> versions_that_onnx_knows() {
  std::vector<OperatorVersion> list;
  for (const OperatorVersion& version : all_operator_versions()) {
    if (domain(version.op).empty()) list.push_back(version);
  }
  return list;
}

class Schema : public ::testing::TestWithParam<OperatorVersion> {
 protected:
  void SetUp() override {
    schema_ = schema_of(GetParam());
    ASSERT_NE(schema_, nullptr);
    ASSERT_EQ(schema_->SinceVersion(), GetParam().since_version);
  }
  const ONNX_NAMESPACE::OpSchema* schema_ = nullptr;
  const OperatorRules& rules_ = rules_of(GetParam());
};

void expect_same_arguments(const std::vector<ONNX_NAMESPACE::OpSchema::FormalParameter>& theirs,
                           const std::vector<ArgumentRule>& ours) {
  ASSERT_EQ(theirs.size(), ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(theirs[i].GetName(), ours[i].name);
    EXPECT_EQ(theirs[i].GetTypeStr(), ours[i].type) << ours[i].name;
    const bool optional = theirs[i].GetOption() == ONNX_NAMESPACE::OpSchema::Optional;
    EXPECT_EQ(optional, ours[i].need == Need::Optional) << ours[i].name;
    EXPECT_TRUE(optional || theirs[i].GetOption() == ONNX_NAMESPACE::OpSchema::Single) << ours[i].name;
  }
}

TEST_P(Schema, HasTheSameInputs) {
  expect_same_arguments(schema_->inputs(), rules_.inputs);
  EXPECT_EQ(schema_->min_input(), static_cast<int>(rules_.min_inputs()));
  EXPECT_EQ(schema_->max_input(), static_cast<int>(rules_.inputs.size()));
}

TEST_P(Schema, HasTheSameOutputs) {
  expect_same_arguments(schema_->outputs(), rules_.outputs);
  EXPECT_EQ(schema_->min_output(), static_cast<int>(rules_.min_outputs()));
  EXPECT_EQ(schema_->max_output(), static_cast<int>(rules_.outputs.size()));
}

TEST_P(Schema, HasTheSameTypeConstraints) {
  ASSERT_EQ(schema_->typeConstraintParams().size(), rules_.types.size());
  for (const auto& theirs : schema_->typeConstraintParams()) {
    const TypeConstraint* ours = rules_.type(theirs.type_param_str);
    ASSERT_NE(ours, nullptr) << theirs.type_param_str;
    std::set<std::string> allowed;
    for (const ElementType type : ours->allowed) allowed.insert("tensor(" + std::string(onnx_name(type)) + ")");
    EXPECT_EQ(std::set<std::string>(theirs.allowed_type_strs.begin(), theirs.allowed_type_strs.end()), allowed);
  }
}

AttributeType type_of_proto(ONNX_NAMESPACE::AttributeProto::AttributeType type) {
  using Proto = ONNX_NAMESPACE::AttributeProto;
  static const std::map<Proto::AttributeType, AttributeType> types = {
      {Proto::INT, AttributeType::Int},       {Proto::FLOAT, AttributeType::Float},
      {Proto::STRING, AttributeType::String}, {Proto::INTS, AttributeType::Ints},
      {Proto::FLOATS, AttributeType::Floats}, {Proto::STRINGS, AttributeType::Strings}};
  return types.at(type);
}

AttributeValue value_of(const ONNX_NAMESPACE::AttributeProto& proto) {
  switch (type_of_proto(proto.type())) {
    case AttributeType::Int:
      return std::int64_t{proto.i()};
    case AttributeType::Float:
      return proto.f();
    case AttributeType::String:
      return proto.s();
    case AttributeType::Ints:
      return std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end());
    case AttributeType::Floats:
      return std::vector<float>(proto.floats().begin(), proto.floats().end());
    case AttributeType::Strings:
      return std::vector<std::string>(proto.strings().begin(), proto.strings().end());
  }
  throw std::logic_error("no such attribute type");
}

TEST_P(Schema, HasTheSameAttributesAndDefaults) {
  EXPECT_EQ(schema_->attributes().size(), rules_.attributes.size());
  for (const AttributeRule& ours : rules_.attributes) {
    const auto found = schema_->attributes().find(std::string(ours.name));
    ASSERT_NE(found, schema_->attributes().end()) << ours.name;
    const ONNX_NAMESPACE::OpSchema::Attribute& theirs = found->second;
    EXPECT_EQ(type_of_proto(theirs.type), ours.type) << ours.name;
    EXPECT_EQ(theirs.required, ours.need == Need::Required) << ours.name;
    ASSERT_EQ(theirs.default_value.has_type(), ours.default_value.has_value()) << ours.name;
    if (ours.default_value) {
      EXPECT_EQ(value_of(theirs.default_value), *ours.default_value) << ours.name;
      EXPECT_EQ(type_of(*ours.default_value), ours.type) << ours.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OnnxRegistry, Schema, ::testing::ValuesIn(versions_that_onnx_knows()),
                         [](const auto& parameter) {
                           std::string text = to_string(parameter.param);
                           std::ranges::replace(text, '-', '_');
                           return text;
                         });

TEST(OnnxRegistry, KnowsThirteenVersionsAndNoOthers) {
  EXPECT_EQ(versions_that_onnx_knows().size(), 13U);
  std::set<OperatorVersion> theirs;
  for (const auto& schema : ONNX_NAMESPACE::OpSchemaRegistry::get_all_schemas_with_history()) {
    for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
      if (schema.domain().empty() && schema.Name() == name(op)) theirs.insert({op, schema.SinceVersion()});
    }
  }
  const auto ours = versions_that_onnx_knows();
  EXPECT_EQ(theirs, std::set<OperatorVersion>(ours.begin(), ours.end()));
}

}  // namespace
}  // namespace cellproof
