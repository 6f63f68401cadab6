#include "fuzz/law_suite.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "fuzz/law.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

TEST(LawSuite, HasCasesForEveryLawOfWhichEachSpeaks) {
  const std::vector<corpus::SuiteCase> cases = law_cases(2);
  std::set<std::string> names;
  std::map<std::string, int> of_law;
  for (const auto& [name, c, law] : cases) {
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

}  // namespace
}  // namespace cellproof::fuzz
