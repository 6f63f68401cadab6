#include "engines/cpu/cpu_engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engines/registry.hpp"
#include "engines/schema_checks.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr const char* names[] = {"cellproof-cpu",          "cellproof-cpu@scalar",  "cellproof-cpu@avx2",
                                 "cellproof-cpu@avx-vnni", "cellproof-cpu@avx512",  "cellproof-cpu@avx512-bf16",
                                 "cellproof-cpu@amx",      "cellproof-cpu@openblas"};

/// Why a path cannot run here: only a processor's missing features may be a reason.
bool is_missing_here(WorkerEngine& engine) {
  const std::string absence = engine.absence();
  if (absence.empty()) return false;
  EXPECT_THAT(absence, AnyOf(HasSubstr("this processor lacks A"), HasSubstr("does not let this process use AMX")));
  return true;
}

TEST(CpuEngine, ComputesEveryVersionOnEveryPath) {
  for (const char* name : names) {
    const auto engine = make_engine(name);
    if (is_missing_here(*engine)) continue;
    EXPECT_EQ(engine->describe().name, name);
    for (const auto version : all_operator_versions()) {
      for (const auto type : {ElementType::Float, ElementType::Double, ElementType::Float16, ElementType::BFloat16}) {
        if (version.op == Operator::DynamicQuantizeLSTM && type != ElementType::Float) continue;
        if (type == ElementType::BFloat16 && version.since_version < 22) continue;
        const Problem problem = testing::small_problem(version, type);
        const Outcome outcome = engine->run(problem);
        ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << name << ", " << to_string(version) << ": " << outcome.message;
        EXPECT_TRUE(outcome.misconduct.empty());
        const auto expected = testing::reference_outputs(problem);
        ASSERT_EQ(outcome.outputs.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ(outcome.outputs[i]->shape(), expected[i]->shape());
          ASSERT_EQ(outcome.outputs[i]->type(), expected[i]->type());
          for (std::size_t e = 0; e < expected[i]->size(); ++e)
            ASSERT_NEAR(outcome.outputs[i]->value(e), expected[i]->value(e), 8 * float_format(type).unit_roundoff)
                << name << ", " << to_string(version) << ", " << onnx_name(type);
        }
      }
    }
  }
}

TEST(CpuEngine, PromisesTheSameBitsWhereItAddsUpByItself) {
  for (const char* name : names) {
    const auto engine = make_engine(name);
    if (is_missing_here(*engine)) continue;
    EXPECT_EQ(engine->describe().same_bits, std::string(name) != "cellproof-cpu@openblas") << name;
  }
}

TEST(CpuEngine, RefusesInOneSentenceThatNamesTheClause) {
  const auto engine = make_engine("cellproof-cpu@scalar");
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
  EXPECT_EQ(refusal([](Problem& p) { p.version.since_version = 7, p.attributes.layout = 0; }),
            "LSTM-7 has no attribute layout (LSTM-7, attributes)");
  EXPECT_EQ(refusal([](Problem& p) { p.attributes.linear_before_reset = 1; }),
            "LSTM-14 has no attribute linear_before_reset (LSTM-14, attributes)");
}

}  // namespace
}  // namespace cellproof::engines
