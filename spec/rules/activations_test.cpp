#include "spec/rules/activations.hpp"

#include <gtest/gtest.h>

namespace cellproof {
namespace {

TEST(Activations, AreTheElevenOfThePages) {
  EXPECT_EQ(activations().size(), 11U);
  for (const ActivationInfo& row : activations()) {
    EXPECT_EQ(activation_exactly(row.name), &row);
    EXPECT_EQ(activation_named(row.name), &row);
  }
}

TEST(Activations, AreFoundInAnyCaseOnlyWhenAskedSo) {
  EXPECT_EQ(activation_exactly("tanh"), nullptr);
  EXPECT_EQ(activation_named("tanh"), activation_exactly("Tanh"));
  EXPECT_EQ(activation_named("THRESHOLDEDRELU"), activation_exactly("ThresholdedRelu"));
  EXPECT_EQ(activation_named("Tan"), nullptr);
  EXPECT_EQ(activation_named("Tanhh"), nullptr);
  EXPECT_EQ(activation_named(""), nullptr);
}

TEST(Activations, HaveADefaultForEachParameterThatTheyUse) {
  for (const ActivationInfo& row : activations()) {
    EXPECT_EQ(row.default_alpha.has_value(), row.uses_alpha) << row.name;
    EXPECT_EQ(row.default_beta.has_value(), row.uses_beta) << row.name;
    EXPECT_EQ(row.source == DefaultSource::NoParameter, !row.uses_alpha && !row.uses_beta) << row.name;
    EXPECT_EQ(row.citation.empty(), row.source == DefaultSource::NoParameter) << row.name;
    ASSERT_EQ(row.decimal_alpha.has_value(), row.uses_alpha) << row.name;
    ASSERT_EQ(row.decimal_beta.has_value(), row.uses_beta) << row.name;
    if (row.uses_alpha) {
      EXPECT_EQ(static_cast<float>(*row.decimal_alpha), *row.default_alpha) << row.name;
    }
    if (row.uses_beta) {
      EXPECT_EQ(static_cast<float>(*row.decimal_beta), *row.default_beta) << row.name;
    }
  }
}

TEST(Activations, TakeTheDefaultsOfTheOperatorsOfTheirName) {
  EXPECT_EQ(activation_exactly("LeakyRelu")->default_alpha, 0.01F);
  EXPECT_EQ(activation_exactly("ThresholdedRelu")->default_alpha, 1.0F);
  EXPECT_EQ(activation_exactly("HardSigmoid")->default_alpha, 0.2F);
  EXPECT_EQ(activation_exactly("HardSigmoid")->default_beta, 0.5F);
  EXPECT_EQ(activation_exactly("Elu")->default_alpha, 1.0F);
  EXPECT_EQ(activation_exactly("Affine")->source, DefaultSource::Open);
  EXPECT_EQ(activation_exactly("ScaledTanh")->source, DefaultSource::Open);
}

}  // namespace
}  // namespace cellproof
