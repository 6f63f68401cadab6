// The example of docs/adding-an-engine.md, run as the page says, and the page compared with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engines/paths.hpp"
#include "engines/registry.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::HasSubstr;
using testing::small_problem;

const std::string example = std::string(CELLPROOF_SOURCE_DIR) + "/engines/example/example_engine.py";

std::unique_ptr<WorkerEngine> make_example(const std::string& file = example) {
  const std::string package = std::string("PYTHONPATH=") + CELLPROOF_SOURCE_DIR + "/python";
  return make_engine("example=env " + package + " " + onnx_reference_python().string() + " " + file);
}

void expect_right(const Outcome& outcome, const Problem& problem) {
  const auto expected = testing::reference_outputs(problem);
  ASSERT_EQ(outcome.outputs.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::size_t i = 0; i < expected[k]->size(); ++i)
      EXPECT_NEAR(outcome.outputs[k]->value(i), expected[k]->value(i), 1e-5);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ExampleEngine, RunsThroughTheCommandLine) {
  const auto engine = make_example();
  EXPECT_EQ(engine->absence(), "");
  EXPECT_EQ(engine->describe().version, "1.0");
  const auto problem = small_problem({Operator::RNN, 14});
  EXPECT_TRUE(engine->supports(problem).supported);
  const Outcome outcome = engine->run(problem);
  ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message << engine->take_log();
  EXPECT_TRUE(outcome.misconduct.empty());
  expect_right(outcome, problem);
}

TEST(ExampleEngine, OfTwoOperatorsComputesBoth) {
  const auto engine = make_example(std::string(CELLPROOF_SOURCE_DIR) + "/engines/example/two_operators.py");
  for (const OperatorVersion version : {OperatorVersion{Operator::RNN, 14}, {Operator::GRU, 14}}) {
    const auto problem = small_problem(version);
    const Outcome outcome = engine->run(problem);
    ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message << engine->take_log();
    expect_right(outcome, problem);
  }
  EXPECT_EQ(engine->run(small_problem({Operator::LSTM, 14})).kind, OutcomeKind::NotSupported);
}

TEST(ExampleEngine, TwoCasesMayBeStarted) {
  const auto engine = make_example();
  const auto problem = small_problem({Operator::RNN, 14});
  engine->start(problem);
  engine->start(small_problem());
  EXPECT_EQ(engine->finish().kind, OutcomeKind::Ran);
  engine->start(problem);
  EXPECT_EQ(engine->finish().kind, OutcomeKind::NotSupported);
  EXPECT_EQ(engine->finish().kind, OutcomeKind::Ran);
}

TEST(ExampleEngine, SaysWhatItLacks) {
  const auto engine = make_example();
  const Outcome lstm = engine->run(small_problem());
  EXPECT_EQ(lstm.kind, OutcomeKind::NotSupported);
  EXPECT_EQ(lstm.message, "this engine knows RNN, and not LSTM");
  auto reverse = small_problem({Operator::RNN, 14});
  reverse.attributes.direction = "reverse";
  EXPECT_EQ(engine->supports(reverse).reason, "attribute direction is not supported");
  EXPECT_EQ(engine->run(small_problem({Operator::RNN, 14}, ElementType::Double)).message, "only float is supported");
}

TEST(ExampleEngine, IsTheOneOfThePage) {
  const auto code = text_of(example);
  EXPECT_LT(std::count(code.begin(), code.end(), '\n'), 50);
  const auto page = text_of(std::string(CELLPROOF_SOURCE_DIR) + "/docs/adding-an-engine.md");
  EXPECT_THAT(page, HasSubstr("```python\n" + code + "```\n"));
}

}  // namespace
}  // namespace cellproof::engines
