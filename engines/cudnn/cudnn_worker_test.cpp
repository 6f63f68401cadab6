#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "engines/registry.hpp"
#include "engines/testing/engines.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::engines {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* cudnn_engines[] = {"cellproof-cudnn", "cellproof-cudnn@tf32", "cellproof-cudnn@tensor-op"};

std::unique_ptr<WorkerEngine> stand_in_engine(const std::string& arithmetic) {
  return make_engine("stand-in='" + std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-cudnn-stand-in' " +
                     arithmetic);
}

/// The outcome is the reference's, as far as `tolerance` goes.
void expect_reference(const Problem& problem, const Outcome& outcome, double tolerance, const std::string& what) {
  ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << what << ": " << outcome.message;
  EXPECT_TRUE(outcome.misconduct.empty()) << what;
  const auto expected = testing::reference_outputs(problem);
  ASSERT_EQ(outcome.outputs.size(), expected.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(outcome.outputs[i]->shape(), expected[i]->shape()) << what;
    ASSERT_EQ(outcome.outputs[i]->type(), expected[i]->type()) << what;
    for (std::size_t e = 0; e < expected[i]->size(); ++e)
      ASSERT_NEAR(outcome.outputs[i]->value(e), expected[i]->value(e), tolerance) << what << ", output " << i;
  }
}

TEST(CudnnWorker, SaysWhyItIsAbsentWhereItIs) {
  for (const char* name : cudnn_engines) {
    const std::string absence = make_engine(name)->absence();
    if (absence.empty()) GTEST_SKIP() << "there is a GPU here";
    EXPECT_THAT(absence, AnyOf(StartsWith("built without CUDA: "), StartsWith("no NVIDIA driver"),
                               StartsWith("the NVIDIA driver is too old"), StartsWith("no CUDA device"),
                               StartsWith("no cuDNN 9: ")))
        << name;
  }
}

/// Expects each engine to be absent for a reason, beside whatever else is missing here.
void expect_absent_for(const std::string& reason) {
  for (const char* name : cudnn_engines) EXPECT_THAT(make_engine(name)->absence(), HasSubstr(reason)) << name;
}

TEST(CudnnWorker, SaysThatTheNamedCudnnIsBrokenBesideWhatElseIsMissing) {
  setenv("CELLPROOF_CUDNN_LIBRARY", "/no-such-folder/libcudnn.so.9", 1);
  expect_absent_for("no cuDNN 9: /no-such-folder/libcudnn.so.9: cannot open");
  unsetenv("CELLPROOF_CUDNN_LIBRARY");
  // Not even where the loader has a whole one: that is another than the one that was named.
  const TemporaryFolder folder;
  const std::string file = (folder / "libcudnn.so.9").string();
  std::ofstream(file) << "cut off";
  setenv("CELLPROOF_CUDNN_DIRS", folder.path().c_str(), 1);
  expect_absent_for("no cuDNN 9: " + file + ": file too short");
  unsetenv("CELLPROOF_CUDNN_DIRS");
}

TEST(CudnnWorker, ComputesPlainCasesOnAGpu) {
  for (const char* name : cudnn_engines) {
    const auto engine = make_engine(name);
    if (const std::string absence = engine->absence(); !absence.empty()) GTEST_SKIP() << name << ": " << absence;
    const auto type = std::string(name).ends_with("tensor-op") ? ElementType::Float16 : ElementType::Float;
    for (const Operator op : {Operator::LSTM, Operator::RNN}) {
      const Problem problem = testing::small_problem({op, 14}, type);
      expect_reference(problem, engine->run(problem), type == ElementType::Float ? 5e-3 : 1e-2, name);
    }
  }
}

TEST(CudnnWorker, ComputesWhatCudnnCanExpressOverTheStandIn) {
  const auto engine = stand_in_engine("fma");
  for (const auto version : all_operator_versions()) {
    if (version.op == Operator::DynamicQuantizeLSTM) continue;
    for (const auto type : {ElementType::Float, ElementType::Double, ElementType::Float16, ElementType::BFloat16}) {
      if (type == ElementType::BFloat16 && version.since_version < 22) continue;
      Problem problem = testing::small_problem(version, type);
      if (version.op == Operator::GRU) {
        if (version.since_version < 3) continue;
        problem.attributes.linear_before_reset = 1;
      }
      const std::string what = to_string(version) + " " + std::string(onnx_name(type));
      expect_reference(problem, engine->run(problem), 8 * float_format(type).unit_roundoff, what);
    }
  }
}

TEST(CudnnWorker, SaysWhatCudnnCannotExpressAndRefusesWhatIsInvalid) {
  const auto engine = stand_in_engine("fma");
  const auto answer = [&](OperatorVersion version, OutcomeKind kind, const auto& change) {
    Problem problem = testing::small_problem(version);
    change(problem);
    const Outcome outcome = engine->run(problem);
    EXPECT_EQ(outcome.kind, kind) << outcome.message;
    return outcome.message;
  };
  const OperatorVersion lstm{Operator::LSTM, 14}, gru{Operator::GRU, 14};
  EXPECT_THAT(answer(gru, OutcomeKind::NotSupported, [](Problem&) {}), HasSubstr("(attribute linear_before_reset)"));
  EXPECT_THAT(answer(lstm, OutcomeKind::NotSupported, [](Problem& p) { p.attributes.clip = 1.0F; }),
              HasSubstr("(attribute clip)"));
  EXPECT_THAT(answer(lstm, OutcomeKind::Rejected, [](Problem& p) { p.attributes.clip = -1.0F; }),
              HasSubstr("(attribute clip)"));
  EXPECT_THAT(answer({Operator::LSTM, 7}, OutcomeKind::Rejected, [](Problem& p) { p.attributes.layout = 0; }),
              HasSubstr("LSTM-7 has no attribute layout"));
}

TEST(CudnnWorker, FailsWhereCudnnRefusesWhatItsLimitsAllow) {
  for (const char* status : {"3002", "3008", "5003"}) {
    const Outcome outcome = stand_in_engine(std::string("fma ") + status)->run(testing::small_problem());
    EXPECT_EQ(outcome.kind, OutcomeKind::Crashed) << outcome.message;
  }
}

TEST(CudnnWorker, TakesOnlyTheTypesOfItsArithmetic) {
  const auto tf32 = stand_in_engine("tf32"), tensor_op = stand_in_engine("tensor-op");
  const auto kind = [](WorkerEngine& engine, ElementType type) {
    return engine.run(testing::small_problem({Operator::LSTM, 22}, type)).kind;
  };
  EXPECT_EQ(tf32->describe().contract, ContractId::Tf32);
  EXPECT_EQ(tensor_op->describe().contract, ContractId::F32InsideStored);
  EXPECT_EQ(kind(*tf32, ElementType::Float), OutcomeKind::Ran);
  EXPECT_EQ(kind(*tf32, ElementType::Float16), OutcomeKind::NotSupported);
  EXPECT_EQ(kind(*tensor_op, ElementType::BFloat16), OutcomeKind::Ran);
  EXPECT_EQ(kind(*tensor_op, ElementType::Float), OutcomeKind::NotSupported);
}

}  // namespace
}  // namespace cellproof::engines
