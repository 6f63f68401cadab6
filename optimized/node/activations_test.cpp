// Names, defaults, and which function takes which of the two lists' values.
#include "optimized/node/activations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "optimized/node/node.hpp"

namespace cellproof::node {
namespace {

using ::testing::HasSubstr;

struct Written {
  cellproof_operator op = CELLPROOF_LSTM;
  std::vector<const char*> names;
  std::vector<float> alpha = {}, beta = {};

  Activations resolved(std::size_t directions) const {
    cellproof_node node{};
    node.op = op;
    node.activations = {names.data(), names.size()};
    node.activation_alpha = {alpha.data(), alpha.size()};
    node.activation_beta = {beta.data(), beta.size()};
    return resolve_activations(node, directions);
  }
  std::string refusal(std::size_t directions) const {
    try {
      resolved(directions);
    } catch (const Invalid& error) {
      return error.what();
    }
    return "";
  }
};

void expect(const Activation& actual, Function function, float alpha, float beta) {
  EXPECT_EQ(actual.function, function);
  EXPECT_EQ(actual.alpha, alpha);
  EXPECT_EQ(actual.beta, beta);
}

TEST(Activations, AreTheOperatorsDefaultsWhereNoneIsWritten) {
  cellproof_node node{};
  const Activations lstm = resolve_activations(node, 2);
  for (const auto& direction : lstm) {
    expect(direction[0], Function::Sigmoid, 0, 0);
    expect(direction[1], Function::Tanh, 0, 0);
    expect(direction[2], Function::Tanh, 0, 0);
  }
  node.op = CELLPROOF_GRU;
  expect(resolve_activations(node, 1)[0][1], Function::Tanh, 0, 0);
  node.op = CELLPROOF_RNN;
  expect(resolve_activations(node, 1)[0][0], Function::Tanh, 0, 0);
  EXPECT_EQ(activations_per_direction(CELLPROOF_DYNAMIC_QUANTIZE_LSTM), 3U);
  EXPECT_EQ(activations_per_direction(CELLPROOF_GRU), 2U);
  EXPECT_EQ(activations_per_direction(CELLPROOF_RNN), 1U);
}

TEST(Activations, HaveTheDefaultsOfTheOperatorsOfTheirNames) {
  const auto alone = [](const char* name) { return Written{CELLPROOF_RNN, {name}}.resolved(1)[0][0]; };
  expect(alone("Relu"), Function::Relu, 0, 0);
  expect(alone("tanh"), Function::Tanh, 0, 0);
  expect(alone("SIGMOID"), Function::Sigmoid, 0, 0);
  expect(alone("Affine"), Function::Affine, 1, 0);
  expect(alone("LeakyRelu"), Function::LeakyRelu, 0.01F, 0);
  expect(alone("ThresholdedRelu"), Function::ThresholdedRelu, 1, 0);
  expect(alone("ScaledTanh"), Function::ScaledTanh, 1, 1);
  expect(alone("HardSigmoid"), Function::HardSigmoid, 0.2F, 0.5F);
  expect(alone("Elu"), Function::Elu, 1, 0);
  expect(alone("Softsign"), Function::Softsign, 0, 0);
  expect(alone("Softplus"), Function::Softplus, 0, 0);
}

TEST(Activations, TakeValuesAsStreamsThatRunOnIntoTheReverseDirection) {
  const Written written{CELLPROOF_GRU, {"Tanh", "Affine", "Elu", "HardSigmoid"}, {2, 3}, {5}};
  const Activations resolved = written.resolved(2);
  expect(resolved[0][0], Function::Tanh, 0, 0);
  expect(resolved[0][1], Function::Affine, 2, 5);
  expect(resolved[1][0], Function::Elu, 3, 0);
  expect(resolved[1][1], Function::HardSigmoid, 0.2F, 0.5F);
}

TEST(Activations, AreRefusedByNameAndByNumber) {
  EXPECT_EQ((Written{CELLPROOF_LSTM, {"Sigmoid", "tanh", "Cosine"}}.refusal(1)),
            "activations[2] is 'Cosine', expected one of Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, "
            "ScaledTanh, HardSigmoid, Elu, Softsign, Softplus (attribute activations)");
  EXPECT_EQ((Written{CELLPROOF_LSTM, {"Sigmoid", "Tanh"}}.refusal(1)),
            "activations has 2 names, expected 3 for 1 direction (attribute activations)");
  EXPECT_EQ((Written{CELLPROOF_GRU, {"Sigmoid", "Tanh"}}.refusal(2)),
            "activations has 2 names, expected 4 for 2 directions (attribute activations)");
  EXPECT_THAT((Written{CELLPROOF_RNN, {"Tanh", "Tanh", "Relux"}}.refusal(1)), HasSubstr("activations[2] is 'Relux'"));
}

/// RNN's schema writes its default with two names.
TEST(Activations, OfAForwardRnnMayBeItsTwoDefaults) {
  EXPECT_EQ((Written{CELLPROOF_RNN, {"Tanh", "tanh"}}.refusal(1)), "");
  EXPECT_EQ((Written{CELLPROOF_RNN, {"Tanh", "Relu"}}.refusal(1)),
            "activations has 2 names, expected 1 for 1 direction (attribute activations)");
  EXPECT_EQ((Written{CELLPROOF_GRU, {"Tanh", "Tanh", "Tanh"}}.refusal(1)),
            "activations has 3 names, expected 2 for 1 direction (attribute activations)");
}

TEST(Activations, ThatAreWrittenAsAnEmptyListAreNone) {
  cellproof_node node{};
  const char* const none = nullptr;
  node.activations = {&none, 0};
  EXPECT_THROW(resolve_activations(node, 1), Invalid);
}

}  // namespace
}  // namespace cellproof::node
