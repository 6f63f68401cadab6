#include "lab/gpu/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/testing/run_program.hpp"
#include "lab/bench/gpu/grid.hpp"
#include "lab/bench/gpu/table.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::lab {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// The part over a script in place of the program that measures, and of Python.
class GpuBenchPart : public ::testing::Test {
 protected:
  GpuBenchPart() {
    fs::create_directories(folder_ / "bin");
    setenv("CELLPROOF_WORKERS", (folder_ / "bin").c_str(), 1);
    use("python", "echo 'no PyTorch: not here' >&2; exit 77");
    setenv("CELLPROOF_TORCH_PYTHON", (folder_ / "bin/python").c_str(), 1);
  }
  ~GpuBenchPart() override {
    unsetenv("CELLPROOF_WORKERS");
    unsetenv("CELLPROOF_TORCH_PYTHON");
  }
  void use(const std::string& name, const std::string& script) {
    const fs::path file = folder_ / "bin" / name;
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  void use_figures(const std::string& kernels) {
    use("cellproof-gpu-bench",
        R"(echo "a line of a library"; echo '{"row": "'$1'", "device": "none", "rates": {"bytes": 1e12, "operations": 5e13,)"
        R"( "operations_of_16": 5e14}, "subjects": {"cudnn": {"version": "9", "seconds": [1e-3]}, "cudnn-nearest": )"
        R"({"version": "9", "seconds": [1e-3]}, "cellproof-cudnn": {"version": "9", "seconds": [1e-3]}, )"
        R"("cellproof-cuda": )" +
            kernels + "}}'");
  }
  int check() {
    RecordOnDisk disk(folder_ / "record");
    const std::vector<std::string> present;
    GpuPart part{disk, present};
    const int code = check_speed(part);
    rows_ = disk.record["bench"];
    return code;
  }

  TemporaryFolder folder_;
  nlohmann::json rows_;
};

TEST_F(GpuBenchPart, MeasuresEachRowOnce) {
  use_figures(R"({"version": "0", "seconds": [1e-4]})");
  EXPECT_EQ(check(), ok);
  EXPECT_EQ(rows_.size(), bench::gpu::pairwise_grid().size());
  for (const auto& [name, figures] : rows_.items()) {
    EXPECT_EQ(figures.value("row", ""), name);
    EXPECT_EQ(figures["subjects"]["torch"]["missing"], "no PyTorch: not here");
  }
  use("cellproof-gpu-bench", "exit 1");  // is asked no more
  EXPECT_EQ(check(), ok);
}

TEST_F(GpuBenchPart, FailsByARowThatFailsAndAsksItAgain) {
  use_figures(R"({"failed": "outputs differ"})");
  EXPECT_EQ(check(), unexpected);
  use("cellproof-gpu-bench", "echo 'cudaMalloc: broken'; exit 1");
  EXPECT_EQ(check(), unexpected);
  EXPECT_EQ(rows_.begin()->value("failed", ""), "exit code 1: cudaMalloc: broken");
  use("cellproof-gpu-bench", "echo 'no device'; exit 77");
  EXPECT_EQ(check(), nothing_ran);
  use_figures(R"({"version": "0", "seconds": [1e-4]})");
  EXPECT_EQ(check(), ok);
}

TEST_F(GpuBenchPart, FailsByAMissedBarAndNamesEachRowThatMissesIt) {
  use_figures(R"({"version": "0", "seconds": [5e-3]})");
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(check(), unexpected);
  const std::string said = ::testing::internal::GetCapturedStdout();
  std::size_t about = 0;
  for (const bench::gpu::Row& row : bench::gpu::pairwise_grid())
    if (row.cell != bench::gpu::Cell::GruBefore && row.N <= 4 && row.H <= 1024) {
      ++about;
      EXPECT_THAT(said, HasSubstr("bench: missed by " + row.name() + ": 5.000\n"));
    }
  EXPECT_GT(about, 5U);
  EXPECT_THAT(said, HasSubstr("N <= 4, H <= 1024: at most the row's bar: " + std::to_string(about) + " of " +
                              std::to_string(about) + " rows miss it"));
  // All is measured: the next call measures nothing, and fails all the same.
  EXPECT_EQ(check(), unexpected);
}

TEST_F(GpuBenchPart, FailsWhereABarWasNotMeasured) {
  use("cellproof-gpu-bench",
      R"(echo '{"row": "'$1'", "device": "none", "rates": {"bytes": 1e12, "operations": 5e13, "operations_of_16": 5e14},)"
      R"( "subjects": {"cudnn": {"missing": "no cuDNN 9"}, "cellproof-cuda": {"version": "0", "seconds": [1e-3]}}}')");
  EXPECT_EQ(check(), unexpected);
}

TEST_F(GpuBenchPart, TakesPyTorchsFigures) {
  use_figures(R"({"version": "0", "seconds": [1e-4]})");
  use("python", R"(shift; echo "{\"version\": \"$1 $2 $3 $4 $5 $6\", \"seconds\": [2e-3]}")");
  const nlohmann::json figures = measure_gpu_row("gru-after-bf16-T32-N16-H512-ragged", 60);
  EXPECT_EQ(figures["subjects"]["torch"]["version"], "gru-after bf16 32 16 512 ragged");
  EXPECT_EQ(bench::gpu::median_seconds(figures, "torch"), 2e-3);
}

TEST(GpuBench, WithoutAGpuItSaysSo) {
  const cli::ProgramResult result = cli::run_lab({"bench", "gpu", "--row", "lstm-f32-T1-N1-H128"});
  if (result.exit_code == 0) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(result.exit_code, 77) << result.err;
  EXPECT_THAT(result.err, HasSubstr("nothing was measured"));
  EXPECT_EQ(cli::run_lab({"bench", "gpu", "--row", "lstm"}).exit_code, 2);
  EXPECT_THAT(cli::run_lab({"bench", "gpu", "--full", "--list"}).out, HasSubstr("rnn-bf16-T512-N256-H2048-ragged\n"));
  EXPECT_THAT(cli::run_lab({"bench", "gpu", "--bars"}).out,
              ::testing::MatchesRegex("([a-z0-9-]+-T[0-9]+-N[a-zA-Z0-9-]+ [0-9]\\.[0-9][0-9]\n)+"));
}

}  // namespace
}  // namespace cellproof::lab
