#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "corpus/suites/suites.hpp"
#include "spec/expectation.hpp"
#include "spec/problem.hpp"

namespace cellproof::corpus::catalogue {
namespace {

TEST(LimitsSuite, HasEverySizeOfEveryOperatorOnceInAValidCase) {
  std::set<std::string> names;
  for (const Operator op : all_operators()) {
    for (const auto& [field, value] : {std::pair{&Case::T, 66},
                                       {&Case::T, 130},
                                       {&Case::N, 40},
                                       {&Case::H, 65},
                                       {&Case::H, 129},
                                       {&Case::H, 257},
                                       {&Case::I, 129}}) {
      const auto fits = [&](const SuiteCase& each) { return each.c.version.op == op && each.c.*field == value; };
      const std::vector<SuiteCase> all = limits();
      ASSERT_EQ(std::ranges::count_if(all, fits), 1) << name(op) << " " << value;
      const Problem problem = make_problem(std::ranges::find_if(all, fits)->c);
      EXPECT_EQ(expectation_of(problem).kind, Expectation::Kind::Accept) << name(op) << " " << value;
    }
  }
  for (const SuiteCase& each : limits()) EXPECT_TRUE(names.insert(each.name).second) << each.name;
  EXPECT_TRUE(names.contains("LSTM-22/type=double"));
  EXPECT_TRUE(names.contains("GRU-22/layout=1,T=1"));
  EXPECT_TRUE(names.contains("RNN-22/rich,constant-nodes"));
}

}  // namespace
}  // namespace cellproof::corpus::catalogue
