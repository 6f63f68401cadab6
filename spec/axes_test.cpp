#include "spec/axes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/expectation.hpp"

namespace cellproof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr OperatorVersion newest_lstm = {Operator::LSTM, 22};

Case small_case(OperatorVersion version) {
  return plain_case(version, ElementType::Float, 3, 2, 4, 5);
}

/// A case far from default, so that a change has much to keep in line.
Case busy(OperatorVersion version) {
  Case c = plain_case(version, ElementType::Float, 1, 1, 9, 7);
  c = axis("direction").apply(c, "bidirectional");
  c = axis("activation.f").apply(c, "Affine");
  c = axis("activation.f.backward").apply(c, "HardSigmoid");
  c = axis("alpha").apply(c, "short");
  c = axis("beta").apply(c, "long");
  c = axis("lengths").apply(c, "with-zero");
  c = axis("input.initial_h").apply(c, "graph");
  for (const std::string_view name : {"columns.W_scale", "columns.R_zero_point"}) {
    if (!axis(name).values(version).empty()) c = axis(name).apply(c, "per-column");
  }
  return c;
}

/// The busy case as a foreign model would bring it: all tensors literal.
Case literal(OperatorVersion version) {
  return case_of(make_problem(busy(version)));
}

std::string refusal(const Case& c) {
  const Expectation expectation = expectation_of(make_problem(c));
  return expectation.violations.empty() ? "" : expectation.violations.front().message;
}

TEST(Axes, HaveNamesTextsAndValuesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Axis& row : axes()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.what.empty()) << row.name;
    EXPECT_EQ(&axis(row.name), &row);
    bool applies = false;
    for (const OperatorVersion& version : all_operator_versions()) {
      const auto values = row.values(version);
      EXPECT_EQ(std::set(values.begin(), values.end()).size(), values.size()) << row.name;
      applies = applies || !values.empty();
    }
    EXPECT_TRUE(applies) << row.name;
  }
  EXPECT_THROW(axis("colour"), std::invalid_argument);
}

TEST(Axes, AreAllAtTheirDefaultInAPlainCase) {
  for (const OperatorVersion& version : all_operator_versions()) {
    EXPECT_THAT(axis_values(small_case(version)), IsEmpty()) << to_string(version);
  }
}

/// Loops over vectors show what they do with the rest of a row in these numbers of units.
TEST(Axes, GiveHTheNeighboursOfVectorWidths) {
  std::vector<std::int64_t> sizes;
  for (const std::string& value : axis("H").values(newest_lstm)) {
    sizes.push_back(axis("H").apply(plain_case(newest_lstm, ElementType::Float, 3, 2, 4, 40), value).H);
  }
  EXPECT_THAT(sizes, ::testing::IsSupersetOf({7, 8, 9, 15, 16, 17}));
}

TEST(Axes, TellTheValueThatTheyWereGiven) {
  for (const OperatorVersion& version : all_operator_versions()) {
    for (const Case& start : {small_case(version), busy(version), literal(version)}) {
      ASSERT_EQ(refusal(start), "") << to_string(version);
      for (const Axis& row : axes()) {
        for (const std::string& value : row.values(version)) {
          SCOPED_TRACE(to_string(version) + " " + std::string(row.name) + "=" + value);
          const Case changed = row.apply(start, value);
          EXPECT_EQ(row.of(changed), value);
          EXPECT_EQ(row.apply(changed, value), changed);
          EXPECT_EQ(refusal(changed), "");
          if (row.of(start) == value) {
            EXPECT_EQ(changed, start);
          }
        }
      }
    }
  }
}

/// From a small case one value changes one axis, but where the text of the axis says what comes along.
TEST(Axes, ChangeNothingElse) {
  const std::map<std::pair<std::string, std::string>, std::vector<std::string>> couplings = {
      {{"alpha", "given"}, {"activation.f"}},
      {{"alpha", "short"}, {"activation.f", "activation.g", "activation.h"}},
      {{"beta", "given"}, {"activation.f"}},
      {{"beta", "short"}, {"activation.f", "activation.g", "activation.h"}},
      {{"input.sequence_lens", "initializer"}, {"lengths"}},
      {{"states", "shared"}, {"input.initial_h", "input.initial_c"}},
  };
  for (const OperatorVersion& version : all_operator_versions()) {
    for (const Axis& row : axes()) {
      const auto values = row.values(version);
      for (std::size_t i = 1; i < values.size(); ++i) {
        SCOPED_TRACE(to_string(version) + " " + std::string(row.name) + "=" + values[i]);
        std::set<std::string> allowed = {std::string(row.name)};
        if (row.name.ends_with(".backward")) allowed.insert("direction");
        if (const auto found = couplings.find({std::string(row.name), values[i]}); found != couplings.end()) {
          allowed.insert(found->second.begin(), found->second.end());
        }
        for (const auto& [name, value] : axis_values(row.apply(small_case(version), values[i]))) {
          EXPECT_TRUE(allowed.contains(name)) << "also changes " << name << " to " << value;
        }
      }
    }
  }
}

