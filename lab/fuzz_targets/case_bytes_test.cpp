#include "lab/fuzz_targets/case_bytes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "corpus/suite.hpp"
#include "fuzz/small_case.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

RC_GTEST_PROP(CaseBytes, WhateverTheyAreMakeASmallValidCase, (const std::vector<std::uint8_t>& bytes)) {
  const Case c = case_of_bytes(bytes);
  RC_ASSERT(c.T < 10 && c.N < 10 && c.I <= 17 && c.H <= 17);
  RC_ASSERT(gate_work(c) <= most_gate_work);
  RC_ASSERT(expectation_of(make_problem(c)).kind != Expectation::Kind::Refuse);
  RC_ASSERT(parse_case(to_text(c)) == c);
}

TEST(CaseBytes, ReachEveryValueOfEveryAxisThatIsSmall) {
  std::set<std::pair<std::string, std::string>> reached;
  for (std::size_t version = 0; version < all_operator_versions().size(); ++version) {
    for (std::size_t axis = 0; axis < axes_of_meaning().size(); ++axis) {
      for (std::uint8_t value = 0; value < 24; ++value) {
        const Case c = case_of_bytes(
            std::vector<std::uint8_t>{static_cast<std::uint8_t>(version), 1, static_cast<std::uint8_t>(axis), value});
        for (const auto& pair : axis_values(c)) reached.insert(pair);
      }
    }
  }
  std::vector<std::string> missed;
  for (const OperatorVersion version : all_operator_versions()) {
    for (const Axis& axis : axes_of_meaning()) {
      const std::vector<std::string> values = axis.values(version);
      const bool is_size = axis.name == "T" || axis.name == "N" || axis.name == "I" || axis.name == "H";
      for (std::size_t k = 1; k < values.size() && !is_size; ++k) {
        if (!reached.contains({std::string(axis.name), values[k]}))
          missed.push_back(std::string(axis.name) + "=" + values[k]);
      }
    }
  }
  EXPECT_EQ(missed, std::vector<std::string>{});
}

/// Byte by byte nothing makes everything large at once often enough for the property to see it.
TEST(CaseBytes, WithEverythingLargeTakeFewSteps) {
  Case large = plain_case({Operator::LSTM, 14}, ElementType::Float, 9, 9, 17, 17);
  large = axis("direction").apply(large, "bidirectional");
  EXPECT_GT(gate_work(large), most_gate_work);
  const Case small = case_of_bytes(bytes_of(large));
  EXPECT_LE(gate_work(small), most_gate_work);
  EXPECT_EQ(small.H, 17);
  EXPECT_EQ(small.I, 17);
  EXPECT_EQ(small.attributes.direction, "bidirectional");
  EXPECT_NE(expectation_of(make_problem(small)).kind, Expectation::Kind::Refuse);
}

TEST(CaseBytes, OfACaseMakeItsAxisValues) {
  std::size_t alike = 0, all = 0;
  for (const corpus::SuiteCase& row : corpus::load_suite("smoke").cases) {
    if (expectation_of(make_problem(row.c)).kind == Expectation::Kind::Refuse) continue;
    ++all;
    if (axis_values(case_of_bytes(bytes_of(row.c))) == axis_values(row.c)) ++alike;
  }
  EXPECT_GT(alike * 10, all * 8) << alike << " of "
                                 << all;  // the rest is large, or its values were applied in another order
}

TEST(CaseBytes, MayBringTheValuesOfX) {
  const std::vector<std::uint8_t> bytes{13, 0x80, 7, 0, 0x00, 0x00, 0x80, 0x3f};
  const Problem problem = make_problem(case_of_bytes(bytes));
  for (std::size_t k = 0; k < problem.input(input::X)->size(); ++k) EXPECT_EQ(problem.input(input::X)->value(k), 1);
}

}  // namespace
}  // namespace cellproof::fuzz
