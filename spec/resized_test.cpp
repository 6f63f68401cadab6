#include "spec/resized.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "spec/axes.hpp"
#include "spec/expectation.hpp"

namespace cellproof {
namespace {

Case some_case() {
  Case c = plain_case({Operator::GRU, 14}, ElementType::Float, 3, 2, 4, 5);
  c = axis("input.B").apply(c, "initializer");
  return axis("input.initial_h").apply(c, "graph");
}

/// Every tensor literal, each element its position.
Case counted_case() {
  Case c = some_case();
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    if (c.inputs[i].presence != Presence::Given) continue;
    Tensor tensor(c.type, default_shape(c, i));
    for (std::size_t k = 0; k < tensor.size(); ++k) tensor.set_value(k, static_cast<double>(k));
    c.inputs[i].values = tensor;
  }
  return c;
}

std::vector<double> values_of(const Case& c, std::size_t position) {
  const Tensor& tensor = std::get<Tensor>(c.inputs[position].values);
  std::vector<double> values(tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.value(i);
  return values;
}

TEST(Resized, IsWhatTheAxisMakesOfGeneratedValues) {
  const Case c = axis("lengths").apply(some_case(), "ragged");
  for (const char* size : {"T", "N", "I", "H"}) EXPECT_EQ(resized(c, size, 1), axis(size).apply(c, "1")) << size;
  EXPECT_EQ(resized(c, "H", c.H), c);
}

TEST(Resized, KeepsTheFirstElementsOfEachGate) {
  const Case small = resized(resized(counted_case(), "H", 2), "I", 1);
  // W is [1,15,4]: rows 0, 1 of each gate, the first column.
  EXPECT_EQ(values_of(small, input::W), (std::vector<double>{0, 4, 20, 24, 40, 44}));
  // R is [1,15,5], and H counts in both.
  EXPECT_EQ(values_of(small, input::R), (std::vector<double>{0, 1, 5, 6, 25, 26, 30, 31, 50, 51, 55, 56}));
  EXPECT_EQ(values_of(small, input::B), (std::vector<double>{0, 1, 5, 6, 10, 11, 15, 16, 20, 21, 25, 26}));
  EXPECT_EQ(values_of(small, input::initial_h), (std::vector<double>{0, 1, 5, 6}));
  EXPECT_EQ(values_of(resized(small, "T", 1), input::X), (std::vector<double>{0, 4}));
  EXPECT_EQ(small.attributes.hidden_size, 2);
  EXPECT_EQ(expectation_of(make_problem(small)).kind, Expectation::Kind::Accept);
}

TEST(Resized, KeepsThePlacesThatAreAskedFor) {
  const std::vector<std::int64_t> places{1, 4};
  const Case small = with_kept(counted_case(), "H", places);
  EXPECT_EQ(values_of(small, input::B), (std::vector<double>{1, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 29}));
  EXPECT_EQ(values_of(small, input::initial_h), (std::vector<double>{1, 4, 6, 9}));
  EXPECT_EQ(small.H, 2);
}

TEST(Resized, FindsThePlacesThatAreNotZero) {
  Case c = some_case();
  Tensor R(c.type, default_shape(c, input::R));
  R.set_value({0, 8, 1}, 0.5);  // the second gate's row of unit 3, for the state of unit 1
  c.inputs[input::R].values = R;
  EXPECT_EQ(places_used(c, "H"), (std::vector<std::int64_t>{1, 3}));
  EXPECT_TRUE(places_used(c, "I").empty());
  EXPECT_EQ(places_used(counted_case(), "T"), (std::vector<std::int64_t>{0, 1, 2}));
}

TEST(Resized, GeneratesWhereItGrows) {
  EXPECT_FALSE(std::holds_alternative<Tensor>(resized(counted_case(), "N", 7).inputs[input::X].values));
}

TEST(Resized, LeavesALiteralOfAnotherShapeAlone) {
  Case c = some_case();
  const Tensor wrong(ElementType::Float, {2, 2});
  c.inputs[input::W].values = wrong;
  EXPECT_EQ(std::get<Tensor>(resized(c, "H", 1).inputs[input::W].values), wrong);
}

TEST(Resized, KnowsFourSizes) {
  EXPECT_EQ(size_of(some_case(), "T"), 3);
  EXPECT_THROW(resized(some_case(), "D", 1), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof
