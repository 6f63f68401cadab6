// `cellproof mutants` as a user meets it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace cellproof::cli {
namespace {

using testing::HasSubstr;

TEST(Mutants, ScoresASuiteAndNamesItsSurvivors) {
  const ProgramResult result = run_program({"mutants", "--suite", "onnx-backend"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("gate-order"));
  EXPECT_THAT(result.out, HasSubstr("survives: "));
  EXPECT_THAT(result.out, HasSubstr("killed by smoke ("));
  EXPECT_THAT(result.out, HasSubstr("mutants killed ("));
}

TEST(Mutants, TellTheSameToMachines) {
  const ProgramResult result = run_program({"mutants", "--suite", "onnx-backend", "--matrix", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_GT(json.at("killed"), 0);
  EXPECT_LT(json.at("killed"), json.at("counted"));
  bool several = false;
  for (const auto& mutant : json.at("mutants")) several = several || mutant.at("kills").size() > 1;
  EXPECT_TRUE(several) << "--matrix does not stop at the first kill";
}

TEST(Mutants, InNarrowPlacesAreSearchedForWithTheSameExecutions) {
  const ProgramResult result = run_program({"mutants", "--edges", "40", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("executions"), 40);
  EXPECT_GE(json.at("edges").size(), 15U);
  for (const auto& edge : json.at("edges")) {
    for (const char* how : {"drawn", "steered"}) EXPECT_TRUE(edge.at(how).is_null() || edge.at(how) <= 40) << edge;
  }
}

TEST(Mutants, OfAnUnknownSuiteAreBadInput) {
  const ProgramResult result = run_program({"mutants", "--suite", "nonsense"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nonsense"));
}

}  // namespace
}  // namespace cellproof::cli
