#include "fuzz/law_suite.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "fuzz/law.hpp"
#include "fuzz/law_case.hpp"
#include "spec/axes.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

TEST(LawSuite, HasCasesForEveryLawOfWhichEachSpeaks) {
  const std::vector<corpus::SuiteCase> cases = law_cases(2);
  std::set<std::string> names;
  std::map<std::string, int> of_law;
  for (const auto& [name, c, law, clause] : cases) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(name.starts_with(law + "/")) << name;
    const Problem problem = make_problem(c);
    EXPECT_EQ(expectation_of(problem).kind, Expectation::Kind::Accept) << name;
    EXPECT_TRUE(trial_of(law_named(law), problem).has_value()) << name;
    ++of_law[law];
  }
  for (const Law& law : laws()) {
    EXPECT_GE(of_law[std::string(law.id)], 1) << law.id;
    EXPECT_LE(of_law[std::string(law.id)], 8) << law.id;
  }
}

/// Axis values that cases of a law of an operator have, other than their defaults.
using Values = std::map<std::pair<std::string, Operator>, std::set<std::string>>;

void add_values(const std::string& law, const Case& c, Values& values) {
  for (const auto& [axis, value] : axis_values(c)) values[{law, c.version.op}].insert(axis + "=" + value);
}

/// Compared with as many cases as they come.
TEST(LawSuite, SpreadsOverTheAxesThatALawLeavesOpen) {
  Values spread, drawn;
  std::map<std::pair<std::string, Operator>, std::size_t> counts;
  for (const auto& [name, c, law, clause] : law_cases(12)) {
    add_values(law, c, spread);
    EXPECT_LE((++counts[{law, c.version.op}]), 12U) << name;
  }
  counts.clear();
  for (std::uint64_t index = 0; index < 300; ++index) {
    const Case c = case_of(drawn_recipe(5, index));
    const Problem problem = make_problem(c);
    for (const std::string law : {"zero-bias", "odd-function", "layout", "time-split"}) {
      std::size_t& count = counts[{law, c.version.op}];
      if (count == 12 || !trial_of(law_named(law), problem)) continue;
      ++count;
      add_values(law, c, drawn);
    }
  }
  std::size_t values_spread = 0, values_drawn = 0;
  for (const auto& [key, values] : drawn) {
    values_spread += spread[key].size();
    values_drawn += values.size();
  }
  EXPECT_GT(values_spread, values_drawn * 5 / 4);
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (const std::string value : {"direction=reverse", "direction=bidirectional", "layout=1"})
      EXPECT_TRUE((spread[{"zero-bias", op}].contains(value))) << name(op) << " " << value;
  }
}

}  // namespace
}  // namespace cellproof::fuzz
