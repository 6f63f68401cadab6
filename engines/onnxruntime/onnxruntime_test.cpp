#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <filesystem>

#include "engines/onnxruntime/capability.hpp"
#include "engines/paths.hpp"
#include "engines/registry.hpp"
#include "engines/same_outputs.hpp"
#include "engines/testing/engines.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::engines {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using testing::small_problem;

class OnnxRuntime : public ::testing::Test {
 protected:
  std::unique_ptr<WorkerEngine> engine_ = make_engine("onnxruntime");
};

TEST_F(OnnxRuntime, ComputesAnRnnThatIsEasyByHand) {
  Problem problem;
  problem.version = {Operator::RNN, 14};
  problem.attributes.hidden_size = 1;
  const auto tensor = [](Shape shape, std::vector<double> values) {
    return Tensor::from_values(ElementType::Float, std::move(shape), values);
  };
  problem.inputs = {{Presence::Given, Source::GraphInput, tensor({2, 1, 1}, {1, -2})},
                    {Presence::Given, Source::Initializer, tensor({1, 1, 1}, {0.5})},
                    {Presence::Given, Source::Initializer, tensor({1, 1, 1}, {2})}};
  problem.outputs = {Presence::Given, Presence::Given};
  const Outcome outcome = engine_->run(problem);
  ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message;
  ASSERT_THAT(outcome.outputs, SizeIs(2));
  const double first = std::tanh(0.5 * 1), second = std::tanh(0.5 * -2 + 2 * first);
  EXPECT_EQ(outcome.outputs[0]->shape(), (Shape{2, 1, 1, 1}));
  EXPECT_NEAR(outcome.outputs[0]->value(0), first, 1e-6);
  EXPECT_NEAR(outcome.outputs[0]->value(1), second, 1e-6);
  EXPECT_EQ(outcome.outputs[1]->shape(), (Shape{1, 1, 1}));
  EXPECT_NEAR(outcome.outputs[1]->value(0), second, 1e-6);
}

TEST_F(OnnxRuntime, AgreesWithTheReferenceOnPlainCases) {
  for (const auto version : all_operator_versions()) {
    if (version.since_version < 7 || version.op == Operator::DynamicQuantizeLSTM) continue;
    const auto problem = small_problem(version);
    const Outcome outcome = engine_->run(problem);
    ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << to_string(version) << ": " << outcome.message;
    const auto expected = testing::reference_outputs(problem);
    ASSERT_EQ(outcome.outputs.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(outcome.outputs[k]->shape(), expected[k]->shape());
      for (std::size_t i = 0; i < expected[k]->size(); ++i)
        EXPECT_NEAR(outcome.outputs[k]->value(i), expected[k]->value(i), 1e-5)
            << to_string(version) << " " << k << " " << i;
    }
    EXPECT_GT(outcome.timings.prepare, 0);
    EXPECT_GT(outcome.timings.run, 0);
    EXPECT_GT(outcome.timings.release, 0);
    EXPECT_TRUE(outcome.misconduct.empty());
    EXPECT_TRUE(same_outputs(outcome, engine_->run(problem)));
  }
}

/// It has no kernel for float16, and puts casts around the one for float: state and gates are float inside.
TEST_F(OnnxRuntime, RunsFloat16InFloat) {
  const auto problem = small_problem({Operator::LSTM, 14}, ElementType::Float16);
  const Outcome outcome = engine_->run(problem);
  ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message;
  const auto expected = testing::reference_outputs(problem);
  for (std::size_t i = 0; i < expected[0]->size(); ++i)
    EXPECT_NEAR(outcome.outputs[0]->value(i), expected[0]->value(i), 1e-3);
}

TEST_F(OnnxRuntime, RunsTheQuantisedLstm) {
  const Outcome outcome = engine_->run(small_problem({Operator::DynamicQuantizeLSTM, 1}));
  EXPECT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message;
}

TEST_F(OnnxRuntime, SaysWhatItLacks) {
  struct Gap {
    const char* what;
    Problem problem;
    const char* message;
  };
  auto layout = small_problem({Operator::LSTM, 14});
  layout.attributes.layout = 1;
  auto second_layout = small_problem({Operator::GRU, 14});
  second_layout.attributes.layout = 1;
  const Gap gaps[] = {
      {"double LSTM", small_problem({Operator::LSTM, 14}, ElementType::Double), "double"},
      {"double RNN", small_problem({Operator::RNN, 14}, ElementType::Double), ""},
      {"layout=1, LSTM", layout, "layout"},
      {"layout=1, GRU", second_layout, "layout"},
      {"bf16", small_problem({Operator::LSTM, 22}, ElementType::BFloat16), ""},
      {"an opset before its first", small_problem({Operator::LSTM, 1}), ""},
      {"GRU-3", small_problem({Operator::GRU, 3}), ""},
  };
  for (const auto& [what, problem, message] : gaps) {
    const Outcome outcome = engine_->run(problem);
    EXPECT_EQ(outcome.kind, OutcomeKind::NotSupported) << what << ": " << outcome.message;
    EXPECT_THAT(outcome.message, HasSubstr(message)) << what;
    std::printf("           %s: %s\n", what, outcome.message.c_str());
  }
  EXPECT_FALSE(engine_->supports(small_problem({Operator::LSTM, 22}, ElementType::BFloat16)).supported);
  EXPECT_TRUE(engine_->supports(small_problem()).supported);
}

