#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "corpus/suite.hpp"
#include "corpus/testing/files.hpp"
#include "spec/case_text.hpp"
#include "spec/expectation.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::corpus {
namespace {

using ::testing::HasSubstr;

TEST(OnnxBackendSuite, HoldsTheEighteenNodeTestsAsCases) {
  const Suite suite = load_suite("onnx-backend");
  ASSERT_EQ(suite.cases.size(), 18U);
  for (const auto& [name, c, law, clause] : suite.cases) {
    EXPECT_EQ(c.version.since_version, 22) << name;
    EXPECT_NE(expectation_of(make_problem(c)).kind, Expectation::Kind::Refuse) << name;
    EXPECT_EQ(to_text(parse_case(to_text(c))), to_text(c)) << name;
  }
}

TEST(OnnxBackendSuite, KeepsWhatTheTestsGive) {
  for (const auto& [name, c, law, clause] : load_suite("onnx-backend").cases) {
    if (name != "test_lstm_with_peepholes") continue;
    const Problem problem = make_problem(c);
    EXPECT_EQ(problem.inputs.size(), 8U);
    EXPECT_EQ(problem.input(input::X)->shape(), (Shape{1, 2, 4}));
    EXPECT_EQ(problem.input(input::P)->value(0), static_cast<double>(0.1F));
    EXPECT_EQ(problem.outputs, (std::vector{Presence::Empty, Presence::Given}));
    EXPECT_EQ(problem.attributes.hidden_size, 3);
    return;
  }
  FAIL() << "test_lstm_with_peepholes is not in the suite";
}

TEST(OnnxBackendSuite, SaysWhatSetUpShouldHaveBrought) {
  const TemporaryFolder empty;
  const char* before = std::getenv("CELLPROOF_ROOT");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("CELLPROOF_ROOT", empty.path().c_str(), 1);
  const std::string message = corpus_error_of([] { load_suite("onnx-backend"); });
  before == nullptr ? ::unsetenv("CELLPROOF_ROOT") : ::setenv("CELLPROOF_ROOT", kept.c_str(), 1);
  EXPECT_THAT(message,
              HasSubstr("test_lstm_defaults: ONNX's node test is missing, expected the 18 that set-up writes"));
  EXPECT_THAT(message, HasSubstr(empty.path().string()));
}

}  // namespace
}  // namespace cellproof::corpus
