#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.hpp"
#include "engines/same_outputs.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::HasSubstr;
using testing::small_problem;

class OnnxReference : public ::testing::Test {
 protected:
  std::unique_ptr<WorkerEngine> engine_ = make_engine("onnx-reference");

  void expect_agreement(const Problem& problem, double tolerance) {
    const Outcome outcome = engine_->run(problem);
    const auto label = to_string(problem.version) + " " + std::string(onnx_name(problem.input(input::X)->type()));
    ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << label << ": " << outcome.message << engine_->take_log();
    const auto expected = testing::reference_outputs(problem);
    ASSERT_EQ(outcome.outputs.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if (!expected[k]) continue;
      ASSERT_EQ(outcome.outputs[k]->type(), expected[k]->type()) << label;
      ASSERT_EQ(outcome.outputs[k]->shape(), expected[k]->shape()) << label;
      for (std::size_t i = 0; i < expected[k]->size(); ++i)
        EXPECT_NEAR(outcome.outputs[k]->value(i), expected[k]->value(i), tolerance) << label << " output " << k;
    }
    EXPECT_GT(outcome.timings.prepare, 0);
    EXPECT_GT(outcome.timings.run, 0);
    EXPECT_TRUE(outcome.misconduct.empty());
    EXPECT_TRUE(same_outputs(outcome, engine_->run(problem)));
  }
};

TEST_F(OnnxReference, AgreesWithTheReferenceInEveryType) {
  for (const auto op : {Operator::LSTM, Operator::GRU, Operator::RNN}) {
    expect_agreement(small_problem({op, 14}), 1e-5);
    expect_agreement(small_problem({op, 14}, ElementType::Double), 1e-13);
    expect_agreement(small_problem({op, 14}, ElementType::Float16), 2e-2);
    expect_agreement(small_problem({op, 22}, ElementType::BFloat16), 0.2);
  }
}

TEST_F(OnnxReference, SkippedOutputsAreNotMixedUp) {
  auto problem = small_problem();
  problem.outputs = {Presence::Empty, Presence::Given, Presence::Given};
  expect_agreement(problem, 1e-5);
}

TEST_F(OnnxReference, TellsWhatItLacksFromWhatItRefuses) {
  EXPECT_EQ(engine_->run(small_problem({Operator::RNN, 1})).kind, OutcomeKind::NotSupported);
  EXPECT_EQ(engine_->run(small_problem({Operator::DynamicQuantizeLSTM, 1})).kind, OutcomeKind::NotSupported);
  auto relu = small_problem({Operator::RNN, 14});
  relu.attributes.activations = {{"Relu"}};
  const Outcome outcome = engine_->run(relu);
  EXPECT_EQ(outcome.kind, OutcomeKind::Rejected);
  EXPECT_THAT(outcome.message, HasSubstr("Unknown activation function 'Relu'"));
}

}  // namespace
}  // namespace cellproof::engines
