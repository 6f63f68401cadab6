#include "engines/engine_argument.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "engines/paths.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::engines {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string refusal_of(const std::string& argument) {
  try {
    described_engine(argument);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

class EngineArgument : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const {
    std::ofstream(folder_ / name) << "x";
    return (folder_ / name).string();
  }
  TemporaryFolder folder_;
};

TEST_F(EngineArgument, ALibraryIsNamedByItsPath) {
  const std::string library = file("libonnxruntime.so.1.22.1");
  const auto engine = described_engine("onnxruntime=" + library);
  EXPECT_EQ(engine.name, "onnxruntime@1.22.1");
  EXPECT_THAT(engine.command, ElementsAre(EndsWith("cellproof-engine-onnxruntime"), library));
  EXPECT_EQ(name_of_argument("onnxruntime=/opt/my build/libonnxruntime.so"), "onnxruntime@my-build");
  EXPECT_EQ(name_of_argument("onnxruntime=libonnxruntime.so"), "onnxruntime@library");
  EXPECT_EQ(name_of_argument("onnxruntime=/a=b/libonnxruntime.so.1.20.0"), "onnxruntime@1.20.0");
}

TEST_F(EngineArgument, AProviderHasSettingsALibraryAndARuntime) {
  const std::string plug_in = file("libep.so"), runtime = file("libonnxruntime.so");
  const auto engine = described_engine("onnxruntime:ggml,device=cpu,library=" + plug_in + ",runtime=" + runtime +
                                       ",targets=HETERO:GPU,CPU");
  EXPECT_EQ(engine.name, "onnxruntime@ggml");
  EXPECT_THAT(engine.command, ElementsAre(EndsWith("cellproof-engine-onnxruntime"), runtime, "ggml", "device=cpu",
                                          "library=" + plug_in, "targets=HETERO:GPU,CPU"));
  EXPECT_EQ(name_of_argument("onnxruntime:ggml,device=cpu"), "onnxruntime@ggml");
  const auto built_in = described_engine("onnxruntime:AzureExecutionProvider");
  EXPECT_THAT(built_in.command, ElementsAre(EndsWith("cellproof-engine-onnxruntime"), onnxruntime_library().string(),
                                            "AzureExecutionProvider"));
}

TEST_F(EngineArgument, SaysWhatIsWrong) {
  EXPECT_EQ(refusal_of("onnxruntime=/no.so"), "--engine onnxruntime=/no.so: there is no file '/no.so'");
  EXPECT_THAT(refusal_of("onnxruntime="), HasSubstr("there is no file ''"));
  EXPECT_THAT(refusal_of("onnxruntime:"), HasSubstr("names no provider"));
  EXPECT_THAT(refusal_of("onnxruntime:a b"), HasSubstr("names no provider"));
  EXPECT_THAT(refusal_of("onnxruntime:ggml,cpu"), HasSubstr("'cpu' is no setting: expected KEY=VALUE"));
  EXPECT_THAT(refusal_of("onnxruntime:ggml,library=/no.so"), HasSubstr("there is no file '/no.so'"));
  EXPECT_THAT(refusal_of("onnxruntime:ggml,runtime=/no.so"), HasSubstr("there is no file '/no.so'"));
}

TEST_F(EngineArgument, TwoEnginesOfOneNameAreRefused) {
  EXPECT_NO_THROW(check_names({"reference", "onnxruntime", "onnxruntime=/a/libonnxruntime.so.1.22.1", "reference"}));
  try {
    check_names({"onnxruntime=/a/lib/libonnxruntime.so", "onnxruntime=/b/lib/libonnxruntime.so"});
    FAIL() << "both are onnxruntime@lib";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("would both be called onnxruntime@lib: NAME=COMMAND gives"));
  }
  EXPECT_THROW(check_names({"onnxruntime:ggml,device=cpu", "onnxruntime:ggml,device=gpu"}), std::invalid_argument);
}

}  // namespace
}  // namespace cellproof::engines
