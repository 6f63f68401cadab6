#include "spec/case_input_text.hpp"

#include <gtest/gtest.h>

#include "spec/text_value.hpp"

namespace cellproof::text {
namespace {

Case plain() {
  return plain_case({Operator::LSTM, 14}, ElementType::Float, 2, 2, 1, 1);
}

TEST(CaseInputText, PresenceStandsFirstAndTheUsualSourceIsLeftOut) {
  Case c = plain();
  c.inputs[input::B].presence = Presence::Given;
  EXPECT_EQ(write_input(c, input::B, std::nullopt), "given");
  c.inputs[input::B].source = Source::GraphInput;
  c.inputs[input::B].values = Generated{Regime::Zero, 3};
  EXPECT_EQ(write_input(c, input::B, std::nullopt), "given,graph,regime:zero,seed:3");
  read_input(c, input::B, "given,constant");
  EXPECT_EQ(c.inputs[input::B].source, Source::ConstantNode);
  EXPECT_EQ(write_input(c, input::B, std::nullopt), "given,constant");
}

TEST(CaseInputText, FieldsMayComeInAnyOrder) {
  Case c = plain();
  read_input(c, input::sequence_lens, "values:7/8,initializer,given,type:int64");
  const CaseInput& in = c.inputs[input::sequence_lens];
  EXPECT_EQ(in.presence, Presence::Given);
  EXPECT_EQ(in.source, Source::Initializer);
  EXPECT_EQ(std::get<Tensor>(in.values), Tensor::from_values(ElementType::Int64, {2}, std::vector{7., 8.}));
}

TEST(CaseInputText, ALiteralTakesTheShapeThatTheLayoutGives) {
  Case c = plain_case({Operator::LSTM, 14}, ElementType::Float, 3, 1, 1, 1);
  c.attributes.layout = 1;
  read_input(c, input::X, "given,values:1/2/3");
  EXPECT_EQ(std::get<Tensor>(c.inputs[input::X].values).shape(), (Shape{1, 3, 1}));
}

TEST(CaseInputText, OutputsAreAListOfPositions) {
  Case c = plain();
  for (const char* text : {"none", "Y", "-", "Y,-,Y_c", "absent,Y_h", "Y,Y_h,Y_c,output3"}) {
    read_outputs(c, text);
    EXPECT_EQ(write_outputs(c), text);
  }
  EXPECT_THROW(read_outputs(c, "Y_c"), Expected);
  EXPECT_THROW(read_outputs(c, "Y,"), Expected);
}

}  // namespace
}  // namespace cellproof::text
