#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "corpus/model.hpp"
#include "corpus/suite.hpp"
#include "corpus/suites/basis.hpp"
#include "corpus/testing/onnx_checker.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/rules/activations.hpp"

namespace cellproof::corpus {
namespace {

class SmokeSuite : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { suite_ = new Suite(load_suite("smoke")); }
  static void TearDownTestSuite() { delete suite_; }
  static const std::vector<SuiteCase>& cases() { return suite_->cases; }

  /// Is there a case of the version with all these axis values?
  static bool holds(OperatorVersion version, const std::vector<std::pair<std::string_view, std::string_view>>& wanted) {
    return std::any_of(cases().begin(), cases().end(), [&](const SuiteCase& made) {
      return made.c.version == version && std::all_of(wanted.begin(), wanted.end(), [&](const auto& choice) {
               return axis(choice.first).of(made.c) == choice.second;
             });
    });
  }

 private:
  static inline const Suite* suite_ = nullptr;
};

TEST_F(SmokeSuite, NamesAndCasesAreUnique) {
  std::set<std::string> names;
  std::set<std::string> lines;
  for (const auto& [name, c, law, clause] : cases()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(lines.insert(to_text(c)).second) << name;
    EXPECT_TRUE(name.starts_with(to_string(c.version) + "/")) << name;
  }
  RecordProperty("cases", static_cast<int>(cases().size()));
  EXPECT_GE(cases().size(), 600U);
  EXPECT_LE(cases().size(), 1000U) << "a smoke suite must stay quick";
}

TEST_F(SmokeSuite, EveryCaseIsValid) {
  int accepted = 0;
  for (const auto& [name, c, law, clause] : cases()) {
    const auto expectation = expectation_of(make_problem(c));
    ASSERT_NE(expectation.kind, Expectation::Kind::Refuse) << name << ": " << expectation.violations.at(0).message;
    accepted += expectation.kind == Expectation::Kind::Accept ? 1 : 0;
  }
  EXPECT_GE(accepted * 4, static_cast<int>(cases().size()) * 3) << "too many cases that an engine may as well refuse";
}

/// Values that only the newest version has in the suite.
bool is_for_newest(std::string_view name, std::string_view value) {
  const bool is_size = (name == "T" || name == "N" || name == "I" || name == "H") && value != "0";
  const bool is_list_length = (name == "alpha" || name == "beta") && value != "given";
  const bool is_presented =
      std::ranges::find(axes_of_presentation(), name, &Axis::name) != axes_of_presentation().end();
  return is_size || is_list_length || is_presented || name.ends_with(".backward") ||
         (name == "regime" && (value == "special" || value == "subnormal" || value == "zero"));
}

TEST_F(SmokeSuite, EveryValueOfEveryAxisOccursInEveryVersion) {
  for (const auto version : all_operator_versions()) {
    for (const Axis& row : axes()) {
      if (row.name == "weights" || row.name == "states") continue;  // pairs has them
      for (const auto& value : row.values(version)) {
        if (!is_newest(version) && is_for_newest(row.name, value)) continue;
        EXPECT_TRUE(holds(version, {{row.name, value}})) << to_string(version) << " " << row.name << "=" << value;
      }
    }
  }
}

TEST_F(SmokeSuite, FeaturesMeetEveryDirectionAndLayout) {
  const std::vector<std::pair<std::string_view, std::string_view>> features{
      {"lengths", "ragged"},        {"lengths", "with-zero"},     {"lengths", "one"},   {"clip", "biting"},
      {"input_forget", "1"},        {"linear_before_reset", "1"}, {"input.B", "graph"}, {"input.initial_h", "graph"},
      {"input.initial_c", "graph"}, {"input.P", "graph"},         {"outputs", "Y"},     {"outputs", "Y_h"},
      {"type", "float16"}};
  for (const auto version : all_operator_versions()) {
    if (!is_newest(version)) continue;
    for (const auto& feature : features) {
      const auto values = axis(feature.first).values(version);
      if (std::find(values.begin(), values.end(), feature.second) == values.end()) continue;
      for (const std::string_view other : {"direction", "layout"}) {
        for (const auto& value : axis(other).values(version)) {
          if (value == "2") continue;  // met alone: it may be refused
          EXPECT_TRUE(holds(version, {feature, {other, value}}))
              << to_string(version) << " " << feature.first << "=" << feature.second << " " << other << "=" << value;
        }
      }
    }
  }
}

TEST_F(SmokeSuite, EveryFunctionStandsInEverySlotWithDefaultAndGivenParameters) {
  for (const auto version : all_operator_versions()) {
    if (!is_newest(version)) continue;
    for (const std::string_view slot : {"activation.f", "activation.g", "activation.h"}) {
      for (const auto& value : axis(slot).values(version)) {
        const auto* function = activation_exactly(value);
        EXPECT_TRUE(holds(version, {{slot, value}})) << to_string(version) << " " << slot << "=" << value;
        for (const char* style : {"given", "absent"}) {
          const bool alpha = !function->uses_alpha || holds(version, {{slot, value}, {"alpha", style}});
          const bool beta = !function->uses_beta || holds(version, {{slot, value}, {"beta", style}});
          EXPECT_TRUE(alpha && beta) << to_string(version) << " " << slot << "=" << value << " " << style;
        }
      }
    }
  }
}

TEST_F(SmokeSuite, SizesOfACaseDiffer) {
  for (const auto& [name, c, law, clause] : cases()) {
    const std::set<std::int64_t> sizes{c.T, c.N, c.I, c.H};
    EXPECT_EQ(sizes.size(), 4U) << name;
  }
}

TEST_F(SmokeSuite, EveryModelPassesTheCheckerWithFullShapeInference) {
  OnnxChecker checker;
  for (const auto& [name, c, law, clause] : cases()) {
    // The checker asks for a shape of each graph output; runtimes do without, and so do files in the field.
    if (c.presentation.dims == Dims::Unranked) continue;
    std::string file = name;
    std::ranges::replace(file, '/', '_');
    checker.add(fmt::format("{}-{}", checker.models(), file), to_model(make_problem(c)));
  }
  EXPECT_GE(checker.models(), static_cast<int>(cases().size() - all_operators().size()));
  EXPECT_EQ(checker.complaints(), "");
}

TEST_F(SmokeSuite, LinesAreReadAsTheyWereWritten) {
  for (const auto& [name, c, law, clause] : cases()) EXPECT_EQ(parse_case(to_text(c)), c) << name;
}

TEST_F(SmokeSuite, IsTheSameEveryTime) {
  const Suite again = load_suite("smoke");
  ASSERT_EQ(again.cases.size(), cases().size());
  for (std::size_t i = 0; i < cases().size(); ++i) {
    EXPECT_EQ(again.cases[i].name, cases()[i].name);
    EXPECT_EQ(again.cases[i].c, cases()[i].c);
  }
}

}  // namespace
}  // namespace cellproof::corpus
