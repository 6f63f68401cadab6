#include "spec/rules/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "spec/rules/activations.hpp"

namespace cellproof {
namespace {

using ::testing::ElementsAre;

/// One line of the page "com.microsoft - DynamicQuantizeLSTM", section Inputs or Outputs, copied by hand: name,
/// "(optional)" or not, type, and the shape in the page's words turned into symbols.
struct PageLine {
  std::string_view name;
  bool optional;
  std::string_view type;
  std::string_view shape;
};

void expect_page(const std::vector<ArgumentRule>& rules, std::span<const PageLine> page) {
  ASSERT_EQ(rules.size(), page.size());
  for (std::size_t i = 0; i < page.size(); ++i) {
    EXPECT_EQ(rules[i].name, page[i].name);
    EXPECT_EQ(rules[i].need == Need::Optional, page[i].optional) << page[i].name;
    EXPECT_EQ(rules[i].type, page[i].type) << page[i].name;
    EXPECT_EQ(rules[i].shape, page[i].shape) << page[i].name;
    EXPECT_EQ(rules[i].shape_layout1, page[i].shape) << page[i].name << ": the page has no layout";
  }
}

constexpr OperatorVersion quantized_lstm = {Operator::DynamicQuantizeLSTM, 1};

TEST(DynamicQuantizeLSTMPage, HasTheseInputs) {
  constexpr std::array<PageLine, 12> page = {{
      {"X", false, "T", "[T,N,I]"},                    // [seq_length, batch_size, input_size]
      {"W", false, "T2", "[D,I,4H]"},                  // [num_directions, input_size, 4*hidden_size]
      {"R", false, "T2", "[D,H,4H]"},                  // [num_directions, hidden_size, 4*hidden_size]
      {"B", true, "T", "[D,8H]"},                      // [num_directions, 8*hidden_size]
      {"sequence_lens", true, "T1", "[N]"},            // [batch_size]
      {"initial_h", true, "T", "[D,N,H]"},             // [num_directions, batch_size, hidden_size]
      {"initial_c", true, "T", "[D,N,H]"},             // [num_directions, batch_size, hidden_size]
      {"P", true, "T", "[D,3H]"},                      // [num_directions, 3*hidde_size]
      {"W_scale", false, "T", "[D] or [D,4H]"},        // [num_directions] or [num_directions, 4*hidden_size]
      {"W_zero_point", false, "T2", "[D] or [D,4H]"},  // the same two
      {"R_scale", false, "T", "[D] or [D,4H]"},
      {"R_zero_point", false, "T2", "[D] or [D,4H]"},
  }};
  expect_page(rules_of(quantized_lstm).inputs, page);
}

TEST(DynamicQuantizeLSTMPage, HasTheseOutputs) {
  constexpr std::array<PageLine, 3> page = {{
      {"Y", true, "T", "[T,D,N,H]"},  // [seq_length, num_directions, batch_size, hidden_size]
      {"Y_h", true, "T", "[D,N,H]"},  // [num_directions, batch_size, hidden_size]
      {"Y_c", true, "T", "[D,N,H]"},  // [num_directions, batch_size, hidden_size]
  }};
  expect_page(rules_of(quantized_lstm).outputs, page);
  EXPECT_EQ(rules_of(quantized_lstm).min_outputs(), 0U);  // "Between 0 and 3 outputs."
}

TEST(DynamicQuantizeLSTMPage, HasTheseAttributes) {
  std::vector<std::string_view> names;
  for (const AttributeRule& rule : rules_of(quantized_lstm).attributes) names.push_back(rule.name);
  EXPECT_THAT(names, ElementsAre("activation_alpha", "activation_beta", "activations", "clip", "direction",
                                 "hidden_size", "input_forget"));
}

TEST(DynamicQuantizeLSTMPage, LeavesTypesToTheKernel) {
  const OperatorRules& rules = rules_of(quantized_lstm);
  EXPECT_THAT(rules.type("T")->allowed, ElementsAre(ElementType::Float));
  EXPECT_THAT(rules.type("T1")->allowed, ElementsAre(ElementType::Int32));
  EXPECT_THAT(rules.type("T2")->allowed, ElementsAre(ElementType::UInt8, ElementType::Int8));
}

TEST(Rules, AgreeWithTheOperatorsVocabulary) {
  for (const OperatorVersion& version : all_operator_versions()) {
    const OperatorRules& rules = rules_of(version);
    EXPECT_EQ(rules.version, version);
    EXPECT_TRUE(std::ranges::equal(rules.inputs, input_names(version.op), {}, &ArgumentRule::name));
    EXPECT_TRUE(std::ranges::equal(rules.outputs, output_names(version.op), {}, &ArgumentRule::name));
    EXPECT_EQ(rules.gates.size(), static_cast<std::size_t>(gate_count(version.op)));
    EXPECT_EQ(rules.slots.size(), static_cast<std::size_t>(activation_count(version.op)));
    EXPECT_EQ(rules.default_activations.size(), rules.slots.size());
    EXPECT_TRUE(std::ranges::is_sorted(rules.attributes, {}, &AttributeRule::name));
    for (const std::string_view activation : rules.default_activations) {
      EXPECT_NE(activation_exactly(activation), nullptr) << activation;
    }
  }
}

TEST(Rules, KnowNoOtherVersion) {
  EXPECT_THROW(rules_of({Operator::LSTM, 3}), std::invalid_argument);
  EXPECT_THROW(rules_of({Operator::DynamicQuantizeLSTM, 7}), std::invalid_argument);
}

TEST(Rules, PermuteLayoutOneAndNothingElse) {
  for (const OperatorVersion& version : all_operator_versions()) {
    const OperatorRules& rules = rules_of(version);
    if (rules.attribute("layout") == nullptr) continue;
    for (const ArgumentRule& rule : rules.inputs) {
      const bool moves = rule.name == "X" || rule.name == "initial_h" || rule.name == "initial_c";
      EXPECT_EQ(rule.shape != rule.shape_layout1, moves) << to_string(version) << " " << rule.name;
    }
    EXPECT_EQ(rules.outputs[output::Y].shape, "[T,D,N,H]");
    EXPECT_EQ(rules.outputs[output::Y].shape_layout1, "[N,T,D,H]");
    EXPECT_EQ(rules.outputs[output::Y_h].shape_layout1, "[N,D,H]");
  }
}

}  // namespace
}  // namespace cellproof
