// Errors of Cellproof itself must not return: every case of corpus/regressions, whoever was wrong on it, is computed in
// every honest way, and judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "corpus/regression.hpp"
#include "lab/calibration/calibrate.hpp"
#include "lab/zoo/zoo.hpp"
#include "oracle/crosscheck/crosscheck.hpp"
#include "oracle/value_type.hpp"
#include "spec/expectation.hpp"
#include "spec/reason_words.hpp"

namespace cellproof::lab {
namespace {

using corpus::Regression;

struct Named {
  Regression regression;
  friend void PrintTo(const Named& named, std::ostream* out) { *out << named.regression.name; }
};

std::vector<Named> all_regressions() {
  std::vector<Named> all;
  for (Regression& regression : corpus::read_regressions(corpus::regressions_folder()))
    all.push_back({std::move(regression)});
  return all;
}

class Regressions : public ::testing::TestWithParam<Named> {};

TEST_P(Regressions, RaiseNoAlarmOnHonestArithmetic) {
  const Problem problem = make_problem(GetParam().regression.c);
  ASSERT_NE(expectation_of(problem).kind, Expectation::Kind::Refuse);
  for (const zoo::Style& style : zoo::styles()) {
    const Judgement judgement = judge_honest(GetParam().regression.c, style.name);
    EXPECT_THAT(judgement.verdict, testing::AnyOf(Verdict::Conforms, Verdict::Undecided))
        << style.name << ": " << sentence_of(judgement);
  }
}

TEST_P(Regressions, AreNoDisagreementWithTheNaiveReference) {
  const Problem problem = make_problem(GetParam().regression.c);
  const ContractId contract = default_contract(oracle::value_type(problem));
  EXPECT_EQ(oracle::crosscheck(problem, {{}, contract}).value_or(""), "");
}

INSTANTIATE_TEST_SUITE_P(Every, Regressions, ::testing::ValuesIn(all_regressions()), [](const auto& parameter) {
  std::string name = parameter.param.regression.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace cellproof::lab
