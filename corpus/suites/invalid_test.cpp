#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "corpus/model.hpp"
#include "corpus/suite.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/rules/rules.hpp"

namespace cellproof::corpus {
namespace {

/// "LSTM-22/clip-nan/nan" -> "clip-nan"
std::string rule_in(const std::string& name) {
  const auto first = name.find('/') + 1;
  return name.substr(first, name.find('/', first) - first);
}

class InvalidSuite : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { suite_ = new Suite(load_suite("invalid")); }
  static void TearDownTestSuite() { delete suite_; }
  static const std::vector<SuiteCase>& cases() { return suite_->cases; }

 private:
  static inline const Suite* suite_ = nullptr;
};

TEST_F(InvalidSuite, NamesAreUnique) {
  std::set<std::string> names;
  for (const auto& [name, c, law, clause] : cases()) EXPECT_TRUE(names.insert(name).second) << name;
  RecordProperty("cases", static_cast<int>(cases().size()));
  EXPECT_GE(cases().size(), 250U);
}

TEST_F(InvalidSuite, EachBreaksExactlyTheRuleInItsName) {
  for (const auto& [name, c, law, clause] : cases()) {
    const auto expectation = expectation_of(make_problem(c));
    EXPECT_EQ(expectation.kind, Expectation::Kind::Refuse) << name;
    std::string broken;
    for (const auto& violation : expectation.violations) broken += violation.rule + "; ";
    EXPECT_EQ(broken, rule_in(name) + "; ") << name;
  }
}

TEST_F(InvalidSuite, EachHasAValidTwinThatLeavesNothingOpen) {
  for (const auto& [name, c, law, clause] : cases()) {
    const auto twin = valid_twin(c);
    ASSERT_TRUE(twin) << name;
    const auto expectation = expectation_of(make_problem(*twin));
    EXPECT_EQ(expectation.kind, Expectation::Kind::Accept) << name;
  }
}

TEST_F(InvalidSuite, CoversEveryVersionAndWhatDiffersBetweenThem) {
  std::set<std::string> names;
  for (const auto& [name, c, law, clause] : cases()) names.insert(name);
  for (const auto version : all_operator_versions()) {
    const auto has = [&](const std::string& rest) { return names.contains(to_string(version) + "/" + rest); };
    for (const char* attribute : {"input_forget", "layout", "linear_before_reset", "output_sequence"}) {
      const bool known = rules_of(version).attribute(attribute) != nullptr;
      EXPECT_EQ(has(std::string("attribute-unknown/") + attribute), !known) << to_string(version) << attribute;
    }
    EXPECT_EQ(has("type-of-X/all-bfloat16"), version.since_version < 22) << to_string(version);
  }
  EXPECT_TRUE(names.contains("GRU-1/missing-Y_h/empty-name"));
  EXPECT_FALSE(names.contains("GRU-3/missing-Y_h/empty-name"));
}

TEST_F(InvalidSuite, CoversEveryRuleThatAProblemCanBreak) {
  std::set<std::string> rules;
  for (const auto& [name, c, law, clause] : cases()) rules.insert(rule_in(name));
  for (const char* rule :
       {"attribute-unknown", "attribute-type", "attribute-repeated", "direction-value", "hidden-size-positive",
        "hidden-size-mismatch", "clip-negative", "clip-nan", "activation-unknown", "activation-count", "input-count",
        "output-count", "length-out-of-range", "rank-of-X", "missing-Y_h"}) {
    EXPECT_TRUE(rules.contains(rule)) << rule;
  }
  for (const auto name : input_names(Operator::DynamicQuantizeLSTM)) {
    const bool required = name == "X" || name == "W" || name == "R" || name.find('_', 1) == 1;
    EXPECT_EQ(rules.contains(fmt::format("missing-{}", name)), required) << name;
    EXPECT_TRUE(rules.contains(fmt::format("type-of-{}", name))) << name;
    EXPECT_EQ(rules.contains(fmt::format("shape-of-{}", name)), name != "X") << name;
  }
}

TEST_F(InvalidSuite, GoesThroughModelsAndCaseTextUnchanged) {
  for (const auto& [name, c, law, clause] : cases()) {
    const std::string model = to_model(make_problem(c));
    const auto read = from_model(model, name);
    std::vector<Tensor> tensors;
    for (const auto position : read.input_positions) tensors.push_back(*make_problem(c).input(position));
    EXPECT_EQ(to_model(bind_inputs(read, tensors, name)), model) << name;  // bytes: a NaN does not equal itself
    EXPECT_EQ(to_text(parse_case(to_text(c))), to_text(c)) << name;
  }
}

}  // namespace
}  // namespace cellproof::corpus
