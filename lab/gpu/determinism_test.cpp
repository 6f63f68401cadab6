#include "lab/gpu/determinism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/testing/run_program.hpp"
#include "engines/paths.hpp"
#include "lab/command.hpp"
#include "lab/gpu/case_lines.hpp"
#include "lab/gpu/process.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string> some_lines{
    "cellproof-case/1 op=LSTM-22 type=float T=3 N=2 I=4 H=5 sequence_lens=given",
    "cellproof-case/1 op=GRU-14 type=float16 T=4 N=3 I=2 H=3",
    "cellproof-case/1 op=RNN-7 type=double T=2 N=1 I=1 H=1 direction=bidirectional"};

/// The program itself on the kernels' loops: what part determinism compares is there, and agrees.
TEST(DeviceCases, GiveTheSameBitsInEveryVariation) {
  const TemporaryFolder folder;
  const fs::path input = folder / "cases";
  {
    std::ofstream out(input);
    for (const std::string& line : some_lines) out << line << "\n";
  }
  const std::string program = (engines::worker_directory() / "cellproof-device-cases").string();
  const auto run = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> words{program, "cellproof-cuda@host"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProcessEnd end = run_bounded(words, input, 60);
    EXPECT_EQ(end.exit_code, 0) << end.output;
    return read_device_cases(end.output);
  };
  const DeviceCases base = run({});
  ASSERT_EQ(base.size(), some_lines.size());
  for (const auto& [place, one] : base) {
    EXPECT_EQ(one.kind, "RAN") << one.message;
    EXPECT_TRUE(one.repeats);
    EXPECT_EQ(one.digest.size(), 16U);
  }
  EXPECT_NE(base.at({0, 0}).digest, base.at({1, 0}).digest);
  EXPECT_THAT(disagreements(base, run({"--reverse"}), some_lines, "in another order"), IsEmpty());
  EXPECT_THAT(disagreements(base, run({"--other-padding"}), some_lines, "with other padding"), IsEmpty());
  const DeviceCases threads = run({"--threads", "4"});
  EXPECT_EQ(threads.size(), 4 * some_lines.size());
  EXPECT_THAT(disagreements(base, threads, some_lines, "on four threads"), IsEmpty());
  EXPECT_EQ(run_bounded({program, "cellproof-cuda@host", "--sideways"}, input, 60).exit_code, 2);
  EXPECT_EQ(run_bounded({program, "cellproof-moon"}, input, 60).exit_code, 2);
}

TEST(DeviceCases, DisagreeByBitsAndByOutcome) {
  DeviceCases base, other;
  base[{0, 0}] = {"RAN", "", "aa", true};
  base[{1, 0}] = {"RAN", "", "bb", true};
  other[{0, 1}] = {"RAN", "", "ab", true};
  other[{1, 3}] = {"OUT_OF_MEMORY", "", "", true};
  EXPECT_THAT(disagreements(base, other, {"first", "second"}, "on four threads"),
              ElementsAre("FLAKY: the engine differs between two identical calls, on four threads: first",
                          "OUT_OF_MEMORY on four threads, where it was RAN: second"));
  EXPECT_THAT(disagreements(base, other, {"first", "second"}, "with other padding", false).front(),
              "other bits with other padding: first");
  EXPECT_EQ(flaky_text("first"), "FLAKY: the engine differs between two identical calls: first");
}

/// The part over a script in place of the program.
class DeterminismPart : public ::testing::Test {
 protected:
  DeterminismPart() {
    fs::create_directories(folder_ / "bin");
    setenv("CELLPROOF_WORKERS", (folder_ / "bin").c_str(), 1);
  }
  ~DeterminismPart() override { unsetenv("CELLPROOF_WORKERS"); }
  int check(const std::string& digest, int exit_code = 0, const std::string& repeats = "true") {
    const fs::path script = folder_ / "bin/cellproof-device-cases";
    std::ofstream(script) << "#!/bin/sh\ni=0\nwhile read -r line; do\n"
                          << "printf '{\"case\":%s,\"thread\":0,\"kind\":\"RAN\",\"message\":\"\",\"digest\":\"%s\","
                          << "\"repeats\":" << repeats << "}\\n' $i \"" << digest << "\"; i=$((i+1))\ndone\nexit "
                          << exit_code << "\n";
    fs::permissions(script, fs::perms::owner_all);
    fs::remove_all(folder_ / "record");
    RecordOnDisk disk(folder_ / "record");
    const std::vector<std::string> present{"cellproof-cuda"};
    GpuPart part{disk, present};
    const int code = check_determinism(part);
    progress_ = disk.record["determinism"]["cellproof-cuda"];
    return code;
  }

  TemporaryFolder folder_;
  nlohmann::json progress_;
};

TEST_F(DeterminismPart, IsGreenWhereAllBitsAreTheSame) {
  EXPECT_EQ(check("d$i"), ok);
  EXPECT_TRUE(progress_["findings"].empty());
  EXPECT_GT(progress_.value("ran", 0), 200);
}

TEST_F(DeterminismPart, FailsByOtherBitsAndByAProcessThatFails) {
  EXPECT_EQ(check("d$i$2"), unexpected);  // the variation is in the digest
  EXPECT_THAT(progress_["findings"].dump(),
              HasSubstr("FLAKY: the engine differs between two identical calls, in another order: cellproof-case/1"));
  EXPECT_THAT(progress_["findings"].dump(), HasSubstr("\"other bits with other padding: cellproof-case/1"));
  EXPECT_EQ(check("d$i", 0, "false"), unexpected);
  EXPECT_THAT(progress_["findings"].dump(),
              HasSubstr("FLAKY: the engine differs between two identical calls: cellproof-case/1"));
  EXPECT_EQ(check("d$i", 1), unexpected);
  EXPECT_THAT(progress_["findings"].dump(), HasSubstr("exit code 1"));
}

}  // namespace
}  // namespace cellproof::lab
