#include "engines/cuda/cuda_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engines/registry.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

void expect_the_references_outputs(WorkerEngine& engine, const Problem& problem, const std::string& what) {
  const Outcome outcome = engine.run(problem);
  ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << what << ": " << outcome.message;
  EXPECT_TRUE(outcome.misconduct.empty()) << what;
  const auto expected = testing::reference_outputs(problem);
  ASSERT_EQ(outcome.outputs.size(), expected.size()) << what;
  const double tolerance = 8 * float_format(problem.input(input::X)->type()).unit_roundoff;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(outcome.outputs[i]->shape(), expected[i]->shape()) << what;
    ASSERT_EQ(outcome.outputs[i]->type(), expected[i]->type()) << what;
    for (std::size_t e = 0; e < expected[i]->size(); ++e)
      ASSERT_NEAR(outcome.outputs[i]->value(e), expected[i]->value(e), tolerance) << what;
  }
}

void check_every_version(const char* name) {
  const auto engine = make_engine(name);
  EXPECT_EQ(engine->describe().name, name);
  for (const auto version : all_operator_versions())
    for (const auto type : {ElementType::Float, ElementType::Double, ElementType::Float16, ElementType::BFloat16}) {
      if (version.op == Operator::DynamicQuantizeLSTM && type != ElementType::Float) continue;
      if (type == ElementType::BFloat16 && version.since_version < 22) continue;
      expect_the_references_outputs(*engine, testing::small_problem(version, type),
                                    to_string(version) + ", " + std::string(onnx_name(type)));
    }
}

TEST(CudaEngine, ComputesEveryVersionOnTheHost) {
  check_every_version("cellproof-cuda@host");
}

TEST(CudaEngine, ComputesEveryVersionOnADevice) {
  const std::string absence = make_engine("cellproof-cuda")->absence();
  if (!absence.empty()) GTEST_SKIP() << absence;
  check_every_version("cellproof-cuda");
}

TEST(CudaEngine, SaysWhyThereIsNoDevice) {
  const auto engine = make_engine("cellproof-cuda");
  const std::string absence = engine->absence();
  if (absence.empty()) GTEST_SKIP() << "there is a device: " << engine->describe().name;
  EXPECT_THAT(absence, AnyOf(HasSubstr("built without nvcc"), HasSubstr("no NVIDIA driver"), HasSubstr("is too old"),
                             HasSubstr("shows no device")));
  EXPECT_EQ(engine->run(testing::small_problem()).kind, OutcomeKind::EngineAbsent);
}

TEST(CudaEngine, RefusesInOneSentenceThatNamesTheClause) {
  const auto engine = make_engine("cellproof-cuda@host");
  const auto refusal = [&](const auto& change) {
    Problem problem = testing::small_problem({Operator::LSTM, 14});
    change(problem);
    const Outcome outcome = engine->run(problem);
    EXPECT_EQ(outcome.kind, OutcomeKind::Rejected);
    return outcome.message;
  };
  EXPECT_EQ(refusal([](Problem& p) { p.attributes.clip = -1.0F; }),
            "clip is -1.000000, expected a number of at least 0 (attribute clip)");
  EXPECT_EQ(refusal([](Problem& p) {
              p.inputs[input::R].tensor = Tensor(ElementType::Float, {1, 20, 4});
            }),
            "input R has shape [1,20,4], expected [D,4H,H] = [1,20,5] (input R)");
  EXPECT_EQ(refusal([](Problem& p) { p.attributes.linear_before_reset = 1; }),
            "LSTM-14 has no attribute linear_before_reset (LSTM-14, attributes)");
  EXPECT_EQ(refusal([](Problem& p) { p.attributes.activations = std::vector<std::string>{}; }),
            "activations has 0 names, expected 3 for 1 direction (attribute activations)");
}

}  // namespace
}  // namespace cellproof::engines
