#include "fuzz/presented.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "spec/axes.hpp"
#include "spec/case_text.hpp"

namespace cellproof::fuzz {
namespace {

TEST(Presented, BringsNoStatesAlong) {
  const Case usual = plain_case({Operator::LSTM, 22}, ElementType::Float, 3, 2, 4, 5);
  for (std::uint64_t number = 0; number < 200; ++number)
    EXPECT_EQ(axis("input.initial_c").of(presented(usual, 1, number)), "absent");
}

TEST(Presented, HasEveryValueOfEveryAxisInSomeOfManyCasesAndMeansTheSame) {
  Case usual = plain_case({Operator::LSTM, 22}, ElementType::Float, 3, 2, 4, 5);
  for (const char* state : {"input.initial_h", "input.initial_c"}) usual = axis(state).apply(usual, "graph");
  std::set<std::string> values;
  std::uint64_t changed = 0;
  constexpr std::uint64_t count = 2000;
  for (std::uint64_t number = 0; number < count; ++number) {
    Case c = presented(usual, 1, number);
    EXPECT_EQ(c, presented(usual, 1, number));
    changed += c != usual;
    for (const Axis& row : axes_of_presentation()) values.insert(std::string(row.name) + "=" + row.of(c));
    for (const Axis& row : axes_of_meaning()) EXPECT_EQ(row.of(c), row.of(usual)) << to_text(c);
  }
  EXPECT_GT(changed, count / 8);
  EXPECT_LT(changed, count / 4);
  for (const Axis& row : axes_of_presentation()) {
    for (const std::string& value : row.values(usual.version))
      EXPECT_TRUE(values.contains(std::string(row.name) + "=" + value)) << row.name << "=" << value;
  }
}

}  // namespace
}  // namespace cellproof::fuzz
