#include "spec/operator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cellproof {
namespace {

using testing::ElementsAre;

TEST(Operator, TheNewestVersionIsTheLastOne) {
  std::set<OperatorVersion> newest_ones;
  for (const Operator op : all_operators()) {
    const OperatorVersion version = newest(op);
    EXPECT_EQ(version.op, op);
    newest_ones.insert(version);
    for (const OperatorVersion other : all_operator_versions())
      EXPECT_TRUE(other.op != op || other.since_version <= version.since_version) << to_string(other);
  }
  EXPECT_EQ(newest_ones.size(), all_operators().size());
  EXPECT_EQ(std::ranges::count_if(all_operator_versions(), is_newest), static_cast<int>(newest_ones.size()));
}

TEST(Operator, EveryVersionHasANameThatLeadsBack) {
  ASSERT_EQ(all_operator_versions().size(), 14u);
  for (const OperatorVersion version : all_operator_versions()) {
    EXPECT_EQ(operator_version_named(to_string(version)), version);
  }
  EXPECT_EQ(to_string(OperatorVersion{Operator::GRU, 3}), "GRU-3");
  for (const char* text : {"LSTM", "LSTM-3", "LSTM-22 ", "lstm-22", "", "DynamicQuantizeLSTM-7"}) {
    EXPECT_EQ(operator_version_named(text), std::nullopt) << text;
  }
}

TEST(Operator, AnOpsetMeansTheNewestVersionThatIsNotNewer) {
  EXPECT_EQ(version_in_opset(Operator::LSTM, 6), (OperatorVersion{Operator::LSTM, 1}));
  EXPECT_EQ(version_in_opset(Operator::LSTM, 7), (OperatorVersion{Operator::LSTM, 7}));
  EXPECT_EQ(version_in_opset(Operator::GRU, 2), (OperatorVersion{Operator::GRU, 1}));
  EXPECT_EQ(version_in_opset(Operator::GRU, 21), (OperatorVersion{Operator::GRU, 14}));
  EXPECT_EQ(version_in_opset(Operator::RNN, 28), (OperatorVersion{Operator::RNN, 22}));
  EXPECT_EQ(version_in_opset(Operator::DynamicQuantizeLSTM, 1), (OperatorVersion{Operator::DynamicQuantizeLSTM, 1}));
  EXPECT_EQ(version_in_opset(Operator::LSTM, 0), std::nullopt);
}

TEST(Operator, PositionsCarryTheFormalNames) {
  EXPECT_THAT(input_names(Operator::RNN), ElementsAre("X", "W", "R", "B", "sequence_lens", "initial_h"));
  EXPECT_EQ(input_names(Operator::LSTM).size(), 8u);
  EXPECT_EQ(input_names(Operator::LSTM)[input::P], "P");
  EXPECT_EQ(input_names(Operator::DynamicQuantizeLSTM)[input::R_zero_point], "R_zero_point");
  EXPECT_THAT(output_names(Operator::GRU), ElementsAre("Y", "Y_h"));
  EXPECT_THAT(output_names(Operator::LSTM), ElementsAre("Y", "Y_h", "Y_c"));
  for (const std::size_t position : {output::Y, output::Y_h, output::Y_c}) {
    EXPECT_EQ(output_name(position), output_names(Operator::LSTM)[position]);
    EXPECT_EQ(output_named(output_name(position)), position);
  }
  EXPECT_EQ(output_named("Z"), std::nullopt);
}

TEST(Operator, CountsAndDomains) {
  EXPECT_EQ(gate_count(Operator::LSTM), 4);
  EXPECT_EQ(gate_count(Operator::GRU), 3);
  EXPECT_EQ(gate_count(Operator::RNN), 1);
  EXPECT_EQ(activation_count(Operator::DynamicQuantizeLSTM), 3);
  EXPECT_EQ(activation_count(Operator::GRU), 2);
  EXPECT_EQ(activation_count(Operator::RNN), 1);
  EXPECT_EQ(domain(Operator::DynamicQuantizeLSTM), "com.microsoft");
  EXPECT_EQ(domain(Operator::LSTM), "");
  EXPECT_TRUE(has_cell_state(Operator::LSTM));
  EXPECT_FALSE(has_cell_state(Operator::GRU));
}

}  // namespace
}  // namespace cellproof
