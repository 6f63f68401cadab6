#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "cli/testing/run_program.hpp"
#include "engines/registry.hpp"
#include "lab/gpu/part.hpp"
#include "lab/gpu/record.hpp"
#include "spec/testing/approval.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

bool has_gpu() {
  for (const auto& engine : engines::known_engines())
    if (engine.needs_device && engines::absence_of(engine).empty()) return true;
  return false;
}

TEST(GpuCheck, WithoutAGpuItSaysWhyAndThatNothingWasChecked) {
  if (has_gpu()) GTEST_SKIP() << "there is a GPU here";
  const TemporaryFolder temporary;
  const fs::path folder = temporary / "record";
  for (const std::vector<std::string>& part : std::vector<std::vector<std::string>>{{},
                                                                                    {"--part", "facts"},
                                                                                    {"--part", "suites"},
                                                                                    {"--part", "sanitizer"},
                                                                                    {"--part", "determinism"},
                                                                                    {"--part", "bench"}}) {
    std::vector<std::string> arguments{"gpu-check", "-o", folder.string()};
    arguments.insert(arguments.end(), part.begin(), part.end());
    const cli::ProgramResult result = cli::run_lab(arguments);
    EXPECT_EQ(result.exit_code, 77) << result.err;
    EXPECT_THAT(result.err, HasSubstr("cellproof-cudnn: absent: "));
    EXPECT_THAT(result.err, HasSubstr("nothing was checked"));
    EXPECT_FALSE(fs::exists(folder));
  }
  EXPECT_EQ(cli::run_lab({"gpu-check", "--part", "everything"}).exit_code, 2);
  EXPECT_EQ(cli::run_lab({"gpu-check", "--engine", "reference"}).exit_code, 2);
  EXPECT_EQ(cli::run_lab({"gpu-check", "--seconds", "0"}).exit_code, 2);
  EXPECT_EQ(cli::run_lab({"gpu-check", "--unpack", (temporary / "nothing").string(), "-o", folder.string()}).exit_code,
            2);
  const cli::ProgramResult one = cli::run_lab({"gpu-check", "--engine", "cellproof-cuda", "--seconds", "60"});
  EXPECT_EQ(one.exit_code, 77);
  EXPECT_THAT(one.err, HasSubstr("cellproof-cuda: absent: "));
  EXPECT_THAT(one.err, Not(HasSubstr("cellproof-cudnn")));
}

nlohmann::json answer_after(int exit_code, const std::string& output, nlohmann::json answer = nullptr) {
  add_probe_answer(answer, exit_code, output);
  return answer;
}

TEST(GpuRecord, TakesAnAnswerOnlyForWhatItIs) {
  const std::string begun = "a library warns\n{\"probe\": \"A\", \"rows\": [], \"next\": 0, \"of\": 2}\n",
                    first = "{\"rows\": [{\"asked\": \"x\", \"answer\": \"1\"}], \"next\": 1, \"of\": 2}\n",
                    second = "{\"rows\": [{\"asked\": \"y\", \"answer\": \"2\"}], \"next\": 2, \"of\": 2}\n";
  EXPECT_TRUE(is_answered(answer_after(0, begun + first + second)));
  EXPECT_EQ(answer_after(0, begun + first + second)["rows"].size(), 2U);
  EXPECT_EQ(answer_after(0, "nonsense").dump(), "{\"failed\":\"it printed no answer\"}");
  EXPECT_EQ(answer_after(1, "cudnnCreate: broken\nmore").dump(), "{\"failed\":\"exit code 1: cudnnCreate: broken\"}");
  EXPECT_EQ(answer_after(124, "").dump(), "{\"failed\":\"no answer in its time\"}");
}

/// A process that dies or hangs has the question that it was at on it, and the next one goes on behind it.
TEST(GpuRecord, GoesOnBehindTheQuestionThatEndedItsProcess) {
  const std::string begun = "{\"probe\": \"A\", \"rows\": [], \"next\": 0, \"of\": 3}\n",
                    first = "{\"rows\": [{\"asked\": \"x\", \"answer\": \"1\"}], \"next\": 1, \"of\": 3}\n";
  nlohmann::json answer = answer_after(139, begun + first + "killed\n");
  EXPECT_FALSE(is_answered(answer));
  EXPECT_EQ(answer["next"], 2);
  EXPECT_EQ(answer["rows"][1]["answer"], "exit code 139: killed");
  answer = answer_after(0,
                        "{\"rows\": [], \"next\": 2, \"of\": 3}\n{\"rows\": [{\"asked\": \"z\", \"answer\": \"3\"}], "
                        "\"next\": 3, \"of\": 3}\n",
                        answer);
  EXPECT_TRUE(is_answered(answer));
  EXPECT_EQ(answer["rows"].size(), 3U);
  // A lost device is that question's answer already.
  const nlohmann::json lost = answer_after(
      1,
      begun + "{\"rows\": [{\"asked\": \"x\", \"answer\": \"the device is lost by it\"}], \"next\": 1, \"of\": 3}\n");
  EXPECT_EQ(lost["next"], 1);
  EXPECT_EQ(lost["rows"].size(), 1U);
  EXPECT_FALSE(is_answered(lost));
}

