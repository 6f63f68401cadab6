#include "lab/gpu/sanitizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lab/command.hpp"
#include "lab/gpu/case_lines.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Sanitizer, ReadsWhatItReports) {
  const SanitizerReading clean =
      read_sanitizer("========= COMPUTE-SANITIZER\n{\"case\": 0}\n========= ERROR SUMMARY: 0 errors\n");
  EXPECT_TRUE(clean.complete);
  EXPECT_THAT(clean.findings, IsEmpty());

  const SanitizerReading access = read_sanitizer(
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ read of size 4 bytes\n"
      "=========     at each<Step>(Step, long)+0x490\n"
      "=========     by thread (1,0,0) in block (0,0,0)\n"
      "=========     Access at 0x7f01 is out of bounds\n"
      "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
      "=========         Host Frame: main [0x6d] in program\n"
      "========= \n"
      "========= Program hit cudaErrorInvalidValue (error 1) due to \"invalid argument\" on CUDA API call to "
      "cudaMemcpy.\n"
      "=========     Saved host backtrace up to driver entry point at error\n"
      "========= \n"
      "========= ERROR SUMMARY: 2 errors\n");
  EXPECT_TRUE(access.complete);
  EXPECT_THAT(access.findings,
              ElementsAre("Invalid __global__ read of size 4 bytes; at each<Step>(Step, long)+0x490; by thread (1,0,0) "
                          "in block (0,0,0); Access at 0x7f01 is out of bounds",
                          HasSubstr("cudaErrorInvalidValue")));

  const SanitizerReading race = read_sanitizer(
      "========= Error: Race reported between Write access at persist<float>+0x10 in a.cu:7\n"
      "=========     and Read access at persist<float>+0x80 in a.cu:9 [16 hazards]\n"
      "========= \n"
      "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
  EXPECT_TRUE(race.complete);
  EXPECT_THAT(race.findings, ElementsAre(HasSubstr("Race reported between Write access at persist<float>+0x10")));
}

TEST(Sanitizer, WhatIsCutOffOrOnlyCountedIsNoSuccess) {
  EXPECT_FALSE(read_sanitizer("").complete);
  EXPECT_FALSE(read_sanitizer("========= COMPUTE-SANITIZER\n").complete);
  EXPECT_THAT(read_sanitizer("========= ERROR SUMMARY: 3 errors\n").findings, ElementsAre("3 findings"));
  EXPECT_THAT(read_sanitizer("========= Error: Target application terminated before first instrumented API call\n"
                             "========= ERROR SUMMARY: 0 errors\n")
                  .findings,
              ElementsAre(HasSubstr("before first instrumented API call")));
}

/// A part over a script in place of the tool.
class SanitizerPart : public ::testing::Test {
 protected:
  ~SanitizerPart() override { unsetenv("CELLPROOF_COMPUTE_SANITIZER"); }
  int check(const std::vector<std::string>& present) {
    RecordOnDisk disk(folder_ / "record");
    GpuPart part{disk, present};
    const int code = check_with_sanitizer(part);
    record_ = disk.record["sanitizer"];
    return code;
  }
  /// `kind` of each case's outcome, and what is printed behind them.
  void use_tool(const std::string& kind, const std::string& end, int exit_code) {
    const fs::path script = folder_ / "tool";
    std::ofstream(script) << "#!/bin/sh\ni=0\nwhile read -r line; do\n"
                          << "printf '{\"case\":%s,\"thread\":0,\"kind\":\"" << kind
                          << "\",\"message\":\"\",\"digest\":\"d\",\"repeats\":true}\\n' $i; i=$((i+1))\ndone\n"
                          << "printf '" << end << "'\nexit " << exit_code << "\n";
    fs::permissions(script, fs::perms::owner_all);
    setenv("CELLPROOF_COMPUTE_SANITIZER", script.c_str(), 1);
  }

  TemporaryFolder folder_;
  nlohmann::json record_;
};

TEST_F(SanitizerPart, IsGreenOnlyWhereTheToolIs) {
  EXPECT_EQ(check({}), nothing_ran);
  setenv("CELLPROOF_COMPUTE_SANITIZER", "/nowhere", 1);
  EXPECT_EQ(check({"cellproof-cuda"}), nothing_ran);
  EXPECT_THAT(record_["memcheck"].value("absent", ""), HasSubstr("there is no compute-sanitizer"));
  use_tool("RAN", "========= ERROR SUMMARY: 0 errors\\n", 0);
  EXPECT_EQ(check({"cellproof-cuda"}), ok);
  EXPECT_GT(record_["memcheck"].value("ran", 0), 100);
  EXPECT_EQ(record_["racecheck"].value("ran", 0), 100);
  EXPECT_EQ(record_["initcheck"].value("ran", 0), 25);
  EXPECT_EQ(record_["synccheck"].value("ran", 0), 25);
}

TEST_F(SanitizerPart, SaysWhereTheToolLetsNothingRunInsteadOfFindingThat) {
  fs::create_directories(folder_ / "bin");
  const auto use_program = [&](const std::string& script) {
    const fs::path file = folder_ / "bin/cellproof-device-cases";
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  };
  use_tool("RAN", "", 0);  // makes the file
  std::ofstream(folder_ / "tool") << "#!/bin/sh\necho '========= Error: Device not supported'\nexit 1\n";
  setenv("CELLPROOF_WORKERS", (folder_ / "bin").c_str(), 1);
  use_program(R"(echo '{"case": 0, "kind": "RAN", "digest": "d", "repeats": true}')");
  EXPECT_EQ(check({"cellproof-cuda"}), nothing_ran);
  EXPECT_EQ(record_["memcheck"].value("absent", ""),
            "under memcheck no case comes to an outcome, exit code 1: Error: Device not supported");
  use_program("echo 'the device fails'; exit 1");  // without the tool, too: that is a finding
  EXPECT_EQ(check({"cellproof-cuda"}), unexpected);
  EXPECT_FALSE(record_["memcheck"].contains("absent"));
  unsetenv("CELLPROOF_WORKERS");
}

TEST_F(SanitizerPart, FailsByFindingsByItsEndAndByOutcomes) {
  use_tool("RAN", "========= Invalid __shared__ write of size 4 bytes\\n========= ERROR SUMMARY: 1 error\\n", 86);
  EXPECT_EQ(check({"cellproof-cuda"}), unexpected);
  EXPECT_EQ(record_["memcheck"]["findings"][0], "Invalid __shared__ write of size 4 bytes");
  fs::remove_all(folder_ / "record");
  use_tool("RAN", "killed\\n", 1);
  EXPECT_EQ(check({"cellproof-cuda"}), unexpected);
  EXPECT_THAT(record_["memcheck"]["findings"][0].get<std::string>(),
              HasSubstr("ended without a summary, exit code 1: killed"));
  fs::remove_all(folder_ / "record");
  use_tool("REJECTED", "========= ERROR SUMMARY: 0 errors\\n", 0);
  EXPECT_EQ(check({"cellproof-cuda"}), unexpected);
  EXPECT_EQ(record_["memcheck"].value("ran", -1), 0);
}

}  // namespace
}  // namespace cellproof::lab
