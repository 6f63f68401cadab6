#include "engines/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ranges>
#include <set>
#include <stdexcept>

#include "engines/paths.hpp"
#include "engines/same_outputs.hpp"
#include "engines/testing/engines.hpp"

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string complaint_about(std::string_view argument) {
  try {
    make_engine(argument);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, KnowsItsEnginesAndTheyAreHere) {
  const auto engines = known_engines();
  std::vector<std::string> names;
  for (const auto& engine : engines) names.push_back(engine.name);
  EXPECT_THAT(names,
              ElementsAre("reference", "onnxruntime", "onnx-reference", "cellproof-cpu", "cellproof-cpu@scalar",
                          "cellproof-cpu@avx2", "cellproof-cpu@avx-vnni", "cellproof-cpu@avx512",
                          "cellproof-cpu@avx512-bf16", "cellproof-cpu@amx", "cellproof-cpu@openblas", "cellproof-cuda",
                          "cellproof-cuda@host", "cellproof-cudnn", "cellproof-cudnn@tf32", "cellproof-cudnn@tensor-op",
                          "openvino", "openvino@bf16", "tract", "onnxruntime-ggml", "onnxruntime-qnn"));
  for (const auto& engine : engines | std::views::take(14))
    EXPECT_EQ(engine.absent, "") << engine.name << ": set-up should have brought it";
}

TEST(Registry, WhatSetUpDoesNotBringForItIsUsedOnlyWhereItIsNamed) {
  const std::set<std::string> by_default{"reference", "onnxruntime", "onnx-reference"};
  for (const auto& engine : known_engines())
    EXPECT_EQ(engine.by_default, by_default.contains(engine.name)) << engine.name;
}

TEST(Registry, EachEngineIsWhatItsDescriptionSays) {
  for (const auto& [name, version] : {std::pair{"reference", CELLPROOF_VERSION}, std::pair{"onnxruntime", "1.32.0"},
                                      std::pair{"onnx-reference", "1.23.2"}}) {
    const auto engine = make_engine(name);
    EXPECT_EQ(engine->absence(), "");
    EXPECT_EQ(engine->describe().name, name);
    EXPECT_EQ(engine->describe().version, version);
  }
}

TEST(Registry, SaysWhatIsMissing) {
  setenv("CELLPROOF_ROOT", "/nonexistent", 1);
  const auto engines = known_engines();
  EXPECT_EQ(engines[0].absent, "");
  EXPECT_THAT(engines[1].absent, HasSubstr("ONNX Runtime's library is missing: /nonexistent/.deps/"));
  EXPECT_THAT(engines[2].absent, HasSubstr("its Python environment is missing"));
  for (const std::size_t k : {1, 2}) EXPECT_EQ(make_engine(engines[k].name)->absence(), engines[k].absent);
  unsetenv("CELLPROOF_ROOT");
  setenv("CELLPROOF_WORKERS", "/nowhere", 1);
  EXPECT_THAT(known_engines()[0].absent, HasSubstr("its worker is missing: /nowhere/cellproof-engine-reference"));
  unsetenv("CELLPROOF_WORKERS");
}

TEST(Registry, AsksTheWorkerOfAnEngineThatNeedsADevice) {
  const KnownEngine uninstalled{
      .name = "x", .what = "", .command = testing::hostile_command("absent"), .absent = "", .needs_device = true};
  EXPECT_EQ(absence_of(uninstalled), "libfancy.so is not installed");
  KnownEngine other = uninstalled;
  other.needs_device = false;
  EXPECT_EQ(absence_of(other), "");
  other.needs_processor = true;
  EXPECT_EQ(absence_of(other), "libfancy.so is not installed");
  other.needs_processor = false;
  other.absent = "its worker is missing", other.needs_device = true;
  EXPECT_EQ(absence_of(other), "its worker is missing");
  other.absent = "", other.command = testing::hostile_command("behave");
  EXPECT_EQ(absence_of(other), "");
}

TEST(Registry, TakesAnyCommand) {
  const auto engine = make_engine("mine='" + testing::hostile_command("behave")[0] + "' behave");
  EXPECT_EQ(engine->describe().name, "mine");
  EXPECT_EQ(engine->run(testing::small_problem()).kind, OutcomeKind::Ran);
}

TEST(Registry, NamesWhatTheCommandLineSays) {
  EXPECT_EQ(name_of_argument("cellproof-cpu@avx2"), "cellproof-cpu@avx2");
  EXPECT_EQ(name_of_argument("mine=a=b"), "mine");
  EXPECT_EQ(name_of_argument("backend:onnxruntime.backend"), "onnxruntime.backend");
}

TEST(Registry, TakesAnyBackendOfOnnx) {
  ASSERT_EQ(setenv("CELLPROOF_ENGINE_PYTHON", (project_root() / ".deps/onnx-backend-runner/bin/python").c_str(), 1), 0);
  const auto backend = make_engine("backend:onnxruntime.backend");
  const auto problem = testing::small_problem();
  const Outcome outcome = backend->run(problem);
  ASSERT_EQ(outcome.kind, OutcomeKind::Ran) << outcome.message << backend->take_log();
  EXPECT_TRUE(same_outputs(outcome, make_engine("onnxruntime")->run(problem)));
  EXPECT_EQ(backend->describe().name, "onnxruntime.backend");
  EXPECT_EQ(backend->describe().version, "1.32.0");
  EXPECT_THAT(make_engine("backend:no.such_module")->absence(), HasSubstr("No module named 'no'"));
  EXPECT_THAT(make_engine("backend:json")->absence(), HasSubstr("it is no ONNX backend"));
  EXPECT_EQ(unsetenv("CELLPROOF_ENGINE_PYTHON"), 0);
}

TEST(Registry, RefusesWhatNamesNoEngine) {
  EXPECT_EQ(complaint_about("onnxrutime"),
            "--engine: there is no engine 'onnxrutime': did you mean onnxruntime? Expected one of reference, "
            "onnxruntime, onnx-reference, "
            "cellproof-cpu, cellproof-cpu@scalar, cellproof-cpu@avx2, cellproof-cpu@avx-vnni, cellproof-cpu@avx512, "
            "cellproof-cpu@avx512-bf16, cellproof-cpu@amx, cellproof-cpu@openblas, "
            "cellproof-cuda, cellproof-cuda@host, cellproof-cudnn, cellproof-cudnn@tf32, cellproof-cudnn@tensor-op, "
            "openvino, openvino@bf16, tract, onnxruntime-ggml, onnxruntime-qnn, "
            "NAME=COMMAND, onnxruntime=LIBRARY, onnxruntime:PROVIDER or backend:PACKAGE.MODULE");
  EXPECT_THAT(complaint_about("a b=command"), HasSubstr("'a b' cannot name an engine"));
  EXPECT_THAT(complaint_about("=command"), HasSubstr("'' cannot name an engine"));
  EXPECT_THAT(complaint_about("a="), HasSubstr("no command after 'a='"));
  EXPECT_THAT(complaint_about("a='b"), HasSubstr("open ' quote"));
  EXPECT_THAT(complaint_about("backend:"), HasSubstr("'backend:' names no Python module"));
  EXPECT_THAT(complaint_about("backend:-c"), HasSubstr("'backend:-c' names no Python module"));
}

}  // namespace
}  // namespace cellproof::engines
