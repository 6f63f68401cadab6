// The system gives no more: each process, descriptor, write, thread and allocation of a run is refused in turn.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/testing/run_program.hpp"
#include "reports/store.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr std::size_t cases_of_suite = 18;

/// Lines that are no progress.
std::vector<std::string> complaints_in(const std::string& err) {
  std::vector<std::string> lines;
  std::istringstream in(err);
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("reference: ")) lines.push_back(line);
  return lines;
}

bool has_in_environment(const fs::path& process, std::string_view entry) {
  std::ifstream file(process / "environ", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  return all.find(entry) != std::string::npos;
}

/// Is a process alive that has this in its environment? Keepers take a moment to follow their harness.
bool one_is_left(std::string_view entry) {
  const auto deadline = steady_clock::now() + seconds(5);
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
    const bool found = std::ranges::any_of(fs::directory_iterator("/proc"), [&](const fs::directory_entry& process) {
      return process.path().filename().string().find_first_not_of("0123456789") == std::string::npos &&
             has_in_environment(process.path(), entry);
    });
    if (!found || steady_clock::now() >= deadline) return found;
  }
}

/// Names of families, jobs, from which call on not every one is tried, and how many are passed over then.
struct Walk {
  const char* family;
  int jobs;
  std::uint64_t all_until;
  std::uint64_t stride;
};

std::ostream& operator<<(std::ostream& out, const Walk& walk) {
  return out << walk.family << ", jobs " << walk.jobs;
}

class FailingCalls : public testing::TestWithParam<Walk> {
 protected:
  /// Runs a suite in which call number `at` fails. Was there such a call?
  static bool survive(const Walk& walk, std::uint64_t at) {
    const TemporaryFolder folder;
    const fs::path count = folder / "count", report = folder / "report";
    std::ofstream(count, std::ios::binary) << std::string(sizeof(std::uint64_t), '\0');
    const std::string mark = fmt::format("CELLPROOF_FAIL_COUNT={}", count.string());
    const ProgramResult result =
        run_command({"timeout", "--signal=KILL", "30", "env", fmt::format("LD_PRELOAD={}", CELLPROOF_FAILING_CALLS),
                     fmt::format("CELLPROOF_FAIL_FAMILY={}", walk.family), fmt::format("CELLPROOF_FAIL_AT={}", at),
                     mark, fmt::format("{}/bin/cellproof", CELLPROOF_BINARY_DIR), "run", "--suite", "onnx-backend",
                     "--engine", "reference", "--jobs", std::to_string(walk.jobs), "-o", report.string()});
    const std::vector<std::string> complaints = complaints_in(result.err);
    if (result.exit_code == 0) {
      EXPECT_TRUE(complaints.empty()) << result.err;
    } else {
      EXPECT_EQ(result.exit_code, 2) << result.err;
      EXPECT_EQ(complaints.size(), 1U) << result.err;
      EXPECT_TRUE(result.err.find("cellproof: ") != std::string::npos) << result.err;
    }
    EXPECT_FALSE(one_is_left(mark));
    check_store(report / "run.sqlite", result.exit_code == 0);
    std::uint64_t calls = 0;
    std::ifstream(count, std::ios::binary).read(reinterpret_cast<char*>(&calls), sizeof calls);
    return calls >= at;
  }

  static void check_store(const fs::path& file, bool whole) {
    EXPECT_TRUE(fs::exists(file) || !whole);
    if (!fs::exists(file)) return;
    const std::vector<Finding> findings = reports::Store::open_read_only(file).findings();
    if (whole) {
      EXPECT_EQ(findings.size(), cases_of_suite);
    }
    for (const Finding& finding : findings) EXPECT_TRUE(finding.pass) << finding.outcome_message;
  }
};

TEST_P(FailingCalls, EndARunInOneLineOrNotAtAll) {
  const Walk& walk = GetParam();
  std::uint64_t at = 1;
  for (; survive(walk, at) && !HasFailure(); at += at < walk.all_until ? 1 : walk.stride) {
  }
  EXPECT_FALSE(HasFailure()) << "call " << at;
  EXPECT_GT(at, 1U) << "no call was counted";
}

constexpr std::uint64_t all = ~std::uint64_t{0};
INSTANTIATE_TEST_SUITE_P(Families, FailingCalls,
                         testing::Values(Walk{"process", 1, all, 1}, Walk{"process", 2, all, 1},
                                         Walk{"fork", 1, all, 1}, Walk{"fork", 2, all, 1},
                                         Walk{"descriptor", 1, all, 1}, Walk{"descriptor", 2, all, 1},
                                         Walk{"thread", 1, all, 1}, Walk{"thread", 2, all, 1}, Walk{"write", 1, all, 1},
                                         Walk{"write", 2, 40, 3}, Walk{"memory", 1, 200, 499},
                                         Walk{"memory", 2, 2, 997}),
                         [](const auto& test) { return fmt::format("{}_{}", test.param.family, test.param.jobs); });

TEST(ProcessLimit, EndsARunInOneLine) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to run as a user who has no other processes";
  const std::string program = fmt::format("{}/bin/cellproof", CELLPROOF_BINARY_DIR);
  constexpr std::string_view as_another = "exec setpriv --reuid 12346 --clear-groups";
  if (run_command({"bash", "-c", fmt::format("{} '{}' --help", as_another, program)}).exit_code != 0)
    GTEST_SKIP() << "another user cannot run " << program;
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::all);
  for (const int limit : {4, 5, 6}) {
    const auto begin = steady_clock::now();
    const ProgramResult result = run_command(
        {"bash", "-c",
         fmt::format("{} timeout --foreground --signal=KILL 30 bash -c \"ulimit -u {}; exec '{}' run --suite "
                     "onnx-backend --engine reference -o '{}/{}'\"",
                     as_another, limit, program, folder.path().string(), limit)});
    EXPECT_LT(steady_clock::now() - begin, seconds(5)) << limit;
    EXPECT_EQ(result.exit_code, 2) << limit << ": " << result.err;
    EXPECT_THAT(complaints_in(result.err), testing::ElementsAre(testing::StartsWith("cellproof: cannot start ")))
        << limit << ": " << result.err;
  }
}

}  // namespace
}  // namespace cellproof::cli