TEST_F(OnnxRuntime, RejectsWhatIsWrong) {
  auto unknown_attribute = small_problem({Operator::LSTM, 7});
  unknown_attribute.attributes.layout = 0;
  auto long_length = small_problem();
  long_length.inputs.resize(5);
  long_length.inputs[3].presence = Presence::Empty;
  long_length.inputs[4] = {Presence::Given, Source::GraphInput,
                           Tensor::from_values(ElementType::Int32, {2}, std::vector<double>{9, 1})};
  auto wrong_hidden = small_problem();
  wrong_hidden.attributes.hidden_size = 9;
  auto unknown_activation = small_problem({Operator::RNN, 14});
  unknown_activation.attributes.activations = {{"Tanhh"}};
  auto unknown_direction = small_problem();
  unknown_direction.attributes.direction = "sideways";
  for (const auto& [what, problem] :
       {std::pair{"attribute of a later version", unknown_attribute}, std::pair{"length beyond T", long_length},
        std::pair{"hidden_size", wrong_hidden}, std::pair{"activation", unknown_activation},
        std::pair{"direction", unknown_direction}}) {
    const Outcome outcome = engine_->run(problem);
    EXPECT_EQ(outcome.kind, OutcomeKind::Rejected) << what << ": " << outcome.message;
    EXPECT_FALSE(outcome.message.empty());
    std::printf("           %s: %s\n", what, outcome.message.c_str());
  }
}

/// ONNX Runtime aborts on an empty batch.
TEST_F(OnnxRuntime, AnAbortOfItsOwnIsNamedAndTheNextCaseRuns) {
  const auto empty = make_problem(plain_case({Operator::GRU, 14}, ElementType::Float, 3, 0, 4, 5));
  for (int k = 0; k < 3; ++k) {
    const Outcome outcome = engine_->run(empty);
    EXPECT_EQ(outcome.kind, OutcomeKind::Crashed) << outcome.message;
    EXPECT_EQ(outcome.signal, SIGABRT);
    EXPECT_EQ(engine_->run(small_problem()).kind, OutcomeKind::Ran);
  }
}

TEST(OnnxRuntimeCapability, TellsALackFromAJudgement) {
  EXPECT_EQ(ort::meaning_of(
                1, "Opset 28 is under development. Current official support for domain ai.onnx is till opset 26."),
            OutcomeKind::NotSupported);
  EXPECT_EQ(ort::meaning_of(1, "No Op registered for LSTM with domain_version of 22"), OutcomeKind::NotSupported);
  EXPECT_EQ(ort::meaning_of(9, "a wording that nobody has seen"), OutcomeKind::NotSupported);
  EXPECT_EQ(ort::meaning_of(11, "Failed to finalize QNN graph. Error: 1002"), OutcomeKind::NotSupported);
  EXPECT_EQ(ort::meaning_of(6, "std::bad_alloc"), OutcomeKind::OutOfMemory);
  EXPECT_EQ(ort::meaning_of(1, "LSTM operator does not support double yet"), OutcomeKind::NotSupported);
  EXPECT_EQ(
      ort::meaning_of(6, "layout_ == 0 was false. Batchwise recurrent operations (layout == 1) are not supported."),
      OutcomeKind::NotSupported);
  EXPECT_EQ(ort::meaning_of(2, "Input R must have shape {1,20,5}"), OutcomeKind::Rejected);
  EXPECT_EQ(ort::meaning_of(2, "a negative clip is not supported"), OutcomeKind::Rejected) << "words alone are no lack";
  EXPECT_EQ(ort::meaning_of(6, "unsupported value at index 3: the kernel has failed"), OutcomeKind::Rejected);
}

