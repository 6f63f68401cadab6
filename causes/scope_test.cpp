// The scope of a fault: the widest product of operators, versions, types and directions that nothing contradicts.
#include "causes/scope.hpp"

#include <gtest/gtest.h>

#include "spec/case.hpp"

namespace cellproof::causes {
namespace {

constexpr int lstm = static_cast<int>(Operator::LSTM), gru = static_cast<int>(Operator::GRU),
              rnn = static_cast<int>(Operator::RNN);
constexpr int f16 = static_cast<int>(ElementType::Float16), f32 = static_cast<int>(ElementType::Float);
constexpr int forward = static_cast<int>(Direction::Forward), reverse = static_cast<int>(Direction::Reverse);

using Places = std::vector<Coordinates>;

Places times(std::size_t count, const Coordinates& place) {
  return Places(count, place);
}

Places operator+(Places a, const Places& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string learnt(const Places& explained, const Places& contradicting, const Places& open = {}) {
  const auto scope = widest_scope(explained, contradicting, open);
  return scope ? "[" + scope->text() + "]" : "none";
}

TEST(ScopeOf, AFaultThatNothingContradictsIsEverywhere) {
  EXPECT_EQ(learnt(times(1, {lstm, 14, f32, forward}), {}), "[]");
  EXPECT_TRUE(widest_scope(times(1, {lstm, 14, f32, forward}), {}, {})->is_everywhere());
}

TEST(ScopeOf, AFaultIsAsWideAsNothingContradicts) {
  const Places explained = times(2, {lstm, 14, f32, forward}) + times(2, {lstm, 22, f32, forward});
  EXPECT_EQ(learnt(explained, times(40, {gru, 14, f32, forward})), "[LSTM]");
  EXPECT_EQ(learnt(explained, times(9, {lstm, 14, f16, forward})), "[float]");
  EXPECT_EQ(learnt(explained, times(9, {lstm, 14, f32, reverse})), "[forward]");
  EXPECT_EQ(learnt(explained, times(9, {lstm, 7, f32, forward})), "[version 14 and later]");
  EXPECT_EQ(learnt(explained, times(9, {lstm, 7, f32, forward}) + times(9, {gru, 22, f32, forward})),
            "[LSTM, version 14 and later]");
  EXPECT_EQ(learnt(times(4, {gru, 3, f32, forward}) + times(4, {gru, 7, f32, forward}),
                   times(5, {gru, 14, f32, forward}) + times(5, {gru, 1, f32, forward})),
            "[versions 3 to 7]");
}

TEST(ScopeOf, AFaultOfTwoOperatorsIsNamedForBoth) {
  EXPECT_EQ(
      learnt(times(3, {lstm, 14, f32, forward}) + times(3, {gru, 14, f32, forward}), times(9, {rnn, 14, f32, forward})),
      "[LSTM and GRU]");
}

TEST(ScopeOf, ACaseThatAFaultExplainsByAccidentIsLeftOut) {
  EXPECT_EQ(learnt(times(9, {lstm, 14, f32, forward}) + times(1, {gru, 14, f32, reverse}),
                   times(9, {gru, 14, f32, forward}) + times(9, {gru, 14, f32, reverse})),
            "[LSTM]");
}

TEST(ScopeOf, NoneIsCutOutOfManyContradictions) {
  const Places open = times(1, {lstm, 14, f32, reverse});
  EXPECT_EQ(learnt(times(2, {lstm, 14, f32, forward}), times(30, {lstm, 14, f32, forward})), "none");
  EXPECT_EQ(learnt(times(2, {lstm, 14, f32, reverse}), times(9, {lstm, 14, f32, forward})), "none") << "too few";
  EXPECT_EQ(learnt(times(3, {lstm, 14, f32, reverse}), times(24, {lstm, 14, f32, forward}), open), "[reverse]");
  EXPECT_EQ(learnt(times(3, {lstm, 14, f32, reverse}), times(25, {lstm, 14, f32, forward}), open), "none")
      << "too many";
  const Places against = times(5, {lstm, 14, f32, forward}) + times(5, {lstm, 14, f16, reverse});
  EXPECT_EQ(learnt(times(3, {lstm, 14, f32, reverse}), against), "none") << "two conditions need more";
  EXPECT_EQ(learnt(times(4, {lstm, 14, f32, reverse}), against), "[float, reverse]");
}

TEST(ScopeOf, ManyContradictionsLeaveOneWhereAllThatFailsInItIsExplained) {
  const Places against = times(300, {lstm, 14, f32, forward}), explained = times(3, {lstm, 14, f16, forward});
  EXPECT_EQ(learnt(explained, against), "[float16]");
  EXPECT_EQ(learnt(explained, against, times(1, {gru, 14, f32, forward})), "[float16]") << "open beyond the scope";
  EXPECT_EQ(learnt(explained, against, times(1, {gru, 14, f16, forward})), "none");
}

TEST(ScopeOf, NoConditionIsDrawnAroundAnAccident) {
  const Places explained = times(40, {lstm, 14, f32, forward});
  EXPECT_EQ(learnt(explained, times(2, {lstm, 14, f32, reverse})), "none");
  EXPECT_EQ(learnt(explained, times(3, {lstm, 14, f32, reverse})), "[forward]");
  EXPECT_EQ(learnt(explained, times(3, {lstm, 14, f32, reverse}) + times(1, {gru, 14, f32, forward})), "none");
}

TEST(ScopeOf, FewContradictionsShowAnOperatorOfManyCases) {
  const Places against = times(1, {rnn, 22, f32, forward});
  EXPECT_EQ(learnt(times(24, {lstm, 14, f32, forward}) + times(24, {gru, 7, f16, reverse}), against), "[LSTM and GRU]");
  EXPECT_EQ(learnt(times(24, {lstm, 14, f32, forward}), against), "[LSTM]");
  EXPECT_EQ(learnt(times(23, {lstm, 14, f32, forward}), against), "none") << "too few";
  EXPECT_EQ(learnt(times(24, {lstm, 14, f32, forward}), against + times(1, {lstm, 14, f32, reverse})), "none");
}

TEST(ScopeOf, CoordinatesAreThoseOfTheNode) {
  Case c = plain_case(newest(Operator::GRU), ElementType::Float16, 3, 2, 2, 4);
  EXPECT_EQ(coordinates_of(make_problem(c)), (Coordinates{gru, 22, f16, forward}));
  c.attributes.direction = "reverse";
  EXPECT_EQ(coordinates_of(make_problem(c))[Scope::OfDirection], reverse);
}

}  // namespace
}  // namespace cellproof::causes
