#include "reference/activation_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/case.hpp"

namespace cellproof::reference {
namespace {

using ::testing::ElementsAre;

Case lstm(std::vector<std::string> names, const char* direction = "forward") {
  Case c = plain_case({Operator::LSTM, 22}, ElementType::Float, 1, 1, 1, 1);
  c.attributes.direction = direction;
  c.attributes.activations = std::move(names);
  return c;
}

/// The alphas of direction d.
std::vector<double> alphas(const Case& c, std::size_t d = 0, const Readings& readings = {}) {
  std::vector<double> result;
  const auto resolved = resolve_activations(make_problem(c), readings);
  for (const Activation& activation : resolved.at(d)) result.push_back(activation.alpha);
  return result;
}

TEST(ActivationList, DefaultsOfEachOperator) {
  const auto functions = [](OperatorVersion version, const char* direction) {
    Case c = plain_case(version, ElementType::Float, 1, 1, 1, 1);
    c.attributes.direction = direction;
    std::vector<std::vector<Function>> result;
    for (const auto& list : resolve_activations(make_problem(c), {})) {
      result.emplace_back();
      for (const Activation& activation : list) result.back().push_back(activation.function);
    }
    return result;
  };
  using enum Function;
  EXPECT_THAT(functions({Operator::LSTM, 1}, "forward"), ElementsAre(ElementsAre(Sigmoid, Tanh, Tanh)));
  EXPECT_THAT(functions({Operator::GRU, 3}, "bidirectional"),
              ElementsAre(ElementsAre(Sigmoid, Tanh), ElementsAre(Sigmoid, Tanh)));
  EXPECT_THAT(functions({Operator::RNN, 7}, "bidirectional"), ElementsAre(ElementsAre(Tanh), ElementsAre(Tanh)));
  EXPECT_THAT(functions({Operator::DynamicQuantizeLSTM, 1}, "reverse"), ElementsAre(ElementsAre(Sigmoid, Tanh, Tanh)));
}

TEST(ActivationList, OnlyFunctionsThatTakeAValueConsumeOne) {
  Case c = lstm({"LeakyRelu", "Tanh", "Elu"});
  c.attributes.activation_alpha = {0.25F, 0.5F, 0.75F};
  EXPECT_THAT(alphas(c), ElementsAre(0.25, 0, 0.5));
  EXPECT_THAT(alphas(c, 0, Readings{}.with(Clause::AlphaConsumption, "positional")), ElementsAre(0.25, 0, 0.75));
}

TEST(ActivationList, AnExhaustedListLeavesTheDefaults) {
  Case c = lstm({"LeakyRelu", "ThresholdedRelu", "LeakyRelu"});
  c.attributes.activation_alpha = {0.25F};
  EXPECT_THAT(alphas(c), ElementsAre(0.25, 1.0, static_cast<double>(0.01F)));
}

TEST(ActivationList, TheBackwardDirectionGoesOnReading) {
  Case c = lstm({"LeakyRelu", "Tanh", "Elu", "Elu", "Sigmoid", "LeakyRelu"}, "bidirectional");
  c.attributes.activation_alpha = {1, 2, 3, 4, 5, 6};
  EXPECT_THAT(alphas(c, 0), ElementsAre(1, 0, 2));
  EXPECT_THAT(alphas(c, 1), ElementsAre(3, 0, 4));
  const Readings restart = Readings{}.with(Clause::AlphaAcrossDirections, "restart");
  EXPECT_THAT(alphas(c, 1, restart), ElementsAre(1, 0, 2));
  const Readings positional = Readings{}.with(Clause::AlphaConsumption, "positional");
  EXPECT_THAT(alphas(c, 0, positional), ElementsAre(1, 0, 3));
  EXPECT_THAT(alphas(c, 1, positional), ElementsAre(4, 0, 6));
}

TEST(ActivationList, DefaultParametersAndTheirReadings) {
  Case c = lstm({"Affine", "ScaledTanh", "HardSigmoid"});
  const auto resolved = [&](const Readings& readings) { return resolve_activations(make_problem(c), readings).at(0); };
  EXPECT_EQ(resolved({})[0].alpha, 1);
  EXPECT_EQ(resolved({})[0].beta, 0);
  EXPECT_EQ(resolved({})[1].alpha, 1);
  EXPECT_EQ(resolved({})[1].beta, 1);
  EXPECT_EQ(resolved({})[2].alpha, static_cast<double>(0.2F));
  EXPECT_EQ(resolved({})[2].beta, 0.5);
  const auto zero = resolved(Readings{}.with(Clause::DefaultsAffineScaledTanh, "zero"));
  EXPECT_EQ(zero[0].alpha, 0);
  EXPECT_EQ(zero[1].alpha, 0);
  EXPECT_EQ(zero[1].beta, 0);
  EXPECT_EQ(zero[2].beta, 0.5);
  EXPECT_THROW(resolved(Readings{}.with(Clause::DefaultsAffineScaledTanh, "refuse")), std::invalid_argument);

  const Readings in_double = Readings{}.with(Clause::DefaultParametersInDouble, "double");
  EXPECT_EQ(resolved(in_double)[2].alpha, static_cast<double>(0.2F));
  c.type = ElementType::Double;
  EXPECT_EQ(resolved(in_double)[2].alpha, 0.2);
  EXPECT_EQ(resolved({})[2].alpha, static_cast<double>(0.2F));
}

TEST(ActivationList, NamesInAnyCaseAndRnnsSchemaDefaultForOneDirection) {
  EXPECT_THAT(alphas(lstm({"leakyrelu", "TANH", "elu"})), ElementsAre(static_cast<double>(0.01F), 0, 1));
  Case c = plain_case({Operator::RNN, 22}, ElementType::Float, 1, 1, 1, 1);
  c.attributes.activations = {"Tanh", "Tanh"};
  EXPECT_EQ(resolve_activations(make_problem(c), {}).at(0).size(), 1U);
}

TEST(ActivationList, RefusesUnknownNamesAndWrongCounts) {
  EXPECT_THROW(alphas(lstm({"Tanh", "Tanh", "Gelu"})), std::invalid_argument);
  EXPECT_THROW(alphas(lstm({"Tanh", "Tanh"})), std::invalid_argument);
  EXPECT_THROW(alphas(lstm({"Sigmoid", "Tanh", "Tanh"}, "bidirectional")), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof::reference
