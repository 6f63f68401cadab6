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
  EXPECT_THAT(names, ElementsAre("onnx-backend", "smoke", "invalid", "readings", "limits", "regressions", "deployed"));
}

TEST(Suites, AnUnknownNameGetsAListOfWhatThereIs) {
  try {
    load_suite("smok");
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("no suite 'smok', did you mean smoke? Expected one of onnx-backend, smoke, "
                                        "invalid, readings, limits, regressions"));
  }
}

}  // namespace
}  // namespace cellproof::corpus
