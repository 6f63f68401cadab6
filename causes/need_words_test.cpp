#include "causes/need_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "spec/axes.hpp"

namespace cellproof::causes {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(WordsOfNeed, SayAxisValuesAsWords) {
  EXPECT_EQ(words_of_need({}), "");
  EXPECT_EQ(words_of_need({{"lengths", "any"}}), "sequence lengths");
  EXPECT_EQ(words_of_need({{"lengths", "with-zero"}}), "a sequence length of 0");
  EXPECT_EQ(words_of_need({{"T", "0"}}), "T = 0");
  EXPECT_EQ(words_of_need({{"activation.f", "Elu"}, {"activation.g.backward", "Relu"}, {"alpha", "given"}}),
            "Elu as f, Relu as the backward g and activation_alpha");
  EXPECT_EQ(words_of_need({{"input.B", "initializer"}, {"columns.R_scale", "per-column"}}),
            "B as an initializer and R_scale by column");
  EXPECT_EQ(words_of_need({{"layout", "1"}}), "layout 1");
  EXPECT_EQ(words_of_need({{"activations", "lower-case"}}), "function names in lower case");
}

TEST(WordsOfNeed, LeaveOutWhereItIsSeenUnlessThereIsNothingElse) {
  EXPECT_EQ(words_of_need({{"lengths", "ragged"}, {"outputs", "Y_h+Y_c"}}), "ragged sequence lengths");
  EXPECT_EQ(words_of_need({{"outputs", "Y_c"}}), "Y_c alone asked for");
  EXPECT_EQ(words_of_need({{"regime", "zero"}, {"outputs", "any"}}), "zero values and some outputs left out");
}

TEST(WordsOfNeed, ExistForEveryAxisValueAndAreNoIds) {
  for (const Axis& each : axes()) {
    const std::string axis{each.name};
    for (const Operator op : {Operator::LSTM, Operator::GRU, Operator::RNN, Operator::DynamicQuantizeLSTM}) {
      for (const std::string& value : each.values(newest(op))) {
        const std::string words = words_of_need({{axis, value}});
        EXPECT_THAT(words, Not(IsEmpty())) << axis << "=" << value;
        EXPECT_THAT(words, Not(HasSubstr(axis + "="))) << "in words, not as the id has it";
        EXPECT_TRUE(axis.find('.') == std::string::npos || words.find(axis) == std::string::npos) << words;
      }
    }
  }
}

}  // namespace
}  // namespace cellproof::causes
