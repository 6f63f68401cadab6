// Cases that are made to ask an engine for more show what their models show.
#include "causes/made_cases.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string_view>
#include <variant>

#include "oracle/faults/every_fault.hpp"
#include "spec/case_text.hpp"

namespace cellproof::causes {
namespace {

Case shown_by_text(std::string_view text) {
  return parse_case("cellproof-case/1 op=GRU-22 type=float T=3 N=2 I=4 H=4 seed=1 " + std::string(text));
}

TEST(MadeCases, OtherNumbersLeaveSpecialValuesWhereTheyAre) {
  const Case c = shown_by_text("X=given,regime:special B=given");
  const Problem problem = make_problem(c), other = make_problem(with_other_numbers(c, 1));
  EXPECT_EQ(other.inputs[input::X].tensor, problem.inputs[input::X].tensor);
  EXPECT_NE(other.inputs[input::W].tensor, problem.inputs[input::W].tensor);
  EXPECT_NE(other.inputs[input::B].tensor, problem.inputs[input::B].tensor);
}

TEST(MadeCases, OtherNumbersAreOtherOnesWhereNothingElseVaries) {
  const Case c = shown_by_text("X=given,regime:special W=given,regime:zero R=given,regime:zero");
  EXPECT_NE(make_problem(with_other_numbers(c, 1)).inputs[input::X].tensor, make_problem(c).inputs[input::X].tensor);
}

TEST(MadeCases, ACaseAimedAtAFaultOfSpecialValuesHasSome) {
  const Case shown = shown_by_text("X=given,regime:special W=given,regime:zero B=given");
  const Case aimed = aimed_at(*oracle::fault_named("nan-bounded-above"), shown);
  EXPECT_EQ(std::get<Generated>(aimed.inputs[input::X].values).regime, Regime::Special);
  EXPECT_EQ(std::get<Generated>(aimed.inputs[input::W].values).regime, std::nullopt) << "zeros hide what is wrong";
  const Case other = aimed_at(*oracle::fault_named("clip-ignored"), shown);
  EXPECT_EQ(std::get<Generated>(other.inputs[input::X].values).regime, std::nullopt);
}

}  // namespace
}  // namespace cellproof::causes
