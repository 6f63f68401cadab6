#include "fuzz/broken_case.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>

#include "engines/cpu/cpu_engine.hpp"
#include "fuzz/small_case.hpp"
#include "fuzz/testing/recipe_generator.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

/// Our own engine, whose checks share nothing with the rules of spec/, refuses it with a reason, and its twin not.
RC_GTEST_PROP(BrokenCase, BreaksTheRuleThatItNamesAndIsRefused, (const BrokenRecipe& recipe)) {
  const auto broken = broken_case(recipe);
  RC_PRE(broken.has_value());
  RC_LOG() << broken->rule << ", " << broken->way << ": " << to_text(broken->c) << "\n";
  const Problem problem = make_problem(broken->c);
  const Expectation expectation = expectation_of(problem);
  RC_ASSERT(expectation.kind == Expectation::Kind::Refuse);
  RC_ASSERT(expectation.violations.size() == 1U);
  RC_ASSERT(expectation.violations[0].rule == broken->rule);
  RC_ASSERT(parse_case(to_text(broken->c)) == broken->c);
  static engines::CpuEngine engine(CELLPROOF_CPU_PATH_AUTO, "cellproof-cpu");
  const Outcome refused = engine.run(problem);
  RC_ASSERT(refused.kind == OutcomeKind::Rejected);
  RC_ASSERT(!refused.message.empty());
  const Outcome ran = engine.run(make_problem(*valid_twin(broken->c)));
  RC_LOG() << ran.message << "\n";
  const bool may_refuse = expectation_of(make_problem(*valid_twin(broken->c))).kind == Expectation::Kind::Either;
  RC_ASSERT(ran.kind == OutcomeKind::Ran || (may_refuse && ran.kind == OutcomeKind::Rejected));
}

TEST(BrokenCase, ReachesManyRules) {
  std::set<std::string> rules;
  for (std::uint32_t k = 0; k < 400; ++k) {
    if (const auto broken = broken_case({drawn_small_recipe(1, k), k})) rules.insert(broken->rule);
  }
  EXPECT_GE(rules.size(), 32U);
}

}  // namespace
}  // namespace cellproof::fuzz