TEST(GpuRecord, RefusesAnotherFile) {
  auto record = empty_gpu_record();
  const TemporaryFolder folder;
  const fs::path file = folder / "record.json";
  EXPECT_EQ(read_gpu_record(file), empty_gpu_record());
  std::ofstream(file) << record;
  EXPECT_EQ(read_gpu_record(file), record);
  for (const char* wrong : {"{", "[]", "{\"format\": \"cellproof-gpu-check/1\"}"}) {
    std::ofstream(file) << wrong;
    EXPECT_THROW(read_gpu_record(file), std::invalid_argument) << wrong;
  }
}

TEST(GpuRecord, IsRenderedAsApproved) {
  auto record = empty_gpu_record();
  record["facts"]["A"] = {{"question", "how far"},
                          {"on", "cuDNN 9 on a made-up device"},
                          {"next", 1},
                          {"of", 1},
                          {"rows", {{{"asked", "LSTM | full"}, {"answer", "y 1e-07"}}}}};
  record["facts"]["B"] = answer_after(1, "cudnnCreate: broken");
  record["facts"]["C"] = record["facts"]["A"];
  record["facts"]["C"]["of"] = 3;
  record["suites"]["cellproof-cudnn"] = {{"exit_code", 0}, {"report", "suites-cellproof-cudnn/index.html"}};
  record["suites"]["cellproof-cudnn@tf32"] = {{"exit_code", 0},
                                              {"report", "suites-cellproof-cudnn@tf32/index.html"},
                                              {"left", {"7 of the 9 cases of suite smoke on cellproof-cudnn@tf32"}}};
  record["suites"]["cellproof-cuda"] = {{"failed", "run.sqlite: cannot be resumed"}};
  record["sanitizer"]["memcheck"] = {{"cases", 30}, {"done", 25}, {"ran", 25}, {"findings", {"Invalid read; at | a"}}};
  record["sanitizer"]["racecheck"] = {{"absent", "there is no tool"}};
  record["determinism"]["cellproof-cuda"] = {
      {"cases", 30}, {"done", 30}, {"ran", 29}, {"findings", nlohmann::json::array()}};
  EXPECT_EQ(difference_from_approved("lab/gpu/approved/record.md", render_gpu_record(record)), "");
}

TEST(GpuRecord, TakesOlderRecordsAndSumsUpParts) {
  const TemporaryFolder folder;
  const fs::path file = folder / "record.json";
  std::ofstream(file) << R"({"format": "cellproof-gpu-check/1", "facts": {}, "suites": {}})";
  EXPECT_EQ(read_gpu_record(file), empty_gpu_record());
  EXPECT_EQ(code_of_parts({0, 0}), 0);
  EXPECT_EQ(code_of_parts({77}), 77);
  EXPECT_EQ(code_of_parts({0, 77}), 1);  // asked for, and not done
  EXPECT_EQ(code_of_parts({1, 3, 77}), 3);
}

TEST(GpuParts, ShareTheSecondsOfACall) {
  const TemporaryFolder folder;
  RecordOnDisk disk(folder / "record");
  const PartInfo notes{"notes", "", [](GpuPart& part) -> int {
                         part.disk.record["noted"].push_back(std::lround(part.clock.left()));
                         return 0;
                       }};
  EXPECT_EQ(run_parts({notes, notes, notes}, disk, {}, 300), 0);
  EXPECT_EQ(disk.record["noted"].dump(), "[100,150,300]");
}

TEST(GpuParts, OneThatBreaksDownKeepsNoOtherFromRunning) {
  const TemporaryFolder folder;
  RecordOnDisk disk(folder / "record");
  const PartInfo breaks{"breaks", "", [](GpuPart&) -> int { throw std::runtime_error("out of order"); }};
  const PartInfo notes{"notes", "", [](GpuPart& part) -> int {
                         part.disk.record["facts"]["A"] = {{"failed", "asked"}};
                         return 0;
                       }};
  EXPECT_EQ(run_parts({breaks, notes}, disk, {}), 3);
  EXPECT_EQ(RecordOnDisk(folder / "record").record["facts"]["A"]["failed"], "asked");
  EXPECT_EQ(run_parts({notes}, disk, {}), 0);
}

/// Our layer around cuDNN as the harness judges it, over a double of cuDNN on a machine without a GPU.
TEST(CudnnStandIn, ConformsWhereverCudnnCanExpressTheCase) {
  const TemporaryFolder folder;
  const std::string worker = std::string(CELLPROOF_BINARY_DIR) + "/bin/cellproof-engine-cudnn-stand-in";
  const cli::ProgramResult result = cli::run_program(
      {"run", "--suite", "smoke", "--suite", "readings", "--suite", "onnx-backend", "--suite", "invalid", "--engine",
       "stand-in='" + worker + "' fma", "-o", folder.path().string(), "--explain", "0"});
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_THAT(result.out,
              testing::ContainsRegex("0 wrong results, 0 crashes, [0-9]+ gaps, (29[0-9]|[3-9][0-9][0-9]) conform"));
}

}  // namespace
}  // namespace cellproof::lab
