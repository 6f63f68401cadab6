#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "oracle/testing/bounds_text.hpp"
#include "oracle/testing/plain_engine.hpp"
#include "oracle/testing/problems.hpp"
#include "spec/case_text.hpp"
#include "spec/content_hash.hpp"
#include "spec/testing/approval.hpp"

namespace cellproof::oracle {
namespace {

/// The bounds of the plain engine's outputs of a drawn case under every contract of the type, with Y and with last
/// states alone.
std::string bounds_of_drawn(Operator op, ElementType type, std::uint64_t seed) {
  std::string text;
  for (const bool with_Y : {true, false}) {
    Case c = testing::drawn_case(op, type, seed);
    if (!with_Y) c.outputs[output::Y] = Presence::Empty;
    const Problem problem = make_problem(c);
    text += to_text(c) + "\n" + testing::bounds_text(problem, testing::compute(problem), all_contracts());
  }
  return text;
}

/// A change of any number here is a change of what Cellproof claims: it is read before it is approved.
TEST(BoundsAtRest, AreThoseThatWereApproved) {
  std::string text;
  for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) text += bounds_of_drawn(op, ElementType::Float, seed);
    for (const ElementType type : {ElementType::Double, ElementType::Float16, ElementType::BFloat16})
      text += bounds_of_drawn(op, type, 9);
  }
  EXPECT_EQ(difference_from_approved("oracle/approved/bounds.txt", text), "");
}

/// Every fourth case has infinities, NaN and extremes among its values. Without Y the bounds are rounded first.
std::string digests_of_drawn(Operator op, ElementType type, std::uint64_t seed) {
  Case c = testing::drawn_case(op, type, seed);
  if (seed % 4 == 0) c.regime = Regime::Special;
  const std::string with_Y = testing::digest_of_bounds(make_problem(c), all_contracts());
  c.outputs[output::Y] = Presence::Empty;
  const Problem problem = make_problem(c);
  const std::string without_Y = testing::bounds_text(problem, testing::compute(problem), all_contracts());
  return fmt::format("{} {}: {} {}\n", onnx_name(type), seed, with_Y, content_hash(without_Y));
}

class BoundsByBit : public ::testing::TestWithParam<Operator> {};

/// A line of these that differs while no sum does stands for single bits or rare values.
TEST_P(BoundsByBit, AreThoseThatWereApproved) {
  std::string text;
  for (std::uint64_t seed = 101; seed <= 140; ++seed) text += digests_of_drawn(GetParam(), ElementType::Float, seed);
  for (const ElementType type : {ElementType::Double, ElementType::Float16, ElementType::BFloat16})
    for (std::uint64_t seed = 101; seed <= 112; ++seed) text += digests_of_drawn(GetParam(), type, seed);
  EXPECT_EQ(difference_from_approved(fmt::format("oracle/approved/bounds_by_bit_{}.txt", name(GetParam())), text), "");
}

INSTANTIATE_TEST_SUITE_P(Every, BoundsByBit, ::testing::Values(Operator::LSTM, Operator::GRU, Operator::RNN),
                         [](const auto& instance) { return std::string(name(instance.param)); });

}  // namespace
}  // namespace cellproof::oracle