RC_GTEST_PROP(Axes, KeepAnyWalkValid, ()) {
  const auto versions = all_operator_versions();
  const OperatorVersion version = versions[*rc::gen::inRange<std::size_t>(0, versions.size())];
  Case c = *rc::gen::arbitrary<bool>() ? small_case(version) : literal(version);
  const auto steps = *rc::gen::container<std::vector<std::pair<unsigned, unsigned>>>(
      rc::gen::pair(rc::gen::arbitrary<unsigned>(), rc::gen::arbitrary<unsigned>()));
  for (const auto& [which, value_number] : steps) {
    const Axis& row = axes()[which % axes().size()];
    const auto values = row.values(version);
    if (values.empty()) continue;
    const std::string value = values[value_number % values.size()];
    RC_LOG() << row.name << "=" << value << "\n";
    c = row.apply(c, value);
    RC_ASSERT(row.of(c) == value);
    RC_ASSERT(refusal(c) == "");
    for (const Axis& other : axes()) {
      const auto others = other.values(version);
      const bool has_one_of_them = others.empty() || std::ranges::find(others, other.of(c)) != others.end();
      RC_ASSERT(has_one_of_them);
    }
  }
}

TEST(Axes, RefuseAValueThatTheVersionDoesNotHave) {
  EXPECT_THROW(axis("direction").apply(small_case(newest_lstm), "backward"), std::invalid_argument);
  EXPECT_THROW(axis("type").apply(small_case({Operator::LSTM, 14}), "bfloat16"), std::invalid_argument);
  EXPECT_THROW(axis("layout").apply(small_case({Operator::LSTM, 7}), "1"), std::invalid_argument);
}

TEST(Axes, AreOfMeaningOrOfPresentation) {
  EXPECT_EQ(axes_of_meaning().size() + axes_of_presentation().size(), axes().size());
  // Where there are no initial states, sharing them would bring them along.
  const Case start =
      axis("input.initial_c").apply(axis("input.initial_h").apply(small_case(newest_lstm), "graph"), "graph");
  Case c = start;
  for (const Axis& row : axes_of_presentation()) c = row.apply(c, row.values(newest_lstm).back());
  for (const Axis& row : axes_of_meaning()) EXPECT_EQ(row.of(c), row.of(start)) << row.name;
  EXPECT_NE(c, start);
}

TEST(Axes, ExistWhereTheirVersionsHaveThem) {
  const auto exists = [](std::string_view name, OperatorVersion version) {
    return !axis(name).values(version).empty();
  };
  EXPECT_TRUE(exists("layout", {Operator::RNN, 14}));
  EXPECT_FALSE(exists("layout", {Operator::RNN, 7}));
  EXPECT_TRUE(exists("output_sequence", {Operator::GRU, 3}));
  EXPECT_FALSE(exists("output_sequence", {Operator::GRU, 7}));
  EXPECT_FALSE(exists("linear_before_reset", {Operator::GRU, 1}));
  EXPECT_FALSE(exists("activation.g", {Operator::RNN, 22}));
  EXPECT_FALSE(exists("input.P", {Operator::GRU, 22}));
  EXPECT_TRUE(exists("columns.R_scale", {Operator::DynamicQuantizeLSTM, 1}));
  EXPECT_FALSE(exists("columns.R_scale", newest_lstm));
  EXPECT_EQ(axis("columns.R_scale").of(small_case(newest_lstm)), "");
  EXPECT_THAT(axis("outputs").values({Operator::GRU, 1}), ElementsAre("Y+Y_h", "Y_h"));
  EXPECT_THAT(axis("outputs").values({Operator::GRU, 3}), ElementsAre("Y+Y_h", "Y_h", "Y", "none"));
}

TEST(Axes, NameWhatIsNotDefault) {
  Case c = small_case(newest_lstm);
  c = axis("direction").apply(c, "reverse");
  c = axis("outputs").apply(c, "Y_h");
  c = axis("T").apply(c, "17");
  EXPECT_THAT(axis_values(c), ElementsAre(Pair("direction", "reverse"), Pair("T", "17"), Pair("outputs", "Y_h")));
}

TEST(Axes, KeepListsInStepWithTheDirection) {
  Case c = axis("activation.g").apply(small_case(newest_lstm), "Elu");
  c = axis("alpha").apply(c, "given");
  c = axis("direction").apply(c, "bidirectional");
  EXPECT_EQ(c.attributes.activations, (std::vector<std::string>{"Sigmoid", "Elu", "Tanh", "Sigmoid", "Tanh", "Tanh"}));
  EXPECT_EQ(c.attributes.activation_alpha->size(), 1U);
  c = axis("activation.h.backward").apply(c, "Affine");
  EXPECT_EQ(c.attributes.activation_alpha->size(), 2U);
  c = axis("direction").apply(c, "reverse");
  EXPECT_EQ(c.attributes.activations, (std::vector<std::string>{"Sigmoid", "Elu", "Tanh"}));
  EXPECT_EQ(c.attributes.activation_alpha->size(), 1U);
  c = axis("activation.g").apply(c, "Tanh");
  EXPECT_EQ(c.attributes.activations, std::nullopt);
  EXPECT_EQ(c.attributes.activation_alpha, std::nullopt);
}

}  // namespace
}  // namespace cellproof
