#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "corpus/suites/suites.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::corpus::catalogue {
namespace {

/// Counts the cases that have a value of an axis.
std::size_t with(std::string_view name, std::string_view value) {
  const auto all = deployed();
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const SuiteCase& each) { return axis(name).of(each.c) == value; }));
}

TEST(DeployedSuite, HasWhatWasMetAsOftenAsItWasMet) {
  std::set<std::string> names, lines;
  std::map<Operator, int> nodes;
  for (const SuiteCase& each : deployed()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_TRUE(lines.insert(to_text(each.c)).second) << each.name;
    EXPECT_EQ(expectation_of(each.c).kind, Expectation::Kind::Accept) << each.name;
    EXPECT_EQ(parse_case(to_text(each.c)), each.c) << each.name;
    ++nodes[each.c.version.op];
  }
  EXPECT_EQ(nodes,
            (std::map<Operator, int>{{Operator::LSTM, 14}, {Operator::GRU, 14}, {Operator::DynamicQuantizeLSTM, 14}}));
  EXPECT_EQ(with("direction", "forward"), 18U);
  EXPECT_EQ(with("direction", "bidirectional"), 24U);
  EXPECT_EQ(with("lengths", "ragged"), 9U);
  EXPECT_EQ(with("nesting", "flat"), 34U);
  EXPECT_EQ(with("dims", "static"), 1U);
  EXPECT_EQ(with("weights", "computed"), 9U);
  EXPECT_EQ(with("T", "18-"), 31U);
}

}  // namespace
}  // namespace cellproof::corpus::catalogue
