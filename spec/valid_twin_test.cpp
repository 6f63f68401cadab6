// One broken case for each rule and each version where it can be broken: the rule is found, alone, and repaired.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "spec/expectation.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof {
namespace {

bool always(OperatorVersion) {
  return true;
}
bool has(OperatorVersion version, std::string_view attribute) {
  return rules_of(version).attribute(attribute) != nullptr;
}
bool quantised(OperatorVersion version) {
  return version.op == Operator::DynamicQuantizeLSTM;
}
bool lstm_like(OperatorVersion version) {
  return has_cell_state(version.op);
}

/// The case before it is broken: everything given, so that each rule has something to break.
Case whole(OperatorVersion version) {
  Case c = plain_case(version, ElementType::Float, 7, 6, 9, 5);
  for (CaseInput& in : c.inputs) in.presence = Presence::Given;
  if (has(version, "output_sequence")) c.attributes.output_sequence = 1;
  const auto lengths = {7.0, 1.0, 3.0, 7.0, 2.0, 5.0};
  c.inputs[input::sequence_lens].values = Tensor::from_values(ElementType::Int32, {6}, std::vector<double>(lengths));
  return c;
}

/// Way to break one rule. `restored`: the repair gives back the very case that was broken.
struct Breakage {
  std::string_view rule;
  std::function<void(Case&)> apply;
  std::function<bool(OperatorVersion)> possible = always;
  bool restored = true;
};

Breakage unknown_attribute(std::string_view attribute, void (*apply)(Case&)) {
  return {"attribute-unknown", apply, [attribute](OperatorVersion version) { return !has(version, attribute); }};
}

Breakage wrong_shape(std::size_t position, void (*change)(Shape&),
                     std::function<bool(OperatorVersion)> possible = always) {
  static constexpr std::array<std::string_view, 12> rules = {
      "rank-of-X",          "shape-of-W",           "shape-of-R", "shape-of-B",       "shape-of-sequence_lens",
      "shape-of-initial_h", "shape-of-initial_c",   "shape-of-P", "shape-of-W_scale", "shape-of-W_zero_point",
      "shape-of-R_scale",   "shape-of-R_zero_point"};
  return {rules[position],
          [=](Case& c) {
            Shape shape = default_shape(c, position);
            change(shape);
            c.inputs[position].values = Generated{};
            c.inputs[position].shape = shape;
          },
          std::move(possible), position != input::sequence_lens};
}

Breakage wrong_type(std::size_t position, std::string_view rule, ElementType type,
                    std::function<bool(OperatorVersion)> possible = always) {
  return {rule,
          [=](Case& c) {
            c.inputs[position].values = Generated{};
            c.inputs[position].type = type;
          },
          std::move(possible), position != input::sequence_lens};
}

Breakage missing(std::size_t position, std::string_view rule, Presence presence,
                 std::function<bool(OperatorVersion)> possible = always) {
  return {rule, [=](Case& c) { c.inputs[position].presence = presence; }, std::move(possible)};
}

void set_length(Case& c, double length) {
  std::get<Tensor>(c.inputs[input::sequence_lens].values).set_value(3, length);
}
void grow_last(Shape& shape) {
  ++shape.back();
}
void grow_first(Shape& shape) {
  ++shape.front();
}
void drop_last(Shape& shape) {
  shape.pop_back();
}
void make_scalar(Shape& shape) {
  shape.clear();
}
void add_one(Shape& shape) {
  shape.push_back(1);
}

std::vector<Breakage> breakages() {
  static constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto bf16_missing = [](OperatorVersion version) { return version.since_version < 22; };
  return {
      unknown_attribute("layout", [](Case& c) { c.attributes.layout = 0; }),
      unknown_attribute("output_sequence", [](Case& c) { c.attributes.output_sequence = 0; }),
      unknown_attribute("linear_before_reset", [](Case& c) { c.attributes.linear_before_reset = 0; }),
      unknown_attribute("input_forget", [](Case& c) { c.attributes.input_forget = 1; }),
      {"attribute-unknown",
       [](Case& c) {
         c.attributes.others = {{"hidden_sice", std::int64_t{5}}};
       }},
      {"attribute-type",
       [](Case& c) {
         c.attributes.others = {{"clip", std::int64_t{1}}};
       }},
      {"attribute-type",
       [](Case& c) {
         c.attributes.hidden_size.reset();
         c.attributes.others = {{"hidden_size", 5.0F}};
       }},
      {"attribute-type",
       [](Case& c) {
         c.attributes.others = {{"direction", std::vector<std::string>{"forward"}}};
       }},
      {"attribute-repeated",
       [](Case& c) {
         c.attributes.others = {{"hidden_size", std::int64_t{5}}};
       }},
      {"direction-value", [](Case& c) { c.attributes.direction = "foward"; }},
      {"direction-value", [](Case& c) { c.attributes.direction = ""; }},
      {"hidden-size-positive", [](Case& c) { c.attributes.hidden_size = 0; }},
      {"hidden-size-positive", [](Case& c) { c.attributes.hidden_size = -5; }},
      {"hidden-size-positive", [](Case& c) { c.H = c.attributes.hidden_size.emplace(0); }, always, false},
      {"hidden-size-mismatch", [](Case& c) { c.attributes.hidden_size = 6; }},
      {"clip-negative", [](Case& c) { c.attributes.clip = -0.5F; }, always, false},
      {"clip-nan", [](Case& c) { c.attributes.clip = nan; }},
      {"activation-unknown",
       [](Case& c) {
         c.attributes.activations.emplace();
         for (const auto name : rules_of(c.version).default_activations) c.attributes.activations->emplace_back(name);
         c.attributes.activations->back() = "Gelu";
       },
       always, false},
      {"activation-count", [](Case& c) { c.attributes.activations = std::vector<std::string>(4, "Tanh"); }, always,
       false},
      {"activation-count", [](Case& c) { c.attributes.activations.emplace(); }, always, false},
      {"input-count", [](Case& c) { c.inputs.emplace_back().presence = Presence::Given; }},
      {"input-count", [](Case& c) { c.inputs.emplace_back().presence = Presence::Empty; }},
      {"output-count", [](Case& c) { c.outputs.push_back(Presence::Given); }},
      missing(input::X, "missing-X", Presence::Empty),
      missing(input::W, "missing-W", Presence::Empty),
      missing(input::R, "missing-R", Presence::Empty),
      missing(input::W_scale, "missing-W_scale", Presence::Empty, quantised),
      missing(input::W_zero_point, "missing-W_zero_point", Presence::Empty, quantised),
      missing(input::R_scale, "missing-R_scale", Presence::Empty, quantised),
      missing(input::R_zero_point, "missing-R_zero_point", Presence::Absent, quantised),
      {"missing-Y_h", [](Case& c) { c.outputs.resize(1); },
       [](OperatorVersion version) {
         return version == OperatorVersion{Operator::GRU, 1};
       }},
      {"type-of-X", [](Case& c) { c.type = ElementType::BFloat16; }, bf16_missing},
      {"type-of-X", [](Case& c) { c.type = ElementType::Int32; }},
      {"type-of-X", [](Case& c) { c.type = ElementType::Double; }, quantised},
      wrong_type(input::X, "type-of-X", ElementType::Int64),
      wrong_type(input::W, "type-of-W", ElementType::Double),
      wrong_type(input::R, "type-of-R", ElementType::Float16),
      wrong_type(input::B, "type-of-B", ElementType::Double),
      wrong_type(input::initial_h, "type-of-initial_h", ElementType::Double),
      wrong_type(input::initial_c, "type-of-initial_c", ElementType::Float16, lstm_like),
      wrong_type(input::P, "type-of-P", ElementType::Double, lstm_like),
      wrong_type(input::R, "type-of-R", ElementType::Int8, quantised),
      wrong_type(input::W_scale, "type-of-W_scale", ElementType::Double, quantised),
      wrong_type(input::W_zero_point, "type-of-W_zero_point", ElementType::Int8, quantised),
      wrong_type(input::R_zero_point, "type-of-R_zero_point", ElementType::Int32, quantised),
      wrong_type(input::sequence_lens, "type-of-sequence_lens", ElementType::Float),
      {"type-of-sequence_lens",
       [](Case& c) {
         CaseInput& in = c.inputs[input::sequence_lens];
         const auto lengths = {7.0, 1.0, 3.0, 7.0, 2.0, 5.0};
         in.values = Tensor::from_values(ElementType::Int64, {6}, std::vector<double>(lengths));
       }},
      wrong_shape(input::X, drop_last),
      wrong_shape(input::X, add_one),
      wrong_shape(input::W, grow_last),
      wrong_shape(input::W, grow_first),
      wrong_shape(input::W, drop_last),
      wrong_shape(input::R, grow_last),
      wrong_shape(input::R, grow_first),
      wrong_shape(input::R, make_scalar),
      wrong_shape(input::B, grow_last),
      wrong_shape(input::B, drop_last),
      wrong_shape(input::sequence_lens, grow_last),
      wrong_shape(input::sequence_lens, add_one),
      wrong_shape(input::initial_h, grow_first),
      wrong_shape(input::initial_h, grow_last),
      wrong_shape(input::initial_c, drop_last, lstm_like),
      wrong_shape(input::P, grow_last, lstm_like),
      wrong_shape(input::W_scale, make_scalar, quantised),
      wrong_shape(input::W_zero_point, add_one, quantised),
      wrong_shape(input::R_scale, grow_first, quantised),
      wrong_shape(input::R_zero_point, make_scalar, quantised),
      {"length-out-of-range", [](Case& c) { set_length(c, 8); }},
      {"length-out-of-range", [](Case& c) { set_length(c, -1); }, always, false},
  };
}

TEST(ValidTwin, EachRuleIsFoundAloneAndRepaired) {
  for (const OperatorVersion& version : all_operator_versions()) {
    const Case original = whole(version);
    ASSERT_NE(expectation_of(make_problem(original)).kind, Expectation::Kind::Refuse) << to_string(version);
    std::size_t number = 0;
    for (const Breakage& breakage : breakages()) {
      ++number;
      if (!breakage.possible(version)) continue;
      SCOPED_TRACE(to_string(version) + ", breakage " + std::to_string(number) + ": " + std::string(breakage.rule));
      Case broken = original;
      breakage.apply(broken);
      const Expectation expectation = expectation_of(make_problem(broken));
      EXPECT_EQ(expectation.kind, Expectation::Kind::Refuse);
      ASSERT_THAT(expectation.violations, ::testing::ElementsAre(::testing::Field(&Violation::rule, breakage.rule)));
      EXPECT_FALSE(expectation.violations[0].clause.empty());
      EXPECT_FALSE(expectation.violations[0].message.empty());
      const auto twin = valid_twin(broken);
      ASSERT_TRUE(twin.has_value());
      EXPECT_NE(expectation_of(make_problem(*twin)).kind, Expectation::Kind::Refuse);
      EXPECT_NE(*twin, broken);
      if (breakage.restored) {
        EXPECT_EQ(*twin, original);
      }
    }
  }
}

TEST(ValidTwin, KeepsWhatNeedsNoRepair) {
  Case c = whole({Operator::LSTM, 22});
  c.attributes.clip = -0.5F;
  Case twin = valid_twin(c).value();
  EXPECT_EQ(twin.attributes.clip, 0.5F);
  twin.attributes.clip = -0.5F;
  EXPECT_EQ(twin, c);
}

TEST(ValidTwin, RepairsSeveralRulesAtOnce) {
  Case c = whole({Operator::LSTM, 14});
  c.type = ElementType::BFloat16;
  c.attributes.direction = "both";
  c.attributes.activations = {"Tanh", "tanH", "Gelu", "Relu"};
  c.attributes.output_sequence = 1;
  c.inputs[input::W].presence = Presence::Absent;
  c.inputs[input::P].shape = Shape{};
  const auto twin = valid_twin(c);
  ASSERT_TRUE(twin.has_value());
  EXPECT_NE(expectation_of(make_problem(*twin)).kind, Expectation::Kind::Refuse);
  EXPECT_EQ(twin->attributes.activations, (std::vector<std::string>{"Tanh", "tanH", "Tanh"}));
}

TEST(ValidTwin, RepairsForeignProblemsMadeOfLiterals) {
  Case c = whole({Operator::LSTM, 22});
  c.type = ElementType::BFloat16;
  Problem problem = make_problem(c);
  problem.version.since_version = 14;
  const auto twin = valid_twin(case_of(problem));
  ASSERT_TRUE(twin.has_value());
  const Problem repaired = make_problem(*twin);
  EXPECT_EQ(expectation_of(repaired).kind, Expectation::Kind::Accept);
  EXPECT_EQ(repaired.input(input::X)->type(), ElementType::Float);
  EXPECT_EQ(repaired.input(input::X)->value(3), problem.input(input::X)->value(3));
}

TEST(ValidTwin, DoesNotExistForValidOrImpossibleCases) {
  Case c = whole({Operator::LSTM, 22});
  EXPECT_EQ(valid_twin(c), std::nullopt);
  c.attributes.hidden_size.reset();
  EXPECT_EQ(valid_twin(c), std::nullopt);
  c.T = -1;
  EXPECT_EQ(valid_twin(c), std::nullopt);
}

}  // namespace
}  // namespace cellproof
