#include "campaign/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>

#include "engines/paths.hpp"
#include "spec/case_text.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

using std::chrono::seconds;

/// Result of a run of ten cases with a budget of 20 s, by a clock that says `elapsed` since its begin throughout.
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

TEST(Run, KeepsAFifthOfItsBudgetToMakeFailuresSmaller) {
  const TemporaryFolder folder;
  RunOptions options;
  corpus::Suite suite{"many", "", {}};
  for (int k = 0; k < 3000; ++k)
    suite.cases.push_back({std::to_string(k), parse_case("cellproof-case/1 op=RNN-14 T=3 N=2 I=4 H=5 seed=1")});
  options.suites = {suite};
  options.engines = {"bad=" + (engines::worker_directory() / "cellproof-engine-hostile").string() + " wrong-shape"};
  options.journal = folder / "journal";
  options.report = folder.path();
  options.time_budget = seconds(20);
  std::atomic<int> looks = 0;  // a clock that each look moves on
  options.now = [&, begun = options.begun] { return begun + std::chrono::milliseconds(2) * ++looks; };
  reports::Store store = reports::Store::create(folder / "run.sqlite", {});
  const RunResult result = run(options, store);
  EXPECT_GT(result.judged, 0);
  EXPECT_LT(result.judged, 3000) << "the budget is to end before the suite";
  const auto reduced = std::ranges::find_if(result.findings, [](const Finding& f) { return f.reduction.has_value(); });
  ASSERT_NE(reduced, result.findings.end());
  EXPECT_TRUE(reduced->reduction->complete);
  EXPECT_THAT(reduced->reduction->case_line, ::testing::HasSubstr("T=1 N=1 I=1 H=1"));
}

/// They are made once for an engine, by what it answers, and are cases like those of the list.
TEST(Run, AsksTheFurtherCasesOfASuite) {
  const TemporaryFolder folder;
  corpus::Suite suite{"one", "", {}};
  suite.cases.push_back({"0", parse_case("cellproof-case/1 op=RNN-14 T=2 N=1 I=2 H=2")});
  suite.further = [](const auto& ask) {
    std::vector<corpus::SuiteCase> further;
    for (const char* line :
         {"cellproof-case/1 op=RNN-14 T=3 N=1 I=2 H=2", "cellproof-case/1 op=RNN-14 T=4 N=1 I=2 H=2"}) {
      const Case c = parse_case(line);
      if (ask(make_problem(c)).kind == OutcomeKind::Ran) further.push_back({line, c});
    }
    return further;
  };
  RunOptions options;
  options.suites = {suite};
  options.engines = {"reference"};
  options.journal = folder / "journal";
  options.report = folder.path();
  reports::Store store = reports::Store::create(folder / "run.sqlite", {});
  const RunResult result = run(options, store);
  ASSERT_EQ(result.findings.size(), 3U);
  EXPECT_EQ(result.findings[2].number, 2);
  EXPECT_THAT(result.findings[2].case_line, ::testing::HasSubstr("T=4"));
  EXPECT_TRUE(result.findings[2].pass);
  EXPECT_EQ(run(options, store).judged, 0) << "all are there";
}

/// Returns the causes that a run notes of ONNX Runtime, first of so many of eight cases, then of all of them.
std::string causes_of_onnxruntime(std::size_t at_first) {
  const TemporaryFolder folder;
  corpus::Suite suite{"eight", "", {}};
  for (int k = 0; k < 8; ++k) {
    const std::string line = "cellproof-case/1 op=LSTM-14 T=2 N=1 I=2 H=2 seed=" + std::to_string(k);
    suite.cases.push_back(
        {std::to_string(k), parse_case(k % 2 == 0 ? line : line + " activations=Sigmoid,Tanh,ThresholdedRelu")});
  }
  RunOptions options;
  options.engines = {"onnxruntime"};
  options.journal = folder / "journal";
  options.report = folder.path();
  options.explain = 0;
  reports::Store store = reports::Store::create(folder / "run.sqlite", {});
  corpus::Suite part = suite;
  part.cases.resize(at_first);
  for (const corpus::Suite& each : {part, suite}) {
    options.suites = {each};
    run(options, store);
  }
  return words_of(store.engine_notes().at(0).second, EngineNote::Causes);
}

TEST(Run, ThatIsResumedHasTheCausesOfOneRun) {
  const std::string whole = causes_of_onnxruntime(0);
  EXPECT_THAT(whole, ::testing::HasSubstr("fault:thresholded-relu"));
  EXPECT_EQ(causes_of_onnxruntime(3), whole);
  EXPECT_EQ(causes_of_onnxruntime(8), whole) << "nothing is left to ask";
}

/// Returns how the search for causes is said to have been ended in a run that was resumed for its last case, by a clock
/// that each look moves on: far in the first call, little in the second.
std::string end_of_a_resumed_search(bool knows_the_time_before) {
  const TemporaryFolder folder;
  corpus::Suite suite{"twenty", "", {}};
  for (int k = 0; k < 20; ++k)
    suite.cases.push_back({std::to_string(k), parse_case("cellproof-case/1 op=RNN-14 T=3 N=2 I=4 H=5 clip=0.5 seed=" +
                                                         std::to_string(k))});
  RunOptions options;
  options.engines = {"bad=" + (engines::worker_directory() / "cellproof-engine-hostile").string() + " wrong-shape"};
  options.journal = folder / "journal";
  options.report = folder.path();
  options.explain = 0;
  reports::Store store = reports::Store::create(folder / "run.sqlite", {});
  corpus::Suite part = suite;
  part.cases.resize(19);
  std::atomic<std::int64_t> elapsed = 0;
  const auto clock_with = [&](std::int64_t step) {
    return [&elapsed, step, begun = options.begun] { return begun + seconds(elapsed += step); };
  };
  options.suites = {part};
  options.now = clock_with(10'000);
  run(options, store);
  if (!knows_the_time_before) store.set_engine_note("bad", EngineNote::AskedFor, "");
  options.suites = {suite};
  options.now = clock_with(1);
  run(options, store);
  return words_of(store.engine_notes().at(0).second, EngineNote::CausesCutShort);
}

TEST(Run, ThatIsResumedGivesCausesAShareOfItsWholeTime) {
  EXPECT_EQ(end_of_a_resumed_search(true), "");
  EXPECT_NE(end_of_a_resumed_search(false), "");
}

}  // namespace
}  // namespace cellproof::campaign
