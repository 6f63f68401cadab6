#include "fuzz/suites.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Suites, AreListedAndLoadByName) {
  std::vector<std::string_view> names;
  for (const corpus::SuiteInfo& info : suites()) {
    names.push_back(info.name);
    EXPECT_FALSE(info.what.empty());
  }
  EXPECT_THAT(names, ElementsAre("onnx-backend", "smoke", "invalid", "readings", "limits", "regressions", "deployed",
                                 "pairs", "violations", "triples", "laws"));
  EXPECT_EQ(load_suite("readings").cases.size(), corpus::load_suite("readings").cases.size());
  EXPECT_EQ(load_suite("pairs").name, "pairs");
}

TEST(Suites, TiersNameSuitesThatExist) {
  for (const auto& tier : tiers()) {
    for (const auto suite : tier.suites) EXPECT_THAT(expand_suite_argument(suite), ElementsAre(std::string(suite)));
  }
  EXPECT_THAT(expand_suite_argument("quick"), ElementsAre("onnx-backend", "smoke", "invalid"));
  EXPECT_THAT(expand_suite_argument("ci"), ElementsAre("onnx-backend", "smoke", "invalid", "readings", "limits",
                                                       "regressions", "pairs", "violations", "laws"));
  EXPECT_EQ(expand_suite_argument("nightly").size(), expand_suite_argument("ci").size() + 2);
  EXPECT_THAT(expand_suite_argument("nightly"), ::testing::IsSupersetOf({"deployed", "triples"}));
}

TEST(Suites, AnUnknownNameGetsAListOfWhatThereIs) {
  try {
    expand_suite_argument("pair");
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("no suite or tier 'pair', did you mean pairs? Expected one of quick, ci, nightly, onnx-backend"));
  }
  EXPECT_THROW(load_suite("pair"), std::invalid_argument);
}

using Value = std::pair<std::string, std::string>;  // (axis, value)
using Pair = std::pair<Value, Value>;

/// Asked of the axes themselves; "version" is one of them.
std::vector<Value> values_of(const Case& c) {
  std::vector<Value> values = {{"version", std::to_string(c.version.since_version)}};
  for (const Axis& row : axes_of_meaning()) {
    if (!row.values(c.version).empty()) values.emplace_back(row.name, row.of(c));
  }
  return values;
}

std::set<Pair> pairs_in(const std::vector<corpus::SuiteCase>& cases, Operator op) {
  std::set<Pair> pairs;
  for (const auto& [name, c, law, clause] : cases) {
    if (c.version.op != op) continue;
    const std::vector<Value> values = values_of(c);
    for (std::size_t a = 0; a < values.size(); ++a) {
      for (std::size_t b = a + 1; b < values.size(); ++b) pairs.emplace(values[a], values[b]);
    }
  }
  return pairs;
}

const std::vector<corpus::SuiteCase>& cases_of(std::string_view suite) {
  static std::map<std::string_view, corpus::Suite> loaded;
  const auto [entry, is_new] = loaded.try_emplace(suite);
  if (is_new) entry->second = load_suite(suite);
  return entry->second.cases;
}

class PairsOf : public ::testing::TestWithParam<Operator> {};

/// A value that cannot be had from some start is had from another.
std::vector<Case> starts_of(OperatorVersion version) {
  const Case small = plain_case(version, ElementType::Float, 3, 2, 4, 5);
  Case busy = axis("direction").apply(small, "bidirectional");
  for (const Axis& row : axes()) {
    if (row.name.starts_with("activation.") && !row.values(version).empty()) busy = row.apply(busy, "HardSigmoid");
  }
  busy = axis("lengths").apply(busy, "ragged");
  return {small, busy};
}

/// NaN and infinities have no range to quantise by.
bool verifies_nothing(Operator op, const Value& value) {
  return op == Operator::DynamicQuantizeLSTM && value == Value{"regime", "special"};
}

