// Real workers, killed from outside with nothing between them and the harness.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "campaign/run.hpp"
#include "engines/fresh_memory.hpp"
#include "fuzz/suites.hpp"
#include "spec/testing/temporary_folder.hpp"

namespace cellproof::campaign {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The workers below a process to which the cases go; those that are asked a second time have other memory.
std::vector<pid_t> workers_of_the_run(pid_t process) {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", process), gone)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;) {
      const fs::path folder = fmt::format("/proc/{}", child);
      const bool is_first =
          text_of(folder / "environ").find(fmt::format("perturb={}", 0xff ^ engines::first_fill)) != std::string::npos;
      if (text_of(folder / "comm").starts_with("cellproof-engin") && is_first) found.push_back(child);
      for (const pid_t other : workers_of_the_run(child)) found.push_back(other);
    }
  }
  return found;
}

constexpr int kills_wanted = 20;

/// Kills so many of them, one after the other, at moments that it draws. Returns how many there were until `over`.
int kill_some(std::mt19937& random, const std::atomic<bool>& over) {
  int kills = 0;
  for (std::vector<pid_t> killed; kills < kills_wanted && !over;) {
    std::this_thread::sleep_for(milliseconds(1 + random() % 12));
    const std::vector<pid_t> workers = workers_of_the_run(getpid());
    if (workers.empty()) continue;
    const pid_t victim = workers[random() % workers.size()];
    // A process that is dead and not yet buried dies no second death.
    if (std::ranges::find(killed, victim) != killed.end() || ::kill(victim, SIGKILL) != 0) continue;
    killed.push_back(victim);
    ++kills;
  }
  return kills;
}

class KilledWorkers : public ::testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(KilledWorkers, AreNamedEachAndNothingElseIs) {
  const auto& [engine, jobs] = GetParam();
  const TemporaryFolder folder;
  RunOptions options;
  options.suites = {fuzz::load_suite("smoke")};
  options.engines = {engine};
  options.jobs = jobs;
  options.explain = 0;
  options.journal = folder / "journal";
  options.report = folder.path();
  std::mt19937 random(20261125);
  std::int64_t named = 0;
  int kills = 0;
  // A machine that stands still now and then makes a run too short for all of them: they go on in the next.
  for (int round = 0; kills < kills_wanted && round < 20; ++round) {
    reports::Store store = reports::Store::create(folder / fmt::format("{}.sqlite", round), {});
    std::atomic<bool> over = false;
    int kills_here = 0;
    RunResult result;
    {
      std::jthread killer([&] { kills_here = kill_some(random, over); });
      result = run(options, store);
      over = true;
    }
    std::int64_t named_here = 0;
    for (const Finding& finding : result.findings) {
      if (finding.pass) continue;
      EXPECT_EQ(finding.outcome, OutcomeKind::Crashed) << finding.outcome_message;
      EXPECT_NE(finding.outcome_message.find("SIGKILL"), std::string::npos) << finding.outcome_message;
      EXPECT_TRUE(finding.flaky);
      ++named_here;
    }
    // One may fall into the moment between the last answer and the end of the run.
    EXPECT_LE(named_here, kills_here);
    EXPECT_GE(named_here, kills_here - (kills_here < kills_wanted ? jobs : 0));
    kills += kills_here;
    named += named_here;
  }
  EXPECT_GE(kills, kills_wanted);
  EXPECT_GE(named, kills_wanted - jobs);
}

INSTANTIATE_TEST_SUITE_P(Engines, KilledWorkers,
                         ::testing::Values(std::pair{"reference", 1}, std::pair{"reference", 2},
                                           std::pair{"cellproof-cpu", 1}, std::pair{"cellproof-cpu", 2}),
                         [](const auto& test) {
                           const std::string name = test.param.first;
                           return fmt::format("{}_{}", name.substr(name.find('-') + 1), test.param.second);
                         });

}  // namespace
}  // namespace cellproof::campaign
