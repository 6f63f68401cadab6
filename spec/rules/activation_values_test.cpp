#include "spec/rules/activation_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace cellproof::rules {
namespace {

using ::testing::ElementsAre;
constexpr std::nullopt_t none = std::nullopt;

std::vector<const ActivationInfo*> list_of(std::initializer_list<std::string_view> names) {
  std::vector<const ActivationInfo*> list;
  for (const std::string_view name : names) list.push_back(activation_exactly(name));
  return list;
}

TEST(ActivationValues, AreReadAsAStreamByThoseThatTakeOne) {
  const auto list = list_of({"Tanh", "LeakyRelu", "Elu"});
  EXPECT_THAT(assign_values(list, 3, {0.1F, 0.2F}, Parameter::Alpha, {}), ElementsAre(none, 0.1F, 0.2F));
  EXPECT_THAT(assign_values(list, 3, {0.1F}, Parameter::Alpha, {}), ElementsAre(none, 0.1F, none));
  EXPECT_THAT(assign_values(list, 3, {0.1F}, Parameter::Beta, {}), ElementsAre(none, none, none));
  EXPECT_EQ(takers(list, Parameter::Alpha), 2U);
  EXPECT_EQ(takers(list, Parameter::Beta), 0U);
}

TEST(ActivationValues, AreReadByPosition) {
  const auto list = list_of({"Tanh", "LeakyRelu", "Elu"});
  EXPECT_THAT(assign_values(list, 3, {0.1F, 0.2F, 0.3F}, Parameter::Alpha, {.positional = true}),
              ElementsAre(none, 0.2F, 0.3F));
  EXPECT_THAT(assign_values(list, 3, {0.1F}, Parameter::Alpha, {.positional = true}), ElementsAre(none, none, none));
}

TEST(ActivationValues, GoOnOrStartAgainInTheBackwardDirection) {
  const auto list = list_of({"Affine", "Tanh", "HardSigmoid", "Tanh"});
  EXPECT_THAT(assign_values(list, 2, {0.1F, 0.2F}, Parameter::Beta, {}), ElementsAre(0.1F, none, 0.2F, none));
  EXPECT_THAT(assign_values(list, 2, {0.1F, 0.2F}, Parameter::Beta, {.restart = true}),
              ElementsAre(0.1F, none, 0.1F, none));
}

TEST(ActivationValues, AreNotTakenByAnUnknownFunction) {
  EXPECT_THAT(assign_values({nullptr, activation_exactly("Elu")}, 2, {0.5F}, Parameter::Alpha, {}),
              ElementsAre(none, 0.5F));
}

}  // namespace
}  // namespace cellproof::rules
