#include "corpus/suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cellproof::corpus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Suites, AreListedAndLoadByName) {
  std::vector<std::string_view> names;
  for (const auto& info : suites()) {
    names.push_back(info.name);
    EXPECT_FALSE(info.what.empty());
    const Suite suite = load_suite(info.name);
    EXPECT_EQ(suite.name, info.name);
    EXPECT_EQ(suite.what, info.what);
    EXPECT_FALSE(suite.cases.empty());
  }
  EXPECT_THAT(names, ElementsAre("onnx-backend", "smoke", "invalid", "readings"));
}

TEST(Suites, TiersNameSuitesThatExist) {
  for (const auto& tier : tiers()) {
    for (const auto suite : tier.suites) EXPECT_THAT(expand_suite_argument(suite), ElementsAre(std::string(suite)));
  }
}

TEST(Suites, AnArgumentIsATierOrASuite) {
  EXPECT_THAT(expand_suite_argument("quick"), ElementsAre("onnx-backend", "smoke", "invalid"));
  EXPECT_THAT(expand_suite_argument("smoke"), ElementsAre("smoke"));
}

TEST(Suites, AnUnknownNameGetsAListOfWhatThereIs) {
  for (const auto use : {+[] { load_suite("smok"); }, +[] { expand_suite_argument("smok"); }}) {
    try {
      use();
      FAIL() << "no exception";
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(
          error.what(),
          HasSubstr("no suite or tier 'smok', expected one of quick, ci, onnx-backend, smoke, invalid, readings"));
    }
  }
}

}  // namespace
}  // namespace cellproof::corpus
