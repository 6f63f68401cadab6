#include "campaign/run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "spec/case_text.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

/// What a run of ten cases with a budget of 20 s adds, by a clock that says `elapsed` since its begin throughout.
RunResult run_after(seconds elapsed) {
  const TemporaryFolder folder;
  RunOptions options;
  corpus::Suite suite{"ten", "", {}};
  for (int k = 0; k < 10; ++k)
    suite.cases.push_back({std::to_string(k), parse_case("cellproof-case/1 op=RNN-14 T=2 N=1 I=2 H=2")});
  options.suites = {suite};
  options.engines = {"reference"};
  options.journal = folder / "journal";
  options.report = folder.path();
  options.time_budget = seconds(20);
  options.now = [at = options.begun + elapsed] { return at; };
  reports::Store store = reports::Store::create(folder / "run.sqlite", {});
  RunResult result = run(options, store);
  return result;
}

TEST(Run, CountsItsTimeBudgetFromTheBegin) {
  const RunResult in_time = run_after(seconds(19));
  EXPECT_EQ(in_time.judged, 10);
  const RunResult late = run_after(seconds(20));  // making the suites took all of it
  EXPECT_EQ(late.judged, 0);
  EXPECT_TRUE(late.findings.empty());
  EXPECT_EQ(late.engine_seconds, 0);
}

}  // namespace
}  // namespace cellproof::campaign