/// Another file of the same library stands for another version: it is what its own path says.
TEST_F(OnnxRuntime, TwoLibrariesStandSideBySide) {
  const TemporaryFolder folder;
  const auto file = folder / "libonnxruntime.so.9.9.9";
  std::filesystem::create_symlink(onnxruntime_library(), file);
  const auto other = make_engine("onnxruntime=" + file.string());
  const auto problem = small_problem();
  EXPECT_TRUE(same_outputs(other->run(problem), engine_->run(problem)));
  EXPECT_EQ(other->describe().name, "onnxruntime@9.9.9");
  EXPECT_EQ(other->describe().version, "1.32.0");
  EXPECT_EQ(engine_->describe().name, "onnxruntime");
}

TEST_F(OnnxRuntime, ItsCpuProviderIsTheDefault) {
  const auto named = make_engine("onnxruntime:CPUExecutionProvider");
  const auto problem = small_problem({Operator::GRU, 14});
  EXPECT_TRUE(same_outputs(named->run(problem), engine_->run(problem)));
  EXPECT_EQ(named->describe().name, "onnxruntime@CPUExecutionProvider");
}

/// Azure's provider is in the pinned library and takes no recurrent node, so ONNX Runtime would run its CPU code.
TEST_F(OnnxRuntime, WhatFallsBackToTheCpuHasNotRun) {
  const auto azure = make_engine("onnxruntime:AzureExecutionProvider");
  ASSERT_EQ(azure->absence(), "");
  const Outcome outcome = azure->run(small_problem());
  EXPECT_EQ(outcome.kind, OutcomeKind::NotSupported);
  EXPECT_EQ(outcome.message, "fell back: AzureExecutionProvider does not take the model, or a part of it");
  EXPECT_TRUE(outcome.outputs.empty());
  EXPECT_FALSE(azure->supports(small_problem()).supported);
  auto wrong = small_problem({Operator::LSTM, 7});
  wrong.attributes.layout = 0;
  EXPECT_EQ(azure->run(wrong).kind, OutcomeKind::Rejected) << "ONNX Runtime's own checks come first";
}

/// A node with constant inputs alone is folded by the CPU code before any provider is asked.
TEST_F(OnnxRuntime, WhatIsFoldedHasNotRunOnTheProvider) {
  auto constant = small_problem();
  for (auto& input : constant.inputs)
    if (input.presence == Presence::Given) input.source = Source::ConstantNode;
  EXPECT_EQ(engine_->run(constant).kind, OutcomeKind::Ran);
  const Outcome outcome = make_engine("onnxruntime:AzureExecutionProvider")->run(constant);
  EXPECT_EQ(outcome.kind, OutcomeKind::NotSupported);
  EXPECT_THAT(outcome.message, ::testing::StartsWith("fell back: "));
}

TEST_F(OnnxRuntime, AProviderThatIsNotThereIsAbsence) {
  EXPECT_THAT(make_engine("onnxruntime:XnnpackExecutionProvider")->absence(), HasSubstr("not supported in this build"));
  EXPECT_THAT(make_engine("onnxruntime:Nobody")->absence(), HasSubstr("Unknown provider name 'Nobody'"));
  const auto worker = known_engines().at(1).command.at(0), library = onnxruntime_library().string();
  EXPECT_THAT(WorkerEngine("ort", {worker, library, "ggml", "library=libm.so.6"}).absence(), HasSubstr("libm.so.6"));
  EXPECT_THAT(WorkerEngine("ort", {worker, library, "ggml", "device"}).absence(), HasSubstr("expected KEY=VALUE"));
}

TEST_F(OnnxRuntime, AProvidersPackageGivesTheVersion) {
  const auto worker = known_engines().at(1).command.at(0), library = onnxruntime_library().string();
  WorkerEngine engine("ort", {worker, library, "AzureExecutionProvider", "version=2.7.0"});
  EXPECT_EQ(engine.describe().version, "2.7.0 (ONNX Runtime 1.32.0)");
}

TEST_F(OnnxRuntime, ALibraryThatIsTooOldIsAbsence) {
  const auto worker = known_engines().at(1).command.at(0);
  const std::string old = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-old-onnxruntime.so";
  EXPECT_EQ(WorkerEngine("ort", {worker, old}).absence(),
            old + ": ONNX Runtime 1.18.1 is too old: 1.19 is the oldest that can be driven");
}

TEST_F(OnnxRuntime, ALibraryThatIsNoneIsAbsence) {
  const auto worker = known_engines().at(1).command.at(0);
  EXPECT_THAT(WorkerEngine("ort", {worker, "/nonexistent.so"}).absence(), HasSubstr("/nonexistent.so"));
  EXPECT_THAT(WorkerEngine("ort", {worker, "libm.so.6"}).absence(), HasSubstr("no ONNX Runtime library"));
}

}  // namespace
}  // namespace cellproof::engines
