#include "fuzz/small_case.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/testing/recipe_generator.hpp"
#include "spec/axes.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"

namespace cellproof::fuzz {
namespace {

RC_GTEST_PROP(SmallCase, IsValidWhateverTheRecipe, (const CaseRecipe& recipe)) {
  const Case c = small_case(recipe);
  RC_LOG() << to_text(c) << "\n";
  RC_ASSERT(expectation_of(make_problem(c)).violations.empty());
  RC_ASSERT(parse_case(to_text(c)) == c);
  RC_ASSERT(gate_work(c) <= most_small_work);
}

using AxisNamesAndValues = std::set<std::pair<std::string, std::string>>;

/// All that small cases can have: whatever axes give to the operator's versions, but for sizes above 17.
AxisNamesAndValues small_values(Operator op) {
  AxisNamesAndValues values;
  for (const OperatorVersion version : all_operator_versions()) {
    if (version.op != op) continue;
    for (const Axis& row : axes_of_meaning()) {
      for (const std::string& value : row.values(version)) {
        if (value != "18-") values.emplace(row.name, value);
      }
    }
  }
  return values;
}

TEST(SmallCase, IsDrawnWithEveryValueOfEveryAxis) {
  constexpr std::uint64_t enough = 5000;
  std::map<Operator, AxisNamesAndValues> drawn;
  for (std::uint64_t index = 0; index < enough; ++index) {
    const Case c = small_case(drawn_small_recipe(0, index));
    ASSERT_LE(gate_work(c), most_small_work) << to_text(c);
    for (const Axis& row : axes_of_meaning()) {
      if (std::string value = row.of(c); !value.empty()) drawn[c.version.op].emplace(row.name, std::move(value));
    }
  }
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM}) {
    std::vector<std::string> missed;
    for (const auto& [axis, value] : small_values(op)) {
      if (!drawn[op].contains({axis, value})) missed.push_back(axis + "=" + value);
    }
    EXPECT_EQ(missed, std::vector<std::string>{}) << name(op);
  }
}

TEST(SmallCase, IsDrawnFromTheSeedAlone) {
  EXPECT_EQ(drawn_small_recipe(3, 5), drawn_small_recipe(3, 5));
  EXPECT_NE(drawn_small_recipe(3, 5), drawn_small_recipe(4, 5));
}

}  // namespace
}  // namespace cellproof::fuzz
