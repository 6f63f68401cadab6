// The rule tables against the schemas that the pinned onnx package itself registers: every row, both ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

#include "spec/rules/rules.hpp"

namespace cellproof {
namespace {

using Json = nlohmann::json;

/// Schemas that setup/write_onnx_definitions.py has written.
const Json& onnx_schemas() {
  static const Json schemas = Json::parse(std::ifstream(CELLPROOF_ONNX_SCHEMAS)).at("schemas");
  return schemas;
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
    const auto found = std::ranges::find_if(onnx_schemas(), [](const Json& schema) {
      return schema.at("name") == name(GetParam().op) && schema.at("since_version") == GetParam().since_version;
    });
    ASSERT_NE(found, onnx_schemas().end());
    schema_ = *found;
  }
  Json schema_;
  const OperatorRules& rules_ = rules_of(GetParam());
};

void expect_same_arguments(const Json& theirs, const std::vector<ArgumentRule>& ours) {
  ASSERT_EQ(theirs.size(), ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_EQ(theirs[i].at("name"), ours[i].name);
    EXPECT_EQ(theirs[i].at("type"), ours[i].type) << ours[i].name;
    EXPECT_EQ(theirs[i].at("option"), ours[i].need == Need::Optional ? "Optional" : "Single") << ours[i].name;
  }
}

TEST_P(Schema, HasTheSameInputs) {
  expect_same_arguments(schema_.at("inputs"), rules_.inputs);
  EXPECT_EQ(schema_.at("min_input"), rules_.min_inputs());
  EXPECT_EQ(schema_.at("max_input"), rules_.inputs.size());
}

TEST_P(Schema, HasTheSameOutputs) {
  expect_same_arguments(schema_.at("outputs"), rules_.outputs);
  EXPECT_EQ(schema_.at("min_output"), rules_.min_outputs());
  EXPECT_EQ(schema_.at("max_output"), rules_.outputs.size());
}

TEST_P(Schema, HasTheSameTypeConstraints) {
  ASSERT_EQ(schema_.at("types").size(), rules_.types.size());
  for (const auto& [parameter, theirs] : schema_.at("types").items()) {
    const TypeConstraint* ours = rules_.type(parameter);
    ASSERT_NE(ours, nullptr) << parameter;
    std::set<std::string> allowed;
    for (const ElementType type : ours->allowed) allowed.insert("tensor(" + std::string(onnx_name(type)) + ")");
    EXPECT_EQ(theirs.get<std::set<std::string>>(), allowed);
  }
}

AttributeType type_named(const std::string& name) {
  static const std::map<std::string, AttributeType> types = {
      {"INT", AttributeType::Int},   {"FLOAT", AttributeType::Float},   {"STRING", AttributeType::String},
      {"INTS", AttributeType::Ints}, {"FLOATS", AttributeType::Floats}, {"STRINGS", AttributeType::Strings}};
  return types.at(name);
}

AttributeValue value_of(AttributeType type, const Json& value) {
  switch (type) {
    case AttributeType::Int:
      return value.get<std::int64_t>();
    case AttributeType::Float:
      return value.get<float>();
    case AttributeType::String:
      return value.get<std::string>();
    case AttributeType::Ints:
      return value.get<std::vector<std::int64_t>>();
    case AttributeType::Floats:
      return value.get<std::vector<float>>();
    case AttributeType::Strings:
      return value.get<std::vector<std::string>>();
  }
  throw std::logic_error("no such attribute type");
}

TEST_P(Schema, HasTheSameAttributesAndDefaults) {
  const Json& all = schema_.at("attributes");
  EXPECT_EQ(all.size(), rules_.attributes.size());
  for (const AttributeRule& ours : rules_.attributes) {
    const auto theirs = all.find(std::string(ours.name));
    ASSERT_NE(theirs, all.end()) << ours.name;
    EXPECT_EQ(type_named(theirs->at("type")), ours.type) << ours.name;
    EXPECT_EQ(theirs->at("required"), ours.need == Need::Required) << ours.name;
    ASSERT_EQ(theirs->contains("default"), ours.default_value.has_value()) << ours.name;
    if (ours.default_value) {
      EXPECT_EQ(value_of(ours.type, theirs->at("default")), *ours.default_value) << ours.name;
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
  std::set<std::pair<std::string, int>> theirs, ours;
  for (const Json& schema : onnx_schemas()) theirs.emplace(schema.at("name"), schema.at("since_version"));
  for (const OperatorVersion& version : versions_that_onnx_knows())
    ours.emplace(name(version.op), version.since_version);
  EXPECT_EQ(theirs, ours);
}

}  // namespace
}  // namespace cellproof