/// Knows nothing of the tables of exclusions: it makes cases through the axes wherever it can, and what comes of it
/// must be covered. Both orders, because what is applied second may take the first away.
TEST_P(PairsOf, EveryPairThatCanBeMadeIsInSomeCase) {
  const std::set<Pair> covered = pairs_in(cases_of("pairs"), GetParam());
  std::size_t made = 0;
  std::set<Pair> missing;
  const auto check = [&](const Value& first, const Value& second) {
    ++made;
    if (verifies_nothing(GetParam(), first) || verifies_nothing(GetParam(), second)) return;
    if (!covered.contains({first, second}) && !covered.contains({second, first})) missing.emplace(first, second);
  };
  for (const OperatorVersion version : all_operator_versions()) {
    if (version.op != GetParam()) continue;
    for (const Case& start : starts_of(version)) {
      for (const Axis& first : axes_of_meaning()) {
        for (const std::string& first_value : first.values(version)) {
          const Case once = first.apply(start, first_value);
          check({"version", std::to_string(version.since_version)}, {std::string(first.name), first.of(once)});
          // Between the oldest and the newest there is nothing that neither has.
          if (version.since_version != 1 && version.since_version != 22) continue;
          for (const Axis& second : axes_of_meaning()) {
            for (const std::string& second_value : second.values(version)) {
              const Case twice = second.apply(once, second_value);
              if (&first != &second && first.of(twice) == first_value) {
                check({std::string(first.name), first_value}, {std::string(second.name), second_value});
              }
            }
          }
        }
      }
    }
  }
  EXPECT_GT(made, 20'000U);
  for (const auto& [first, second] : missing) {
    ADD_FAILURE() << first.first << "=" << first.second << " with " << second.first << "=" << second.second;
  }
}

/// Honest values that overflow, or that nothing is said of, verify nothing.
void expect_to_verify_something(const corpus::SuiteCase& each, Operator op) {
  const Case& c = each.c;
  const std::vector<Value> values = values_of(c);
  for (const Value& value : values) EXPECT_FALSE(verifies_nothing(op, value)) << each.name;
  const bool fierce = c.regime == Regime::Saturating || c.regime == Regime::Chaotic;
  if (!fierce || c.T < 7 || axis("clip").of(c) == "biting") return;
  for (const Value& value : values) {
    if (!value.first.starts_with("activation.")) continue;
    EXPECT_THAT(value.second, AnyOf("Sigmoid", "Tanh", "HardSigmoid", "ScaledTanh", "Softsign")) << each.name;
  }
}

TEST_P(PairsOf, HasCasesThatAreValidDifferentSmallAndVerifySomething) {
  std::set<std::string> lines;
  std::size_t count = 0;
  for (const corpus::SuiteCase& each : cases_of("pairs")) {
    const Case& c = each.c;
    const std::string& name = each.name;
    if (c.version.op != GetParam()) continue;
    ++count;
    expect_to_verify_something(each, GetParam());
    EXPECT_TRUE(lines.insert(to_text(c)).second) << name;
    EXPECT_EQ(parse_case(to_text(c)), c) << name;
    EXPECT_TRUE(expectation_of(make_problem(c)).violations.empty()) << name;
    EXPECT_LE(c.T * c.N * (c.I + c.H) * c.H, 33 * 33 * (9 + 33) * 9) << name;
  }
  fmt::print("{}: {} cases\n", name(GetParam()), count);
  EXPECT_GE(count, 121U);
}

/// Presentations meet what an engine may overlook for them, and little else.
TEST_P(PairsOf, HasEveryPresentationBesideDirectionsLengthsAndOutputs) {
  const OperatorVersion version = newest(GetParam());
  std::set<Pair> met;
  std::size_t count = 0;
  for (const corpus::SuiteCase& each : cases_of("pairs")) {
    if (each.c.version != version || each.name.find("/presentation/") == std::string::npos) continue;
    ++count;
    for (const Axis& row : axes_of_presentation()) {
      for (const Axis& other : axes())
        met.emplace(Value(row.name, row.of(each.c)), Value(other.name, other.of(each.c)));
    }
  }
  EXPECT_LE(count, 80U);
  for (const Axis& row : axes_of_presentation()) {
    for (const std::string& value : row.values(version)) {
      for (const std::string_view name : {"direction", "lengths", "outputs", "input.initial_h"}) {
        for (const std::string& other : axis(name).values(version)) {
          const bool has_nothing_to_share = value == "shared" && (other == "absent" || other == "empty");
          if (has_nothing_to_share && name == "input.initial_h") continue;
          EXPECT_TRUE(met.contains({Value(row.name, value), Value(name, other)})) << value << " with " << other;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Operators, PairsOf,
                         ::testing::Values(Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM),
                         [](const auto& instance) { return std::string(name(instance.param)); });

/// One test, since each that looks at this suite makes it, which takes seconds.
TEST(Violations, BreakTheRuleInTheirNameAloneInEveryDirectionTypeAndActivation) {
  std::map<std::string, std::size_t> rules;
  std::map<std::string, std::set<std::string>> met;  // rule, by LSTM -> "axis=value"
  std::set<std::string> names;
  std::size_t open = 0;
  for (const auto& [name, c, law, clause] : cases_of("violations")) {
    const std::string rest = name.substr(name.find('/') + 1);
    const std::string rule = rest.substr(0, rest.find('/'));
    ++rules[fmt::format("{} {}", cellproof::name(c.version.op), rule)];
    if (c.version.op == Operator::LSTM) {
      for (const auto& [axis, value] : values_of(c)) met[rule].insert(fmt::format("{}={}", axis, value));
    }
    EXPECT_TRUE(names.insert(name).second) << name;
    const Expectation expectation = expectation_of(make_problem(c));
    ASSERT_EQ(expectation.violations.size(), 1U) << name;
    EXPECT_EQ(expectation.violations[0].rule, rule) << name;
    const auto twin = valid_twin(c);
    ASSERT_TRUE(twin) << name;
    EXPECT_NE(expectation_of(make_problem(*twin)).kind, Expectation::Kind::Refuse) << name;
    open += expectation_of(make_problem(*twin)).kind == Expectation::Kind::Either;
  }
  fmt::print("{} cases, the twins of {} leave something open\n", cases_of("violations").size(), open);
  EXPECT_LE(open, cases_of("violations").size() / 50);
  // Every rule that the suite of hand-written breaches breaks.
  for (const auto& [name, c, law, clause] : cases_of("invalid")) {
    const std::string rest = name.substr(name.find('/') + 1);
    const std::string rule = fmt::format("{} {}", cellproof::name(c.version.op), rest.substr(0, rest.find('/')));
    EXPECT_TRUE(rules.contains(rule)) << rule;
  }
  for (const char* value : {"direction=reverse", "direction=bidirectional", "layout=1", "clip=biting", "type=double",
                            "activation.g=Elu", "input.P=graph", "T=17", "N=18-", "outputs=Y_c"}) {
    EXPECT_TRUE(met["shape-of-R"].contains(value)) << value;
    EXPECT_TRUE(met["attribute-unknown"].contains(value)) << value;
  }
}

/// All that is known of an expectation, in one line.
std::string text_of(const Expectation& expectation) {
  std::string text(name(expectation.kind));
  for (const Violation& violation : expectation.violations) text += fmt::format("; {}", violation.message);
  for (const Clause clause : expectation.clauses) text += fmt::format(" {}", info(clause).id);
  return text;
}

TEST(Expectations, AreTheSameWhereNoFloatingPointValueIsMade) {
  for (const char* suite : {"smoke", "invalid", "readings", "pairs"}) {
    for (const corpus::SuiteCase& one : load_suite(suite).cases)
      EXPECT_EQ(text_of(expectation_of(one.c)), text_of(expectation_of(make_problem(one.c)))) << to_text(one.c);
  }
}

}  // namespace
}  // namespace cellproof::fuzz
